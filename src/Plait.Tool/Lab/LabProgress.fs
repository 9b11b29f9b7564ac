// The live display of a run of the lab: a bar with the time left on a terminal, one line a step elsewhere. Both go
// to stderr, so that stdout holds the table alone.
module internal Plait.Tool.LabProgress

open System
open System.Diagnostics

open Spectre.Console

open Plait.Common
open Plait.Lab

let private describe row launch phase =
    if launch = 0 then $"{row}, {phase}" else $"{row}, launch {launch}, {phase}"

let private shownRatio (ratio: float option) =
    ratio |> Option.map (fun ratio -> $": {ratio:F2}") |> Option.defaultValue ""

let private seconds (time: TimeSpan) =
    Duration.brief (TimeSpan.FromSeconds(Math.Round time.TotalSeconds))

/// The time that the rest will take if it goes on like this; None before the first step is done.
let private left (clock: Stopwatch) (finished: int) (steps: int) =
    if finished = 0 then
        None
    else
        Some(clock.Elapsed * (float (steps - finished) / float finished))

/// One line a step.
let private plain () : Progress -> unit =
    let clock = Stopwatch.StartNew()
    let mutable steps = 0
    let mutable finished = 0

    function
    | Stage heading ->
        finished <- 0
        clock.Restart()
        Streams.say $"now: {heading}"
    | Began count -> steps <- count
    | Doing _ -> ()
    | Did(row, launch, phase, ratio) ->
        finished <- finished + 1

        let rest =
            left clock finished steps
            |> Option.map (fun rest -> $", {seconds rest} left")
            |> Option.defaultValue ""

        Console.Error.WriteLine
            $"[{finished}/{steps}, {seconds clock.Elapsed}{rest}] {describe row launch phase}{shownRatio ratio}"
    | Dropped count -> steps <- steps - count
    | Noticed sentence -> Streams.say $"note: {sentence}"

/// A bar.
let private live (console: IAnsiConsole) (work: (Progress -> unit) -> 'T) : 'T =
    let display =
        console
            .Progress()
            .AutoClear(true)
            .HideCompleted(true)
            .Columns(
                SpinnerColumn(),
                ProgressBarColumn(Width = 12),
                PercentageColumn(),
                RemainingTimeColumn(),
                TaskDescriptionColumn(Alignment = Justify.Left)
            )

    // Rarely, because it shares its core with the load generator.
    display.RefreshRate <- TimeSpan.FromMilliseconds 400.

    display.Start(fun context ->
        let mutable task = context.AddTask("starting", true, 1.0)
        let mutable last = ""
        let mutable finished = 0

        // The width beside the other columns: a longer text would squeeze them.
        let fit (text: string) =
            let room = max 20 (console.Profile.Width - 38)
            if text.Length <= room then text else text.Substring(0, room)

        work (function
            | Stage heading ->
                task.StopTask()
                task <- context.AddTask(Markup.Escape heading, true, 1.0)
                finished <- 0
            | Began count -> task.MaxValue <- float count
            | Doing(row, launch, phase) ->
                task.Description <-
                    $"{finished}/{int task.MaxValue} {describe row launch phase}{last}"
                    |> fit
                    |> Markup.Escape
            | Did(row, _, phase, ratio) ->
                finished <- finished + 1
                task.Increment 1.0

                match ratio with
                | Some ratio -> last <- $"   last: {row} {phase} {ratio:F2}"
                | None -> ()
            | Dropped count -> task.MaxValue <- task.MaxValue - float count
            | Noticed sentence -> console.MarkupLine $"[yellow]note:[/] {Markup.Escape sentence}"))

/// Runs `work` with a display that suits the terminal.
let run (work: (Progress -> unit) -> 'T) : 'T =
    let console =
        AnsiConsole.Create(AnsiConsoleSettings(Out = AnsiConsoleOutput Console.Error))

    if Console.IsErrorRedirected || not console.Profile.Capabilities.Interactive then
        work (plain ())
    else
        live console work
