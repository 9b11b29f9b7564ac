// The view of a load run while it runs: a board on a terminal, one line a second elsewhere. Both go to stderr, so that stdout
// holds the report alone. It is drawn once a second, and when the window changes, because drawing takes time from the
// measurement. The board has the terminal's second screen to itself, as editors have, because no other way leaves nothing
// behind when a window gets narrower and the terminal breaks lines that were drawn before.
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
    /// The user has asked for the end: the terminal is given back, so that a second time leaves it as it was.
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

        // A line as wide as the terminal would be followed by an empty one on some, and the last one would scroll. A terminal
        // that does not know its size says 0.
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

                Console.Error.WriteLine
                    "note: stopping; responses that are out are waited for, two seconds at most. Once more ends at once"
            | Stopping -> ()
    finally
        for signal in signals do
            signal.Dispose()

        screen.Leave()

/// Follows a run with the view that suits the terminal, and returns its outcome. `also` gets every second as well,
/// after it is shown.
let follow (plan: Plan) (also: Second -> unit) (work: (Second -> unit) -> Outcome) : Outcome =
    let console =
        AnsiConsole.Create(AnsiConsoleSettings(Out = AnsiConsoleOutput Console.Error))

    use events = new BlockingCollection<ViewEvent>()
    let board = AttackBoard plan

    // The engine only puts its seconds down; they are drawn here.
    let running =
        Task.Run(fun () ->
            try
                work (Ended >> events.Add)
            finally
                events.CompleteAdding())

    let isTerminal =
        not Console.IsErrorRedirected
        && console.Profile.Capabilities.Interactive
        // Without its sequences nothing is drawn over.
        && console.Profile.Capabilities.Ansi

    if isTerminal then
        drawAll (console.Profile.Capabilities.ColorSystem <> ColorSystem.NoColors) board events also
    else
        for one in events.GetConsumingEnumerable() do
            match one with
            | Ended second ->
                board.Add second
                Console.Error.WriteLine board.Plain
                also second
            | Resized
            | Stopping -> ()

    running.GetAwaiter().GetResult()
