// The verbs about candidates: one lists them, one makes a new one.
module internal Plait.Tool.LabCandidateVerbs

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Lab

let private show
    (candidates: Candidate list)
    (ofRuntimes: (string * Candidate) list)
    (packages: PackagedCandidate list)
    =
    let pins =
        Map
            [
                for runtime, candidate in ofRuntimes ->
                    candidate.Name,
                    $" [{RuntimeBuild.shown runtime}: --runtime {RuntimeBuild.version runtime}]"
                for packaged in packages ->
                    packaged.Candidate.Name, $" [package {packaged.Package} {packaged.Version}]"
            ]

    let described (candidate: Candidate) =
        let library =
            Map.tryFind candidate.Name pins
            |> Option.orElse (candidate.Library |> Option.map (fun library -> $" [{library}]"))
            |> Option.defaultValue ""

        let factor =
            candidate.Factors
            |> List.map (fun (_, value) -> $" Also with +{value}.")
            |> String.concat ""

        candidate.Name, $"{candidate.Label}{library}: {candidate.Description.TrimEnd '.'}.{factor}"

    candidates @ (ofRuntimes |> List.map snd) @ (packages |> List.map _.Candidate)
    |> List.map described
    |> TextTable.described (Wrap.width ())
    |> List.iter Console.Out.WriteLine

let private candidatesFolder =
    LabOptions.candidates "the folder that the candidates lie in, a folder each"

let private runList (parsed: ParseResult) : int =
    let current = Directory.GetCurrentDirectory()

    match Options.value parsed candidatesFolder with
    | Some folder -> show (Candidate.discover folder) [] []
    | None ->
        let root =
            Candidate.repository AppContext.BaseDirectory
            |> Option.orElse (Candidate.repository current)

        show
            (Candidate.discover (Candidate.defaultFolder AppContext.BaseDirectory current))
            [
                for root in Option.toList root do
                    for runtime in RuntimeBuild.known do
                        for candidate in RuntimeBuild.own root runtime do
                            runtime, candidate
            ]
            (root |> Option.map PackagedCandidate.discover |> Option.defaultValue [])

    Endings.success

/// plait lab list
let list () : Command =
    Verb.make
        "list"
        "List the candidates that fizzbuzz compares, with the library of each."
        []
        [ candidatesFolder ]
        runList

let private name =
    Argument<string>("NAME", Description = "small letters, digits and hyphens, such as my-task")

let private package =
    Options.text "--package" "ID" "the package that its library comes from"

let private version =
    Options.text "--version" "V" "the version of that package, which is pinned"

let private newFolder =
    Options.text
        "--in"
        "DIR"
        "the folder of candidates to add it to; default: the candidates of the repository"

let private defaultFolder () =
    let current = Directory.GetCurrentDirectory()

    match
        Candidate.repository current
        |> Option.orElse (Candidate.repository AppContext.BaseDirectory)
    with
    | Some root -> Path.Combine(root, "candidates")
    | None ->
        raise (
            BadInput
                $"{current} and the tool are outside of the Plait repository and its folder of candidates; name a folder with --in DIR"
        )

let private runNew (parsed: ParseResult) : int =
    let wanted =
        NewCandidate.package (Options.value parsed package) (Options.value parsed version)

    let folder = Options.value parsed newFolder |> Option.defaultWith defaultFolder
    let name = nonNull (parsed.GetValue name)
    let files = NewCandidate.files folder name wanted
    NewCandidate.write files

    for file in files do
        Console.Out.WriteLine(Path.GetRelativePath(Directory.GetCurrentDirectory(), file.Path))

    let next =
        match wanted with
        | Some _ -> $"plait lab fizzbuzz --quick --only {name}"
        | None ->
            $"dotnet build candidates/Candidates.proj -c Release && plait lab fizzbuzz --quick --only {name}"

    Console.Out.WriteLine $"It compiles as it is. Put your builder into Effect.fs, then: {next}"
    Endings.success

/// plait lab new-candidate
let newCandidate () : Command =
    Verb.make
        "new-candidate"
        "Make a candidate of your own: a folder with an effect that compiles at once, and a project with a pinned version if its library comes from a package."
        [ name ]
        [ package; version; newFolder ]
        runNew
