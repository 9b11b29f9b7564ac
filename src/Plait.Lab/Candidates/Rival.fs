// Candidates from packages, as their sources lie in the repository: a folder each below candidates/packages, with a
// project that pins the version. This file finds and reads them; RivalBuild builds them.
namespace Plait.Lab.Scenarios

open System.IO
open System.Xml
open System.Xml.Linq

open Plait.Report


/// A candidate whose library comes from a package.
type Rival =
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

/// Finding them.
module Rival =
    /// The folder of their sources in a repository.
    let folder (root: string) : string =
        Path.Combine(root, "candidates", "packages")

    // The first reference with a version of its own: the others come from the list that all projects share.
    let private pinned (project: string) =
        let attribute (name: string) (element: XElement) =
            element.Attribute(XName.Get name) |> Option.ofObj |> Option.map _.Value

        try
            XDocument.Load(project).Descendants(XName.Get "PackageReference")
            |> Seq.tryPick (fun element ->
                Option.map2
                    (fun package version -> package, version)
                    (attribute "Include" element)
                    (attribute "VersionOverride" element))
        with :? XmlException as trouble ->
            raise (BadInput $"{project} is not a project: {trouble.Message}")

    let private read (root: string) (description: string) : Rival =
        let candidate = Candidate.parse description (File.ReadAllText description)
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
                                "rivals",
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
    let discover (root: string) : Rival list =
        let folder = folder root

        if Directory.Exists folder then
            Directory.GetDirectories folder
            |> Array.map (fun folder -> Path.Combine(folder, "candidate.json"))
            |> Array.filter File.Exists
            |> List.ofArray
            |> List.map (read root)
            |> List.sortBy (fun rival -> rival.Candidate.Order, rival.Candidate.Name)
        else
            []

    /// The candidate with the reason why it is shown but not run.
    let absent (status: Status) (reason: string) (rival: Rival) : Candidate =
        { rival.Candidate with Absence = Some { Status = status; Reason = reason } }

    /// Why one is not run that nobody asked for.
    let notAsked =
        "its library comes from a package, and this run was not asked to fetch any; --rivals does, and --feed DIR takes packages from a folder as well"
