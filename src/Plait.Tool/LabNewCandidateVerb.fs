// The verb that makes a new candidate: a folder whose files compile at once and say what to edit.
module internal Plait.Tool.LabNewCandidateVerb

open System
open System.CommandLine
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private name =
    Argument<string>("NAME", Description = "small letters, digits and hyphens, such as my-task")

let private package =
    Options.text "--package" "ID" "the package that its library comes from"

let private version =
    Options.text "--version" "V" "the version of that package, which is pinned"

let private folder =
    Options.text "--in" "DIR" "the folder of candidates to add it to; default: that of the repository"

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
                $"neither {current} nor the tool lies in the Plait repository, so there is no folder of candidates; name one with --in DIR"
        )

let private run (parsed: ParseResult) : int =
    let wanted =
        NewCandidate.package (Options.value parsed package) (Options.value parsed version)

    let folder = Options.value parsed folder |> Option.defaultWith defaultFolder
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
let command () : Command =
    Verb.make
        "new-candidate"
        "Make a candidate of your own: a folder with an effect that compiles at once, and a project with a pinned version if its library comes from a package."
        [ name ]
        [ package; version; folder ]
        run
