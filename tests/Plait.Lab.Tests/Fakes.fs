// Runs of the tool over folders of stand-ins for candidates, each right or wrong in the way that its mode says.
namespace Plait.Lab.Tests

open System.IO
open System.Text.Json
open Xunit

open Plait.Report
open Plait.Tests.Support

module Fakes =
    let private write (folder: string) (order: int) (name: string, family: string, arguments: string list) =
        let place = Path.Combine(folder, name)
        Directory.CreateDirectory place |> ignore

        let text =
            JsonSerializer.Serialize
                {|
                    name = name
                    family = family
                    order = order
                    // Relative, so that the command line of its process holds the name of this folder.
                    assembly = Path.GetRelativePath(place, Built.fakeWorker ())
                    arguments = [ "--as"; name ] @ arguments
                |}

        File.WriteAllText(Path.Combine(place, "candidate.json"), text)

    /// A folder with the base, its control, and `others` by name and arguments.
    let folder (path: string) (theBase: string list) (others: (string * string list) list) : string =
        let all =
            [ "sync", "base", theBase; "sync-again", "control", [] ]
            @ [ for name, arguments in others -> name, "plait", arguments ]

        List.iteri (write path) all
        path

    /// The shortest settings there are.
    let short =
        [ "--quick"; "--launches"; "1"; "--slice"; "20ms"; "--warm-up"; "100ms" ]

    /// A run with them that writes to `out`.
    let tiny (candidates: string) (out: string) : string list =
        [ "lab"; "fizzbuzz" ]
        @ short
        @ [ "--connections"; "4"; "--candidates"; candidates; "--out"; out ]

    /// Where no test makes a folder.
    let absent = Path.Combine(Path.GetTempPath(), "plait-lab-tests-absent", "out")

    /// The scenario refuses the arguments in one sentence with these words, before it makes a folder.
    let refuses (scenario: string) (arguments: string list) (words: string list) =
        let ended = ToolRun.run ([ "lab"; scenario; "--out"; absent ] @ arguments)
        ended |> ToolRun.endsBadly 2 words
        Assert.Equal("", ended.Out)
        Assert.False(Directory.Exists absent, "a folder was made although nothing was run")

    /// The results in a folder that a run wrote to.
    let results (out: string) : Results =
        let file = Path.Combine(out, "results.json")
        ResultsJson.read file (File.ReadAllText file)

    /// A row.
    let row (id: string) (results: Results) : Row =
        match results.Rows |> List.tryFind (fun row -> row.Id = id) with
        | Some row -> row
        | None -> failwith $"There is no row {id}."

/// A run of the tool over stand-ins. It is run once, when it is first asked for.
type FakeRun(theBase: string list, others: (string * string list) list, more: string list) =
    let ended =
        lazy
            (use folder = new Built.Folder()
             let out = folder.File "out"
             let candidates = Fakes.folder (folder.File "candidates") theBase others
             let ended = ToolRun.run (Fakes.tiny candidates out @ more)

             if not (File.Exists(Path.Combine(out, "results.json"))) then
                 failwith $"The tool wrote no results: exit code {ended.Code}, {ended.Err}"

             let files = Directory.GetFiles out |> Array.map Path.GetFileName |> Set.ofArray
             ended, Fakes.results out, files)

    /// How the tool ended.
    member _.Ended = let ended, _, _ = ended.Value in ended
    /// What it wrote to results.json.
    member _.Results = let _, results, _ = ended.Value in results
    /// The files it wrote.
    member _.Files = let _, _, files = ended.Value in files
    /// A row of the results.
    member this.Row(id: string) = Fakes.row id this.Results

    /// Pairs of a row from which the host took time. They are taken again, unless the process is gone by then.
    member this.Dropped(id: string) =
        this.Results.Stopping
        |> Option.bind (fun stopping -> Map.tryFind id stopping.DroppedPairs)
        |> Option.defaultValue 0
