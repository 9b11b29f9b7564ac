// What is seen of a load run while it runs: a small board on a terminal, one line a second elsewhere. Both go to stderr, so
// that stdout holds the report alone. It is drawn once a second: what draws shares a machine with what measures.
module internal Plait.Tool.AttackView

open System
open System.Collections.Concurrent
open System.Threading.Tasks

open Spectre.Console

open Plait.Load
open Plait.Report

/// The seconds of a run so far, summed up.
type private Board(plan: Plan) =
    let p99s = ResizeArray<int64>()
    let mutable last: Second option = None
    let mutable right = 0L
    let mutable failed = 0L

    let marks = "▁▂▃▄▅▆▇█"
    let until = int (Math.Ceiling plan.Duration.TotalSeconds)

    // The last responses may come behind the end.
    let into (second: Second) = min until (second.At + 1)

    let percentile (second: Second) (percent: float) =
        (LoadFigures.percentile percent).Text second.Latency

    /// The last seconds' 99th percentiles, low to high on a scale of ratios; a gap where nothing was answered rightly.
    let line (room: int) =
        let shown = p99s |> Seq.skip (max 0 (p99s.Count - room)) |> Array.ofSeq
        let logs = shown |> Array.map (fun p99 -> Math.Log(float p99))
        let known = logs |> Array.filter Double.IsFinite

        if known.Length = 0 then
            ""
        else
            let least, most = Array.min known, Array.max known

            String(
                [|
                    for log in logs ->
                        if Double.IsFinite log then
                            // Less than a tenth up and down is not shown as a curve.
                            let height = (log - least) / max 0.1 (most - least)
                            marks[int (Math.Round(height * float (marks.Length - 1)))]
                        else
                            ' '
                |]
            )

    member _.Add(second: Second) =
        last <- Some second
        right <- right + second.Right
        failed <- failed + second.Failed
        p99s.Add(second.Latency.Percentile 99.0)

    /// What the second that was added last came to, in one line.
    member _.Plain: string =
        match last with
        | None -> ""
        | Some second ->
            let time = if second.At < until then $"{into second}/{until} s" else "after the end"

            $"[{time}] {second.Due} due, {second.Right} right, {second.Failed} failed, {second.InFlight} in flight, p50 {percentile second 50.0}, p99 {percentile second 99.0}"

    /// The board, `width` characters wide.
    member _.Drawn(width: int) : Rendering.IRenderable =
        let grid = Grid()
        grid.AddColumn(GridColumn(NoWrap = true, Padding = Padding(0, 0, 2, 0))) |> ignore
        grid.AddColumn(GridColumn(NoWrap = true)) |> ignore

        let row (name: string) (text: string) =
            grid.AddRow(Markup $"[grey]{name}[/]", Markup text) |> ignore

        match last with
        | None ->
            let what =
                if plan.WarmUp > TimeSpan.Zero then
                    $"warming up for {plan.WarmUp.TotalSeconds} s"
                else
                    "connecting"

            row "time" what
        | Some second ->
            row "time" $"{into second} of {until} s"
            row "rate" $"[bold]{second.Right}[/]/s right, {second.Due}/s due, {second.InFlight} in flight"

            row
                "latency"
                $"p50 [bold]{percentile second 50.0}[/]  p99 [bold]{percentile second 99.0}[/]  max {percentile second 100.0}"

            row "p99" $"[aqua]{line (max 10 (min 60 (width - 12)))}[/]"
            let colour = if failed > 0L then "red" else "green"
            row "failed" $"[{colour}]{failed}[/] of {right + failed}"

        grid

/// Follows a run with what suits the terminal, and returns its outcome.
let follow (plan: Plan) (work: (Second -> unit) -> Outcome) : Outcome =
    let console =
        AnsiConsole.Create(AnsiConsoleSettings(Out = AnsiConsoleOutput Console.Error))

    use news = new BlockingCollection<Second>()
    let board = Board plan

    // The engine only puts its seconds down; they are drawn here.
    let running =
        Task.Run(fun () ->
            try
                work news.Add
            finally
                news.CompleteAdding())

    let isTerminal =
        not Console.IsErrorRedirected
        && console.Profile.Capabilities.Interactive
        // Without its sequences nothing is drawn over.
        && console.Profile.Capabilities.Ansi

    if not isTerminal then
        for second in news.GetConsumingEnumerable() do
            board.Add second
            Console.Error.WriteLine board.Plain
    else
        let display = console.Live(board.Drawn console.Profile.Width).AutoClear(true)

        display.Start(fun context ->
            for second in news.GetConsumingEnumerable() do
                board.Add second
                context.UpdateTarget(board.Drawn console.Profile.Width))

    running.GetAwaiter().GetResult()
