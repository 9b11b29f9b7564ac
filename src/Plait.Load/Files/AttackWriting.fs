// Writing the files of load runs: the samples, and the folder with everything.
module Plait.Load.AttackWriting

open System.IO

open Plait.Common
open Plait.Report

/// Writes the samples of one run as CSV.
let csv (path: string) (recording: Recording) : unit =
    Files.writing path (fun () ->
        use target = new StreamWriter(path)
        AttackCsv.write target recording.Outcome)

// The files of a run's folder: each name, and the function that writes it for runs that have it.
let private contents: (string * (Recording -> (string -> unit) option)) list =
    let text (make: Recording -> string) (recording: Recording) =
        Some(fun path -> Files.write path (make recording))

    [
        "attack.json", text OutcomeJson.write
        "attack.txt", text (fun recording -> AttackText.write Wrap.usual recording.Outcome)
        "attack.hlog", text AttackReport.hlog
        "intended.hgrm", text (fun recording -> Hgrm.write recording.Outcome.Counts.Intended)
        "actual.hgrm", text (fun recording -> Hgrm.write recording.Outcome.Counts.Actual)
        "samples.csv", (fun recording -> Some(fun path -> csv path recording))
        "steps.csv",
        fun recording ->
            if recording.Outcome.Steps.IsEmpty then
                None
            else
                text (fun recording -> StepTable.csv recording.Outcome) recording
        "page.html",
        fun recording ->
            Page.template ()
            |> Option.map (fun _ path ->
                Files.writing path (fun () -> Page.write path (AttackReport.results recording)))
    ]

/// The names of the files that `folder` may write.
let names: string list = List.map fst contents

/// Writes all files of one run, `names`, into a folder: steps.csv only if the run has steps, page.html only if this build has a page.
/// `tell` gets the path of each file.
let folder (target: string) (recording: Recording) (tell: string -> unit) : unit =
    Files.each
        [
            for name, write in contents do
                match write recording with
                | Some write ->
                    fun () ->
                        let path = Path.Combine(target, name)
                        write path
                        tell path
                | None -> ()
        ]
