// Streams of every form, each with what a consumer sees of it. Compiled for each builder: see the project file.
module Plait.Tests.Programs.Streams.StreamForms

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.Streams

let private three (given: Given) : IAsyncEnumerable<int> =
    co {
        let! x = given.Task 1
        yield x
        let! y = given.ValueTask 2
        yield y
        yield 3
    }

/// A function of any type.
let twice (item: 'T) (pair: 'T * 'U) : IAsyncEnumerable<'T list> =
    co {
        yield [ item ]
        do! Task.Yield()
        yield [ item; fst pair ]
    }



/// Streams that give items: name, what they give, and the stream.
let items: (string * int list * (Given -> IAsyncEnumerable<int>)) list =
    [
        "nothing", [], (fun _ -> co { () })
        "nothing but an await", [], (fun given -> co { do! given.Unit() })
        "items between awaits", [ 1; 2; 3 ], three
        "items without the word",
        [ 1; 2 ],
        fun _ ->
            co {
                1
                2
            }
        "every loop",
        [ 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13 ],
        fun given ->
            co {
                for x in [| 1; 2 |] do
                    let! y = given.Task x
                    yield y

                for x in [ 3; 4 ] do
                    yield x

                for x in ResizeArray [ 5 ] do
                    yield x

                for x in seq { 6..7 } do
                    yield x

                for x in 8..9 do
                    yield x

                for x in Range(10, 12) do
                    do! given.Unit()
                    yield x

                let mutable x = 12

                while x < 14 do
                    yield x
                    x <- x + 1
            }
        "every kind of items under yield!",
        [ 1; 2; 3; 4; 5; 6; 7; 8; 1; 2; 3; 1; 2; 1; 2; 9; 10 ],
        fun given ->
            co {
                yield! [ 1; 2 ]
                yield! [| 3; 4 |]
                yield! ResizeArray [ 5; 6 ]
                yield! seq { 7..8 }
                yield! three given
                yield! ForeignItems(2, Action<string> ignore)

                yield!
                    ForeignItems(2, Action<string> ignore)
                        .WithCancellation(CancellationToken.None)
                        .ConfigureAwait(false)

                yield! co { () }
                yield! LinkedList<int>([ 9; 10 ])
            }
        "every kind of items under a last yield!",
        [ 1; 2; 3; 4; 5; 6; 1; 2; 3; 1; 2; 1 ],
        fun given ->
            let last (n: int) =
                co {
                    if n = 0 then yield! [ 1; 2 ]
                    elif n = 1 then yield! [| 3; 4 |]
                    elif n = 2 then yield! ResizeArray [ 5 ]
                    elif n = 3 then yield! seq { 6..6 }
                    elif n = 4 then yield! three given
                    elif n = 5 then yield! ForeignItems(2, Action<string> ignore)
                    else yield! ForeignItems(1, Action<string> ignore).ConfigureAwait(false)
                }

            co {
                for n in 0..6 do
                    yield! last n
            }
        "loops over asynchronous sequences",
        [ 10; 20; 30; 1; 2; 1 ],
        fun given ->
            co {
                for x in three given do
                    yield x * 10

                for x in ForeignItems(2, Action<string> ignore) do
                    do! given.Unit()
                    yield x

                for x in ForeignItems(1, Action<string> ignore).ConfigureAwait(false) do
                    yield x
            }
        "while!",
        [ 0; 1 ],
        fun given ->
            co {
                let mutable x = 0

                while! (task {
                    let! y = given.Task x
                    return y < 2
                }) do
                    yield x
                    x <- x + 1
            }
        "match! and and!",
        [ 7; 3; 12 ],
        fun given ->
            co {
                match! given.ValueTask 7 with
                | 7 -> yield 7
                | _ -> yield 0

                let! x = given.Task 1
                and! y = given.Async 2
                yield x + y

                let! a = given.Async 3
                and! b = given.Async 4
                and! c = given.ValueTask 5
                yield a + b + c
            }
        "a branch without another",
        [ 2 ],
        fun given ->
            co {
                if given.Entries.Length > 100 then
                    yield 1

                if given.Entries.Length < 100 then
                    do! given.Unit()
                    yield 2
            }
        "every awaitable",
        [ 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14 ],
        fun given ->
            co {
                let! x = given.Task 1
                yield x
                let! x = (given.Task 2).ConfigureAwait false
                yield x
                let! x = given.ValueTask 3
                yield x
                let! x = (given.ValueTask 4).ConfigureAwait false
                yield x
                let! x = given.Async 5
                yield x
                let! x = ClassAwaitable(given.Ending 6)
                yield x
                let! x = StructAwaitable(given.Ending 7)
                yield x
                let! x = PlainAwaitable(given.Ending 8)
                yield x
                let! x = ConfigureOnly(given.Ending 9)
                yield x
                let! x = fun () -> given.Task 10
                yield x
                let! x = strand { return! given.Task 11 }
                yield x
                let! x = pooledValueTask { return! given.Task 12 }
                yield x
                do! given.Unit()
                do! (given.Unit()).ConfigureAwait false
                do! ValueTask(given.Unit())
                do! ValueTask(given.Unit()).ConfigureAwait false
                do! async { return () }
                do! Task.Yield()
                yield 13
                let! token = Stream.cancellationToken
                yield (if token.CanBeCanceled then 0 else 14)
            }
        "big locals and recursion",
        [ 1; 2; 3; 4; 5; 6; 15 ],
        fun given ->
            let rec down (n: int) : IAsyncEnumerable<int> =
                co {
                    if n > 0 then
                        yield! down (n - 1)
                        do! given.Unit()
                        yield n
                }

            co {
                let a, b, c = 4, {| X = 5 |}, struct (6, "six")
                yield! down 3
                yield a
                yield b.X
                let struct (d, _) = c
                yield d
                yield a + b.X + d
            }
    ]

/// Streams that log: name, what happens if a consumer takes this many items and then disposes the enumerator, and the stream.
let logs: (string * int * string list * (Given -> IAsyncEnumerable<int>)) list =
    let disposing (given: Given) : IAsyncEnumerable<int> =
        co {
            use _a = given.Open "a"

            use _b =
                { new IAsyncDisposable with
                    member _.DisposeAsync() =
                        given.Log "dispose b"

                        ValueTask(
                            task {
                                let! _ = given.Task 0
                                given.Log "disposed b"
                            }
                        )
                }

            use! c =
                task {
                    let! _ = given.Task 1
                    return given.Open "c"
                }

            use _d = new TwoFaced(given.Log)
            use _e: IDisposable | null = null

            try
                try
                    given.Log "body"
                    yield 1
                    given.Log "goes on"
                    yield 2
                with _ ->
                    given.Log "handler"
                    yield 10
            finally
                given.Log "finally"

            given.Log(if isNull (box c) then "no c" else "behind")
            yield 3
        }

    let end' =
        [
            "finally"
            "disposed asynchronously"
            "dispose c"
            "dispose b"
            "source 2"
            "disposed b"
            "dispose a"
        ]

    [
        "nothing runs before the first item is asked for", 0, [ "stops" ], disposing
        "a consumer that stops at the first item",
        1,
        [ "source 1"; "body"; "item 1"; "stops" ] @ end',
        disposing
        "a consumer that stops at the second item",
        2,
        [ "source 1"; "body"; "item 1"; "goes on"; "item 2"; "stops" ] @ end',
        disposing
        "a consumer that stops behind the handler",
        3,
        [ "source 1"; "body"; "item 1"; "goes on"; "item 2"; "finally"; "behind"; "item 3"; "stops" ]
        @ List.tail end',
        disposing
        "a consumer that reads to the end",
        4,
        [ "source 1"; "body"; "item 1"; "goes on"; "item 2"; "finally"; "behind"; "item 3" ]
        @ List.tail end'
        @ [ "end"; "stops" ],
        disposing
        "a consumer that stops in loops",
        3,
        [
            "turn 1"
            "source 1"
            "item 1"
            "inner 1"
            "source 2"
            "item 1"
            "source 3"
            "item 2"
            "stops"
            "finally 1"
            "outer"
        ],
        fun given ->
            co {
                try
                    for x in [ 1; 2 ] do
                        given.Log $"turn {x}"
                        let! y = given.Task x
                        yield y

                        try
                            given.Log $"inner {x}"

                            for z in ResizeArray [ 1; 2; 3 ] do
                                let! z = given.ValueTask z
                                yield z
                        finally
                            given.Log $"finally {x}"

                        given.Log "not reached"
                finally
                    given.Log "outer"

                given.Log "not reached"
            }
        "a consumer that stops in nested streams",
        2,
        [ "item 1"; "item 2"; "stops"; "innermost"; "inner"; "for"; "outer" ],
        fun given ->
            let innermost =
                co {
                    try
                        yield 2
                        given.Log "not reached"
                    finally
                        given.Log "innermost"
                }

            let inner =
                co {
                    try
                        yield 1
                        yield! innermost
                        given.Log "not reached"
                    finally
                        given.Log "inner"
                }

            co {
                try
                    try
                        for x in inner do
                            yield x
                            do! Task.CompletedTask

                        given.Log "not reached"
                    finally
                        given.Log "for"

                    yield! inner
                finally
                    given.Log "outer"
            }
        "a foreign sequence is disposed with the stream",
        2,
        [ "item 1"; "item 2"; "stops"; "enumerator disposed"; "finally" ],
        fun given ->
            co {
                try
                    yield! ForeignItems(3, Action<string> given.Log)
                finally
                    given.Log "finally"
            }
        "awaits in a handler, and an item of it",
        2,
        [ "item 1"; "caught"; "source 1"; "item 2"; "stops"; "finally" ],
        fun given ->
            co {
                try
                    try
                        yield 1
                        raise given.Error
                    with error ->
                        given.Caught error
                        let! x = given.Task 2
                        yield x
                        given.Log "not reached"
                finally
                    given.Log "finally"
            }
        "an error of a stream is caught around its yield!",
        4,
        [ "item 1"; "innermost"; "caught"; "item 3"; "end"; "stops" ],
        fun given ->
            let failing =
                co {
                    try
                        yield 1
                        do! Task.Yield()
                        raise given.Error
                    finally
                        given.Log "innermost"
                }

            co {
                try
                    yield! failing
                    yield 2
                with error ->
                    given.Caught error
                    yield 3
            }
    ]

/// Streams that enter the lock by operations that have begun, behind the cancellation by themselves.
let acquiring: (string * (AsyncLock -> (unit -> unit) -> List<string> -> IAsyncEnumerable<int>)) list =
    [
        "use!",
        fun gate cancel log ->
            co {
                yield 1
                cancel ()
                use! _ = gate.Enter()
                log.Add "held"
                do! Task.CompletedTask
                log.Add "past"
            }
        "a function",
        fun gate cancel log ->
            co {
                yield 1
                cancel ()
                use! _ = fun token -> gate.Enter token
                log.Add "held"
            }
        "use! of a Task",
        fun gate cancel log ->
            co {
                yield 1
                cancel ()
                use! _ = gate.Enter().AsTask()
                log.Add "held"
                do! fun (_: CancellationToken) -> Task.CompletedTask
                log.Add "past"
            }
        "let! with and!",
        fun gate cancel log ->
            co {
                yield 1
                cancel ()
                let! held = gate.Enter()
                and! _ = Task.CompletedTask
                use _ = held
                log.Add "held"
                do! Task.Yield()
                log.Add "past"
            }
    ]

/// Fifty items.
let private fifty () =
    stream {
        for number in 1..50 do
            yield number
    }

/// Loops whose binds give resources, which are cancelled in their third turn: the number of turns that run in all.
let looping: (string * int * (AsyncLock -> (unit -> unit) -> IAsyncEnumerable<int>)) list =
    [
        "while",
        4,
        fun gate turn ->
            co {
                while true do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a sequence",
        4,
        fun gate turn ->
            co {
                for _ in Seq.init 50 id do
                    use! _ = gate.Enter()
                    turn ()
            }
        "an array",
        4,
        fun gate turn ->
            co {
                for _ in Array.zeroCreate<int> 50 do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a list",
        4,
        fun gate turn ->
            co {
                for _ in [ 1..50 ] do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a ResizeArray",
        4,
        fun gate turn ->
            co {
                for _ in List<int>(Array.zeroCreate<int> 50) do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a Range",
        4,
        fun gate turn ->
            co {
                for _ in Range(0, 50) do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a configured asynchronous sequence",
        3,
        fun gate turn ->
            co {
                for _ in fifty().ConfigureAwait false do
                    use! _ = gate.Enter()
                    turn ()
            }
        "a handler with a loop",
        14,
        fun gate turn ->
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
        "a handler behind a bind",
        13,
        fun gate turn ->
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
    ]
