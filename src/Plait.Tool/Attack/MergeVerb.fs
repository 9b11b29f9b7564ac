// The verb that adds the histograms of several runs, as when several machines loaded one server.
module internal Plait.Tool.MergeVerb

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Load

let private files =
    RunFiles.argument
        ".hlog files or attack.json of load runs: plait merge one/attack.hlog two/attack.hlog --out both.hlog"

let private out =
    Options.text "--out" "FILE" "the .hlog that is written; a .hgrm of each tag goes beside it"

let private tags =
    Options.names "--tag" "only histograms with these tags (default: all, which every file must have)"

let private rounded =
    Options.flag "--rounded" "take logs of fewer digits than three, whose sum is not exact"

/// The log to write: its name has .hlog, and it is none of the inputs.
let private target (parsed: ParseResult) (sources: Source list) : string =
    match Options.value parsed out with
    | None -> raise (BadInput "'merge' needs --out FILE: the .hlog that the sum is written to")
    | Some file ->
        let path =
            match Path.GetExtension file with
            | null
            | "" -> file + ".hlog"
            | ".hlog" -> file
            | other ->
                raise (BadInput $"--out: {file} ends in {other}, and a sum of histograms is written as .hlog")

        let full = Path.GetFullPath path

        if sources |> List.exists (fun source -> Path.GetFullPath source.File = full) then
            raise (BadInput $"--out: {file} is one of the files to add; name another")

        full

/// The file beside the log that the distribution of a tag goes to. A tag of another program may hold any character.
let private distribution (target: string) (tag: string option) : string =
    let plain = target.Substring(0, target.Length - ".hlog".Length)

    match tag with
    | None -> plain + ".hgrm"
    | Some tag ->
        let name =
            tag
            |> String.map (fun c -> if Char.IsLetterOrDigit c || "-_+=".Contains c then c else '-')

        $"{plain}.{name}.hgrm"

let private latencies (merged: Merge.Merged) : Latencies list =
    merged.Sums
    |> List.map (fun (tag, sum) ->
        { Run = "sum"; Name = tag |> Option.defaultValue "no tag"; Sum = sum; Parts = [] })

let private run (parsed: ParseResult) : int =
    let sources = RunFiles.read "merge" files parsed
    let target = target parsed sources

    let merged =
        Merge.files (Options.value parsed tags) (Options.value parsed rounded) sources

    let started = merged.StartedUtc |> Option.defaultValue DateTime.UnixEpoch
    Files.write target (Hlog.write started merged.Intervals)

    let distributions =
        [
            for tag, sum in merged.Sums do
                let path = distribution target tag
                Files.write path (Hgrm.write sum)
                path
        ]

    for line in RunComparison.table ((sources |> List.collect Source.latencies) @ latencies merged) do
        Console.Out.WriteLine line

    for note in merged.Notes do
        for line in Wrap.lines "" $"note: {note}" do
            Console.Out.WriteLine line

    Console.Out.WriteLine()
    Console.Out.WriteLine $"log:     {target}"

    for path in distributions do
        Console.Out.WriteLine $"hgrm:    {path}"

    Endings.success

/// plait merge
let command () : Command =
    Verb.make
        "merge"
        "Add the histograms of several load runs, tag by tag and second by second: counts are added, so the percentiles are those of all requests together."
        [ files ]
        [ out; tags; rounded; RunFiles.unit' ]
        run
