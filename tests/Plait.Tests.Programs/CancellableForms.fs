// Cancellable functions: locals of a start, the end of a token, and the operands that get it. Compiled for each builder: see the project
// file.
module Plait.Tests.Programs.Cancellables.CancellableForms

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.Cancellables

/// Counts, with a mutable local, over two waits.
let private counting (runs: int ref) : CancellableTask<int> =
    start (
        co {
            let mutable mine = 0
            Interlocked.Increment runs |> ignore
            mine <- mine + 1
            do! Task.Yield()
            mine <- mine + 1
            do! Task.Yield()
            return mine
        }
    )

/// Holds two resources, cancels the source by itself after a wait, and binds once more.
let private cancelling
    (outer: IAsyncDisposable)
    (inner: IDisposable)
    (cancel: unit -> unit)
    (log: List<string>)
    : CancellableTask<unit> =
    start (
        co {
            use _ = outer
            use _ = inner

            try
                do! Task.Yield()
                cancel ()
                log.Add "before"
                do! Task.Yield()
                log.Add "past"
            finally
                log.Add "finally"
        }
    )

/// The tokens that reach each kind of operand.
let private tokens
    (seen: List<string * CancellationToken>)
    (items: IAsyncEnumerable<int>)
    : CancellableTask<int> =
    let note name token =
        lock seen (fun () -> seen.Add((name, token)))

    let asked name =
        cancellableValueTask {
            let! token = CancellableValueTask.getCancellationToken ()
            note name token
            return 1
        }

    start (
        co {
            let! token = CancellableTask.getCancellationToken ()
            note "getCancellationToken" token
            let! a = asked "cancellableValueTask"
            let! b = cancellableTask { return! asked "nested" }

            let! c =
                async {
                    let! token = Async.CancellationToken
                    note "async" token
                    return 1
                }

            do!
                fun token ->
                    note "unit function" token
                    Task.CompletedTask

            let! d =
                fun (token: CancellationToken) ->
                    note "strand" token
                    Strand.result 1

            do!
                fun (token: CancellationToken) ->
                    note "yield" token
                    Task.Yield()

            do!
                fun (token: CancellationToken) ->
                    note "value" token
                    ValueTask()

            // the parameter has no type of its own
            do! fun _ -> Task.CompletedTask
            do! fun _ -> ValueTask()
            do! fun _ -> Task.Yield()
            let! _ = fun _ -> Task.FromResult 1
            let! _ = fun _ -> ValueTask<int> 1

            let! e = fun () -> ValueTask<int> 1
            let! f = coldTask { return 1 }
            let! g = Task.FromResult 1

            let! h = asked "and! 1"
            and! i = Task.FromResult 1

            and! j =
                fun (token: CancellationToken) ->
                    note "and! 3" token
                    Task.FromResult 1

            and! k = async { return 1 }

            for _ in items do
                ()

            return a + b + c + d + e + f + g + h + i + j + k
        }
    )

let private acquiring: (string * (AsyncLock -> (unit -> unit) -> List<string> -> CancellableTask<unit>)) list =
    [
        "use!",
        fun gate cancel log ->
            start (
                co {
                    do! Task.Yield()
                    cancel ()
                    use! _ = gate.Enter()
                    log.Add "held"
                    do! Task.CompletedTask
                    log.Add "past"
                }
            )
        "use! of a Task",
        fun gate cancel log ->
            start (
                co {
                    do! Task.Yield()
                    cancel ()
                    use! _ = gate.Enter().AsTask()
                    log.Add "held"
                    do! fun (_: CancellationToken) -> Task.CompletedTask
                    log.Add "past"
                }
            )
        "let! with and!",
        fun gate cancel log ->
            start (
                co {
                    cancel ()
                    let! held = gate.Enter()
                    and! _ = Task.CompletedTask
                    use _ = held
                    log.Add "held"
                    do! Task.Yield()
                    log.Add "past"
                }
            )
        "a function",
        fun gate cancel log ->
            start (
                co {
                    do! Task.Yield()
                    cancel ()
                    use! _ = fun token -> gate.Enter token
                    log.Add "held"
                }
            )
        "entered with its token",
        fun gate cancel log ->
            let enter token =
                let entered = gate.Enter token
                cancel ()
                entered

            start (
                co {
                    let! token = CancellableTask.getCancellationToken ()
                    use! _ = enter token
                    log.Add "held"
                    do! Task.Yield()
                    log.Add "past"
                }
            )
    ]

/// Fifty items.
let private fifty () =
    stream {
        for number in 1..50 do
            yield number
    }

/// Loops whose binds give resources, which are cancelled in their third turn: the number of turns that run in all.
let private looping: (string * int * (AsyncLock -> (unit -> unit) -> CancellableTask<unit>)) list =
    [
        "while",
        4,
        fun gate turn ->
            start (
                co {
                    while true do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a sequence",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in Seq.init 50 id do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "an array",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in Array.zeroCreate<int> 50 do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a list",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in [ 1..50 ] do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a ResizeArray",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in List<int>(Array.zeroCreate<int> 50) do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a Range",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in Range(0, 50) do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a configured asynchronous sequence",
        4,
        fun gate turn ->
            start (
                co {
                    for _ in fifty().ConfigureAwait false do
                        use! _ = gate.Enter()
                        turn ()
                }
            )
        "a handler with a loop",
        14,
        fun gate turn ->
            start (
                co {
                    try
                        while true do
                            use! _ = gate.Enter()
                            turn ()
                    with :? OperationCanceledException ->
                        for _ in 1..10 do
                            turn ()

                        do! Task.CompletedTask
                        turn ()
                }
            )
        "a handler behind a bind",
        13,
        fun gate turn ->
            start (
                co {
                    try
                        while true do
                            use! _ = gate.Enter()
                            turn ()
                            use! _ = Task.FromResult(new MemoryStream())
                            do! Task.CompletedTask
                    with :? OperationCanceledException ->
                        for _ in 1..10 do
                            turn ()

                        do! Task.CompletedTask
                        turn ()
                }
            )
    ]

let subject: CancellableSubject =
    {
        Builder = name
        Counting = counting
        Cancelling = cancelling
        Tokens = tokens
        Acquiring = acquiring
        Looping = looping
    }
