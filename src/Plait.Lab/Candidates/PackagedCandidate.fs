// Candidates whose library comes from a package: found below candidates/packages, where a project pins the version, and
// built when a run asks for them.
namespace Plait.Lab

open System.IO
open System.Threading
open System.Xml
open System.Xml.Linq

open Plait.Common
open Plait.Report

/// A candidate whose library comes from a package.
type PackagedCandidate =
    {
        /// The candidate, as it is when it is built.
        Candidate: Candidate
        /// The full path of its project.
        Project: string
        /// The id of its package.
        Package: string
        /// The version that its project pins.
        Version: string
    }

/// Finding and building them.
module PackagedCandidate =
    /// The folder of their sources in a repository.
    let folder (root: string) : string =
        Path.Combine(root, "candidates", "packages")

    // The first reference with a version of its own: the others come from the list that all projects share.
    let private pinned (project: string) =
        let attribute (name: string) (element: XElement) =
            element.Attribute(XName.Get name) |> Option.ofObj |> Option.map _.Value

        try
            (Files.read "a project" project XDocument.Load).Descendants(XName.Get "PackageReference")
            |> Seq.tryPick (fun element ->
                Option.map2
                    (fun package version -> package, version)
                    (attribute "Include" element)
                    (attribute "VersionOverride" element))
        with :? XmlException as trouble ->
            raise (BadInput $"{project} is not a project: {trouble.Message}")

    let private read (root: string) (description: string) : PackagedCandidate =
        let candidate = Candidate.parse description (Files.text "a candidate" description)
        let folder = nonNull (Path.GetDirectoryName description)

        let project =
            [ ".fsproj"; ".csproj" ]
            |> List.map (fun ending -> Path.Combine(folder, candidate.Name + ending))
            |> List.tryFind File.Exists

        match
            project
            |> Option.bind (fun project -> pinned project |> Option.map (fun pin -> project, pin))
        with
        | Some(project, (package, version)) ->
            {
                Candidate =
                    { candidate with
                        Assembly =
                            Path.Combine(
                                root,
                                "artifacts",
                                "bin",
                                "packages",
                                candidate.Name,
                                candidate.Name + ".dll"
                            )
                    }
                Project = project
                Package = package
                Version = version
            }
        | None ->
            raise (
                BadInput
                    $"{folder} has no {candidate.Name}.fsproj with a PackageReference that pins its version by VersionOverride; see its neighbours, or make one with 'plait lab new-candidate'"
            )

    /// Those of a repository, in their order; none where it has no such folder.
    let discover (root: string) : PackagedCandidate list =
        let folder = folder root

        if Directory.Exists folder then
            Directory.GetDirectories folder
            |> Array.map (fun folder -> Path.Combine(folder, "candidate.json"))
            |> Array.filter File.Exists
            |> List.ofArray
            |> List.map (read root)
            |> List.sortBy (fun packaged -> packaged.Candidate.Order, packaged.Candidate.Name)
        else
            []

    // Building: a package that cannot be had makes its candidates not available, with the words of NuGet; a candidate that
    // does not compile has failed. Neither is an error of the run.

    /// A folder of packages as the user names it: it must be there and hold some. Returns its full path.
    let feed (path: string) : string =
        let full = Path.GetFullPath path

        if File.Exists full then
            raise (BadInput $"--feed: {full} is a file; name the folder that the .nupkg files lie in")

        if not (Directory.Exists full) then
            raise (BadInput $"--feed: there is no folder {full}; name one that .nupkg files lie in")

        if Seq.isEmpty (Directory.EnumerateFiles(full, "*.nupkg", SearchOption.AllDirectories)) then
            raise (
                BadInput
                    $"--feed: no .nupkg file lies in {full}; put the packages there, or leave --feed out for the configured sources alone"
            )

        full

    /// The sources that all candidates share, besides their own folders.
    let shared (root: string) : string list =
        let candidates = Path.Combine(root, "candidates")

        [
            yield! Directory.GetFiles(candidates, "*.*proj")
            yield! Directory.GetFiles(candidates, "*.props")
            yield! Directory.GetFiles(folder root, "*.*")
            yield! Directory.GetFiles(Path.Combine(candidates, "shared"), "*", SearchOption.AllDirectories)
            yield! Directory.GetFiles(Path.Combine(candidates, "csharp-value-task"), "*.cs")
        ]

    let private isFresh (inputs: string list) (packaged: PackagedCandidate) =
        let own =
            List.ofArray (Directory.GetFiles(nonNull (Path.GetDirectoryName packaged.Project)))

        DotNetBuild.isUpToDate packaged.Candidate.Assembly (inputs @ own)

    /// The properties that make `feed` a source of packages.
    let source (feed: string option) : (string * string) list =
        feed
        |> Option.map (fun folder -> "RestoreAdditionalProjectSources", folder)
        |> Option.toList

    let private notFetched (packaged: PackagedCandidate) (trouble: DotNetSdk.BuildError) =
        let remedy =
            match trouble.Code with
            | "NU1101"
            | "NU1102" -> "; --feed DIR adds a folder that holds it"
            | _ -> ""

        packaged.Candidate
        |> Candidate.absent
            Status.NotAvailable
            $"the package {packaged.Package} {packaged.Version} cannot be had: {DotNetSdk.describe trouble}{remedy}"

    // One that does not compile makes the exit code of all; the others have their assemblies to show.
    let private compiled
        (ended: DotNetSdk.Ended)
        (troubles: DotNetSdk.BuildError list)
        (packaged: PackagedCandidate)
        =
        let explained = ended.Code = 0 || not troubles.IsEmpty

        match DotNetBuild.first packaged.Project troubles with
        | Some trouble when DotNetBuild.isOfPackages trouble -> notFetched packaged trouble
        | Some trouble ->
            packaged.Candidate
            |> Candidate.absent Status.Failed $"it does not compile: {DotNetSdk.describe trouble}"
        | None when File.Exists packaged.Candidate.Assembly && explained -> packaged.Candidate
        | None ->
            packaged.Candidate
            |> Candidate.absent
                Status.Failed
                $"its build ended with exit code {ended.Code} and no message about it"

    /// Builds the candidates that are not built yet. `feed`: a folder of packages to ask besides the configured
    /// sources; `tell` gets sentences of progress. Returns the candidates as they are now, each ready to run or with
    /// the reason why it is not.
    let build
        (root: string)
        (feed: string option)
        (packages: PackagedCandidate list)
        (tell: string -> unit)
        (stop: CancellationToken)
        : Candidate list =
        let inputs = if packages.IsEmpty then [] else shared root
        let fresh, stale = packages |> List.partition (isFresh inputs)

        let run target (packages: PackagedCandidate list) line =
            let wanted = packages |> List.map _.Project |> String.concat ";"

            DotNetBuild.target
                root
                (Path.Combine(folder root, "Packages.proj"))
                target
                (("Wanted", wanted) :: source feed)
                line
                stop

        let noSdk =
            List.map (fun (packaged: PackagedCandidate) ->
                packaged.Candidate
                |> Candidate.absent
                    Status.NotAvailable
                    "a run builds it with the .NET SDK, and 'dotnet' cannot be started here")

        let compile (fetched: PackagedCandidate list) =
            if fetched.IsEmpty then
                []
            else
                let names = fetched |> List.map _.Candidate.Name |> String.concat ", "
                tell $"building {names}"

                let line (text: string) =
                    match text.Split " -> " with
                    | [| name; _ |] -> tell $"built {name.Trim()}"
                    | _ -> ()

                match run "Build" fetched line with
                | None -> noSdk fetched
                | Some ended -> fetched |> List.map (compiled ended (DotNetSdk.errors ended.Lines))

        let built =
            if stale.IsEmpty then
                []
            else
                let packages =
                    stale
                    |> List.map (fun packaged -> $"{packaged.Package} {packaged.Version}")
                    |> List.distinct
                    |> String.concat ", "

                tell $"fetching {packages}"

                match run "Restore" stale ignore with
                | None -> noSdk stale
                | Some restored ->
                    let trouble (packaged: PackagedCandidate) =
                        DotNetBuild.first packaged.Project (DotNetSdk.errors restored.Lines)

                    (stale
                     |> List.choose (fun packaged -> trouble packaged |> Option.map (notFetched packaged)))
                    @ compile (stale |> List.filter (fun packaged -> (trouble packaged).IsNone))

        [ yield! fresh |> List.map (fun (packaged: PackagedCandidate) -> packaged.Candidate); yield! built ]
        |> List.sortBy (fun candidate -> candidate.Order, candidate.Name)

    /// The rows with the built program of each selected candidate, or with the reason why there is nothing to run.
    /// `tell` gets sentences of progress.
    let buildRows
        (root: string)
        (feed: string option)
        (asked: PackagedCandidate list)
        (tell: string -> unit)
        (stop: CancellationToken)
        (rows: RowPlan list)
        : RowPlan list =
        if asked.IsEmpty then
            rows
        else
            let built =
                build root feed asked tell stop
                |> List.map (fun candidate -> candidate.Name, candidate)
                |> Map.ofList

            for KeyValue(name, candidate) in built do
                match candidate.Absence with
                | Some absence -> tell $"{name} is {Word.ofCase absence.Status}: {absence.Reason}"
                | None -> ()

            rows
            |> List.map (fun row ->
                match Map.tryFind row.Candidate.Name built with
                | Some candidate -> { row with Candidate = candidate }
                | None -> row)
