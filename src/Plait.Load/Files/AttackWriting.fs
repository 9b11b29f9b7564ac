// Writing what is made of load runs: the samples, and the folder with everything.
module Plait.Load.AttackWriting

open System.IO

open Plait.Report

/// Writes the samples of one run as CSV.
let csv (path: string) (recording: Recording) : unit =
    Files.writing path (fun () ->
        use target = new StreamWriter(path)
        AttackCsv.write target recording.Outcome)

/// Writes all files of one run into a folder: attack.json, attack.txt, attack.hlog, intended.hgrm, actual.hgrm,
/// samples.csv, steps.csv where there are steps, and page.html where this build holds a page. `tell` is told the path of each.
let folder (target: string) (recording: Recording) (tell: string -> unit) : unit =
    let outcome = recording.Outcome
    let content (make: unit -> string) (path: string) = Files.write path (make ())

    [
        "attack.json", content (fun () -> OutcomeJson.write recording)
        "attack.txt", content (fun () -> AttackText.write Wrap.usual outcome)
        "attack.hlog", content (fun () -> AttackReport.hlog recording)
        "intended.hgrm", content (fun () -> Hgrm.write outcome.Intended)
        "actual.hgrm", content (fun () -> Hgrm.write outcome.Actual)
        "samples.csv", (fun path -> csv path recording)

        if not outcome.Steps.IsEmpty then
            "steps.csv", content (fun () -> StepTable.csv outcome)

        if (Page.template ()).IsSome then
            "page.html",
            fun path -> Files.writing path (fun () -> Page.write path (AttackReport.results recording))
    ]
    |> List.map (fun (name, write) ->
        fun () ->
            let path = Path.Combine(target, name)
            write path
            tell path)
    |> Files.each
