// The view of a load run while it runs: a board on a terminal, one line a second elsewhere. Both go to stderr, so that stdout
// has the report alone. Drawing takes time from the measurement, so the board is drawn once a second, and when the window changes. It uses
// the terminal's alternate screen, like editors: on the main screen a narrower window would break its lines, and they would stay.
module internal Plait.Tool.AttackView

open System
open System.Collections.Concurrent
open System.Runtime.InteropServices
open System.Text
open System.Threading.Tasks

open Spectre.Console

open Plait.Load
open Plait.Common

/// The events while a run is followed.
type private ViewEvent =
    | Ended of Second
    | Resized
    /// A signal to stop: the board leaves the terminal, so that a second signal, which ends the process, leaves it as it was.
    | Stopping

let private escape = "\027["

let private colour (kind: LineKind) =
    match kind with
    | LineKind.Heading -> Some "1"
    | LineKind.Good -> Some "32"
    | LineKind.Bad -> Some "31"
    | LineKind.Doubtful -> Some "33"
    | LineKind.Faint -> Some "90"
    | LineKind.Plain -> None

/// The board on the second screen of the terminal.
type private Screen(board: AttackBoard, isColoured: bool) =
    let mutable isShown = false

    let draw () =
        let text = StringBuilder()
        text.Append(escape).Append 'H' |> ignore

        // After a line as wide as the terminal some terminals print an empty line, and the last line scrolls. A terminal without a size
        // has the size 0.
        let less (size: int) (usual: int) = (if size > 0 then size else usual) - 1

        let width, height =
            max 1 (less Console.WindowWidth 80), max 1 (less Console.WindowHeight 24)

        for kind, line in board.Lines(width, height) do
            match colour kind with
            | Some colour when isColoured -> text.Append($"{escape}{colour}m{line}{escape}0m") |> ignore
            | _ -> text.Append line |> ignore

            text.Append($"{escape}K\n") |> ignore

        text.Append(escape).Append 'J' |> ignore
        Console.Error.Write(string text)

    member _.Show() : unit =
        if not isShown then
            isShown <- true
            Console.Error.Write $"{escape}?1049h{escape}?25l"

        draw ()

    member _.Leave() : unit =
        if isShown then
            isShown <- false
            Console.Error.Write $"{escape}?25h{escape}?1049l"

let private onSignals (tell: ViewEvent -> unit) : PosixSignalRegistration list =
    let on (signal: PosixSignal) (event: ViewEvent) =
        PosixSignalRegistration.Create(signal, fun _ -> tell event)

    if OperatingSystem.IsWindows() then
        [ on PosixSignal.SIGINT Stopping ]
    else
        [
            on PosixSignal.SIGWINCH Resized
            on PosixSignal.SIGINT Stopping
            on PosixSignal.SIGTERM Stopping
            on PosixSignal.SIGHUP Stopping
            on PosixSignal.SIGQUIT Stopping
        ]

let private drawAll
    (isColoured: bool)
    (board: AttackBoard)
    (events: BlockingCollection<ViewEvent>)
    (also: Second -> unit)
    =
    let screen = Screen(board, isColoured)

    let tell (one: ViewEvent) =
        try
            events.Add one
        with :? InvalidOperationException ->
            // The run has ended just now.
            ()

    let signals = onSignals tell
    let mutable isStopping = false

    try
        screen.Show()

        for one in events.GetConsumingEnumerable() do
            match one with
            | Ended second ->
                board.Add second

                if isStopping then Console.Error.WriteLine board.Plain else screen.Show()

                also second
            | Resized when not isStopping -> screen.Show()
            | Resized -> ()
            | Stopping when not isStopping ->
                isStopping <- true
                screen.Leave()

                Streams.say
                    "note: stopping: the run waits for the last responses, two seconds at most; a second signal ends it at once"
            | Stopping -> ()
    finally
        for signal in signals do
            signal.Dispose()

        screen.Leave()

let private writeAll (board: AttackBoard) (events: BlockingCollection<ViewEvent>) (also: Second -> unit) =
    for one in events.GetConsumingEnumerable() do
        match one with
        | Ended second ->
            board.Add second
            Console.Error.WriteLine board.Plain
            also second
        | Resized
        | Stopping -> ()

/// Shows the seconds of a run in the view that suits the terminal, on a thread of its own. `also` gets every second after it is
/// shown, on that thread.
type View(plan: Plan, also: Second -> unit) =
    let console =
        AnsiConsole.Create(AnsiConsoleSettings(Out = AnsiConsoleOutput Console.Error))

    let isTerminal =
        not Console.IsErrorRedirected
        && console.Profile.Capabilities.Interactive
        // The board needs escape sequences.
        && console.Profile.Capabilities.Ansi

    let events = new BlockingCollection<ViewEvent>()
    let board = AttackBoard plan

    let showing =
        Task.Factory.StartNew(
            (fun () ->
                if isTerminal then
                    drawAll
                        (console.Profile.Capabilities.ColorSystem <> ColorSystem.NoColors)
                        board
                        events
                        also
                else
                    writeAll board events also),
            TaskCreationOptions.LongRunning
        )

    /// A second is over. Returns at once.
    member _.Tell(second: Second) : unit = events.Add(Ended second)

    interface IDisposable with
        /// Returns when every second is shown.
        member _.Dispose() =
            events.CompleteAdding()
            showing.GetAwaiter().GetResult()
            events.Dispose()
