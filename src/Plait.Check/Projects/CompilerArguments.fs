// The compiler's arguments for a project, from the SDK or from a wrapper, and the compiler service's options. Project
// references become a graph, so nothing has to be built.
namespace Plait.Check

open System
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis

/// A reference to another project.
type internal ProjectReference =
    {
        /// The path behind -r:; the compiler service finds the other project by exactly this path.
        Assembly: string
        /// The whole path of the other project.
        Project: string
        /// The framework that the other project is read for.
        Framework: string option
    }

/// The compilation of a project.
type internal Compilation =
    {
        File: string
        Framework: string option
        /// All the frameworks that the project names.
        Frameworks: string list
        /// The source files in order, whole paths, generated ones among them.
        Sources: string list
        /// The compiler's other options, references among them.
        Options: string list
        /// The projects that it references, directly and through others.
        Projects: ProjectReference list
        /// A wrapper has only the direct ones.
        IsWrapper: bool
        Notes: string list
    }

    /// The referenced assemblies.
    member compilation.Assemblies =
        [
            for option in compilation.Options do
                if option.StartsWith("-r:", StringComparison.Ordinal) then
                    option.Substring 3
        ]

module internal CompilerArguments =
    // The compiler service compares options by their stamps. Without stamps it compares the references, and their
    // references, on every path to them: for 30 projects that reference each other that never ends.
    let mutable private made = 0L

    let isFSharp (project: string) =
        project.EndsWith(".fsproj", StringComparison.OrdinalIgnoreCase)

    let private references (evaluation: DotNet.Evaluation) : ProjectReference list =
        [
            for item in evaluation.Item "ReferencePathWithRefAssemblies" do
                let metadata name =
                    item.Metadata |> Map.tryFind name |> Option.filter ((<>) "")

                match metadata "MSBuildSourceProjectFile" with
                | Some project when metadata "ReferenceSourceTarget" = Some "ProjectReference" ->
                    {
                        Assembly = item.Identity
                        Project = ProjectXml.located project
                        Framework = metadata "NearestTargetFramework"
                    }
                | _ -> ()
        ]

    /// A project without LangVersion, or with `latest`, has the version of its SDK's compiler. The compiler service may
    /// be newer, and code can be right in one version and wrong in the other.
    let private withLanguage (evaluation: DotNet.Evaluation) (options: string list) : string list =
        let isOfSdk (option: string) =
            List.contains
                option
                [ "--langversion:latest"; "--langversion:latestmajor"; "--langversion:default" ]

        let isNamed (option: string) =
            option.StartsWith("--langversion:", StringComparison.Ordinal) && not (isOfSdk option)

        match Int32.TryParse((evaluation.Property "NETCoreSdkVersion").Split('.')[0]) with
        | true, major when major >= 8 && major <= 11 && not (List.exists isNamed options) ->
            List.filter (isOfSdk >> not) options @ [ $"--langversion:{major}.0" ]
        | _ -> options

    /// The evaluation by the SDK, with whole paths.
    let ofEvaluation (project: string) (evaluation: DotNet.Evaluation) : Compilation =
        let folder = ProjectXml.folderOf project

        let whole (path: string) =
            Path.GetFullPath(Path.Combine(folder, path))

        let arguments = evaluation.Item "FscCommandLineArgs" |> List.map _.Identity

        let options, sources =
            arguments |> List.partition (fun argument -> argument.StartsWith('-'))

        let options = withLanguage evaluation options

        {
            File = project
            Framework = evaluation.Property "TargetFramework" |> Some |> Option.filter ((<>) "")
            Frameworks = DotNet.frameworks evaluation
            Sources = sources |> List.map whole
            Options =
                [
                    for option in options do
                        if option.StartsWith("-r:", StringComparison.Ordinal) then
                            "-r:" + whole (option.Substring 3)
                        else
                            option
                ]
            Projects =
                references evaluation
                |> List.map (fun reference -> { reference with Assembly = whole reference.Assembly })
            IsWrapper = false
            Notes = []
        }

    /// The sources without those that the build writes to its intermediate folder.
    let written (evaluation: DotNet.Evaluation) (compilation: Compilation) : string list =
        match evaluation.Property "IntermediateOutputPath" with
        | "" -> compilation.Sources
        | intermediate ->
            let below = ProjectXml.path (ProjectXml.folderOf compilation.File) intermediate

            let below =
                below.TrimEnd Path.DirectorySeparatorChar + string Path.DirectorySeparatorChar

            compilation.Sources
            |> List.filter (fun file -> not (file.StartsWith(below, StringComparison.Ordinal)))

    // The compiler service solves the witnesses of each generic call that it shows, with a new reader of all types for
    // each: a third of what a check allocates, and nothing here reads them. The types are the same without.
    let withoutWitnesses = "--disableLanguageFeature:WitnessPassing"

    /// The options of the compiler service. `referenced`: the F# projects that are checked from source, with their
    /// paths in the options -r:.
    let toOptions
        (referenced: (string * FSharpProjectOptions) list)
        (compilation: Compilation)
        : FSharpProjectOptions =
        {
            ProjectFileName = compilation.File
            ProjectId = None
            SourceFiles = Array.ofList compilation.Sources
            OtherOptions = [| yield! compilation.Options; withoutWitnesses |]
            ReferencedProjects =
                [|
                    for assembly, options in referenced ->
                        FSharpReferencedProject.FSharpReference(assembly, options)
                |]
            IsIncompleteTypeCheckEnvironment = false
            UseScriptResolutionRules = false
            LoadTime = DateTime.Now
            UnresolvedReferences = None
            OriginalLoadReferences = []
            Stamp = Some(Interlocked.Increment &made)
        }
