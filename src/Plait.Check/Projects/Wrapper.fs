// A wrapper: a made-up project in a temporary folder, for the source files of a project that cannot be restored or
// evaluated. It has none of the packages, so the code that uses them is lost.
module internal Plait.Check.Wrapper

open System
open System.IO
open System.Xml.Linq

open Plait.Common

// Properties that the wrapper copies; the others depend on properties of the build.
let private takenOver = [ "DefineConstants"; "LangVersion"; "Nullable" ]

let private expand (folder: string) (written: string) : string =
    [ "$(MSBuildThisFileDirectory)"; "$(MSBuildProjectDirectory)/"; "$(MSBuildProjectDirectory)\\" ]
    |> List.fold
        (fun (text: string) variable ->
            text.Replace(variable, folder + "/", StringComparison.OrdinalIgnoreCase))
        written

/// The source files in a project's XML, in order, and those that were left out.
let private sources (project: string) (document: XDocument) : string list * string list =
    let folder = ProjectXml.folderOf project

    let named =
        [
            for element in ProjectXml.elements "Compile" document do
                match ProjectXml.attribute "Include" element with
                | None -> ()
                | Some written ->
                    for one in (expand folder written).Split(';', StringSplitOptions.RemoveEmptyEntries) do
                        one.Trim()
        ]

    let isThere (written: string) =
        not (written.Contains "$(")
        && not (written.Contains '*')
        && File.Exists(ProjectXml.path folder written)

    let found, absent = named |> List.filter ((<>) "") |> List.partition isThere
    found |> List.map (ProjectXml.path folder) |> List.distinct, absent

let private ofText (name: string) (value: string) = XElement(XName.Get name, value)

let private withAttribute (name: string) (attribute: string) (value: string) =
    let element = XElement(XName.Get name)
    element.SetAttributeValue(XName.Get attribute, value)
    element

let private group (name: string) (elements: XElement list) =
    let group = XElement(XName.Get name)

    for element in elements do
        group.Add element

    group

/// The text of the made-up project.
let private wrapping (document: XDocument) (framework: string) (sources: string list) : string =
    let sdk = document.Root |> Option.ofObj |> Option.bind (ProjectXml.attribute "Sdk")
    let root = withAttribute "Project" "Sdk" "Microsoft.NET.Sdk"

    root.Add(
        group
            "PropertyGroup"
            [
                ofText "TargetFramework" framework
                ofText "EnableDefaultItems" "false"
                // of the temporary folder's attributes nothing would be left
                ofText "GenerateAssemblyInfo" "false"
                ofText "GenerateTargetFrameworkAttribute" "false"
                ofText "ManagePackageVersionsCentrally" "false"
                ofText "NuGetAudit" "false"

                for name in takenOver do
                    match ProjectXml.elements name document with
                    | [ one ] when not (one.Value.Replace("$(DefineConstants)", "").Contains "$(") ->
                        ofText name one.Value
                    | _ -> ()
            ]
    )

    root.Add(
        group
            "ItemGroup"
            [
                for source in sources do
                    // MSBuild reads these as escapes and as separators
                    withAttribute "Compile" "Include" (source.Replace("%", "%25").Replace(";", "%3B"))

                match sdk with
                | Some name when name.StartsWith("Microsoft.NET.Sdk.Web", StringComparison.OrdinalIgnoreCase) ->
                    withAttribute "FrameworkReference" "Include" "Microsoft.AspNetCore.App"
                | _ -> ()
            ]
    )

    root.ToString()

/// Makes a wrapper for the sources of `project` and evaluates it. `why`: the error of the project itself. Raises
/// BadInput if this fails too. `restoring` lets one project restore at a time.
let compilation
    (project: string)
    (document: XDocument)
    (why: string)
    (restoring: (unit -> DotNet.SdkResult<unit>) -> DotNet.SdkResult<unit>)
    token
    : Compilation =
    let fail sentence : 'a =
        raise (BadInput $"{project} cannot be analysed in degraded mode either: {sentence}")

    let found, absent = sources project document

    if found.IsEmpty then
        fail "none of the source files that it names is there; mend the project, or name its source files"

    let framework = $"net{Environment.Version.Major}.{Environment.Version.Minor}"
    let folder = Directory.CreateTempSubdirectory("plait-check-").FullName

    try
        // the files above the temporary folder have no effect
        for shield in [ "Directory.Build.props"; "Directory.Build.targets"; "Directory.Packages.props" ] do
            File.WriteAllText(Path.Combine(folder, shield), "<Project />")

        let name = ProjectXml.nameOf project
        let wrapper = Path.Combine(folder, name)
        File.WriteAllText(wrapper, wrapping document framework found)

        let called =
            match (restoring (fun () -> DotNet.restore wrapper token)).Result with
            | Ok() -> (DotNet.compilation wrapper None false token).Result
            | Error trouble -> Error trouble

        match called with
        | Error trouble -> fail (DotNetSdk.describe trouble)
        | Ok evaluation ->
            let compilation = CompilerArguments.ofEvaluation wrapper evaluation

            { compilation with
                File = project
                Sources = CompilerArguments.written evaluation compilation
                Projects =
                    [
                        for reference in ProjectXml.references project document do
                            if File.Exists reference then
                                {
                                    Assembly = Path.ChangeExtension(reference, ".dll") |> string
                                    Project = reference
                                    Framework = None
                                }
                    ]
                IsWrapper = true
                Notes =
                    [
                        $"{name} is analysed in degraded mode, without its packages, as {framework}: {why}"

                        if not absent.IsEmpty then
                            let list = String.concat ", " absent
                            $"{name}: source files left out because they are not there, or named by a pattern: {list}"
                    ]
            }
    finally
        try
            Directory.Delete(folder, true)
        with
        | :? IOException
        | :? UnauthorizedAccessException -> ()
