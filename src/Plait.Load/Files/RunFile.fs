// A file of a run, read by its kind: the JSON of a load run, a histogram log, or the results of a scenario.
namespace Plait.Load

open System
open System.IO
open System.Text.Json

open Plait.Common
open Plait.Report

/// The content of a file.
type Content =
    | Attack of Recording
    | Log of Hlog.LogFile
    | Scenario of Results

/// A file that was read.
type RunFile =
    {
        /// Its path, as it was given.
        File: string
        /// Its name among the others: without the parts that they share.
        Name: string
        Content: Content
    }

/// Reading files of runs.
module RunFile =
    /// The load runs among the sources, each with its name.
    let attacks (sources: RunFile list) : (string * Recording) list =
        sources
        |> List.choose (fun source ->
            match source.Content with
            | Attack recording -> Some(source.Name, recording)
            | Log _
            | Scenario _ -> None)

    let private what =
        "the JSON of a load run (plait attack), a histogram log (.hlog), or the results.json of a scenario"

    let private schema (file: string) (text: string) : string =
        try
            use document = JsonDocument.Parse text

            match document.RootElement.ValueKind with
            | JsonValueKind.Object ->
                match document.RootElement.TryGetProperty "schema" with
                | true, value when value.ValueKind = JsonValueKind.String -> string (value.GetString())
                | _ -> ""
            | _ -> ""
        with :? JsonException as trouble ->
            raise (
                BadInput
                    $"{file} is damaged or cut off: it begins like JSON, and is not JSON from {JsonPlace.line trouble} on"
            )

    // Control characters in a file must not steer the terminal that shows it.
    let private printable (recording: Recording) : Recording =
        { recording with
            Name = Printable.line recording.Name
            Warnings = recording.Warnings |> List.map Printable.line
            Outcome =
                { recording.Outcome with
                    Invalid = recording.Outcome.Invalid |> List.map Printable.line
                    Complaints = recording.Outcome.Complaints |> Map.map (fun _ words -> Printable.line words)
                }
        }

    /// The content of a text. `unit`: the nanoseconds of one unit of a log's values. Raises BadInput.
    let content (file: string) (unit: int64) (text: string) : Content =
        let begins (start: string) =
            text.TrimStart().StartsWith(start, StringComparison.Ordinal)

        if text.Trim() = "" then
            raise (BadInput $"{file} is empty; it should be {what}")
        elif begins "{" || begins "[" then
            match schema file text with
            | schema when schema.StartsWith("plait-attack/", StringComparison.Ordinal) ->
                Attack(printable (OutcomeJson.read file text))
            | schema when schema.StartsWith("plait-results/", StringComparison.Ordinal) ->
                Scenario(ResultsJson.read file text)
            | "" -> raise (BadInput $"{file} names no schema; it should be {what}")
            | schema -> raise (BadInput $"{file} has the schema '{schema}'; it should be {what}")
        elif begins "Value " || begins "\"Value\"" then
            raise (
                BadInput
                    $"{file} is a percentile distribution (.hgrm), which does not hold the counts; give the .hlog or the JSON of the same run"
            )
        elif begins "<" then
            raise (BadInput $"{file} is a page; it should be {what}")
        else
            Log(Hlog.read file unit text)

    /// Names for files: the parts of their paths in which they differ.
    let names (files: string list) : string list =
        let parts (file: string) =
            file.Replace('\\', '/').Split('/', StringSplitOptions.RemoveEmptyEntries)
            |> List.ofArray
            |> List.rev

        let named (ending: bool) count (file: string) =
            let last =
                (if ending then Path.GetFileName file else Path.GetFileNameWithoutExtension file)
                |> string

            match parts file with
            | _ :: folders -> (folders |> List.truncate count |> List.rev) @ [ last ] |> String.concat "/"
            | [] -> last

        let apart read =
            (files |> List.map read |> List.distinct).Length = files.Length

        // as short as they may be, and without the ending if all have the same
        [ false; true ]
        |> List.collect (fun ending -> [ for count in 0..4 -> named ending count ])
        |> List.tryFind apart
        |> Option.map (fun read -> files |> List.map read)
        |> Option.defaultValue (files |> List.mapi (fun at file -> $"{file} ({at + 1})"))

    /// The file of a folder: the one that a run has written there.
    let private inside (file: string) : string =
        if not (Directory.Exists file) then
            file
        else
            [ "attack.json"; "results.json" ]
            |> List.map (fun name -> Path.Combine(file, name))
            |> List.tryFind File.Exists
            |> Option.defaultWith (fun () ->
                raise (
                    BadInput
                        $"{file} is a folder that has neither attack.json nor results.json; give the file of a run"
                ))

    /// The --name of a load run, if it had one.
    let private called (content: Content) : string option =
        match content with
        | Attack recording ->
            match recording.Outcome.Plan.Requests with
            | request :: _ when request.Url.Authority = recording.Name -> None
            | _ -> Some recording.Name
        | Log _
        | Scenario _ -> None

    /// Reads files. Raises BadInput when one of them is not there, has another format, or is damaged.
    let read (unit: int64) (files: string list) : RunFile list =
        let files = files |> List.map inside

        let contents =
            files |> List.map (fun file -> content file unit (Files.text "a run" file))

        let called =
            List.map2 (fun content name -> called content |> Option.defaultValue name) contents (names files)

        // The names of the runs only if they differ.
        let names =
            if (List.distinct called).Length = files.Length then called else names files

        List.map3
            (fun file name content -> { File = file; Name = name; Content = content })
            files
            names
            contents

    /// The latencies that a file holds: both clocks of a load run, the tags of a log.
    let latencies (source: RunFile) : Latencies list =
        match source.Content with
        | Attack recording -> Latencies.ofOutcome source.Name recording.Outcome
        | Scenario _ -> []
        | Log log ->
            log.Intervals
            |> List.groupBy _.Tag
            |> List.map (fun (tag, intervals) ->
                {
                    Run = source.Name
                    Name = tag |> Option.defaultValue "no tag"
                    Sum = intervals |> List.map _.Histogram |> Histogram.Sum
                    Parts =
                        if intervals.Length < 2 then
                            []
                        else
                            intervals
                            |> List.sortBy _.Start
                            |> List.map (fun interval ->
                                interval.Start + interval.Length / 2.0, interval.Histogram)
                })
