// The output of a load run to other programs while it runs: lines of JSON and metrics. A failed output becomes a sentence, and the run
// goes on.
namespace Plait.Tool

open System
open System.Collections.Concurrent
open System.IO

open Plait.Common
open Plait.Load

/// The lines of a run, in a file or on standard output as it is now.
type private Lines(target: string, notice: string -> unit) =
    let mutable trouble: string option = None

    let fail why =
        trouble <- Some why
        notice $"{why}; the run goes on"

    // Without a buffer, so that a reader gets each second when it ends.
    let writer: TextWriter option =
        try
            if target = Files.standardOutput then
                Some Console.Out
            else
                Files.writing target ignore

                let file =
                    new FileStream(target, FileMode.Create, FileAccess.Write, FileShare.ReadWrite, 0)

                Some(new StreamWriter(file))
        with
        | :? RunFailed as failed ->
            fail failed.Message
            None
        | :? IOException
        | :? UnauthorizedAccessException as failed ->
            fail $"{target} cannot be written: {Files.why failed}"
            None

    /// Why a line could not be written; None: all were.
    member _.Trouble = trouble

    member _.Write(line: string) : unit =
        match writer with
        | Some writer when trouble.IsNone ->
            try
                writer.Write(line + "\n")
                writer.Flush()
            with
            | :? RunFailed as failed -> fail failed.Message
            | :? IOException as failed -> fail $"{target} cannot be written: {Files.why failed}"
        | _ -> ()

    interface IDisposable with
        member _.Dispose() =
            match writer with
            | Some writer when target <> Files.standardOutput ->
                try
                    writer.Dispose()
                with :? IOException ->
                    // Write has reported it.
                    ()
            | _ -> ()

/// Writes the seconds of a run, called `name`, to a stream of lines and to a collector of metrics, if there are any.
type internal AttackLive(name: string, plan: Plan, stream: string option, collector: Uri option) =
    // The board has a screen of its own, which is gone after the run: notes are printed then.
    let isKept = not Console.IsErrorRedirected
    let kept = ConcurrentQueue<string>()

    let notice (sentence: string) =
        if isKept then kept.Enqueue sentence else Streams.say $"note: {sentence}"

    let lines = stream |> Option.map (fun target -> new Lines(target, notice))

    let metrics =
        collector |> Option.map (fun url -> new AttackMetrics(url, name, plan, notice))

    /// A second is over.
    member _.Tell(second: Second) : unit =
        lines |> Option.iter (fun lines -> lines.Write(AttackStream.second name second))
        metrics |> Option.iter _.Tell(second)

    /// The run is over. Returns a sentence for each failed output.
    member _.End(outcome: Outcome) : string list =
        for sentence in kept do
            Streams.say $"note: {sentence}"

        [
            match lines with
            | Some lines ->
                lines.Write(AttackStream.whole name outcome)
                yield! Option.toList lines.Trouble
            | None -> ()

            match metrics with
            | Some metrics -> yield! Option.toList (metrics.End outcome)
            | None -> ()
        ]

    interface IDisposable with
        member _.Dispose() =
            lines |> Option.iter (fun lines -> (lines :> IDisposable).Dispose())
            metrics |> Option.iter (fun metrics -> (metrics :> IDisposable).Dispose())
