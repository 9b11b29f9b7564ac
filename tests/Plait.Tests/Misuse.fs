// Under test: pooled values and strands used against their rules. The misuse is answered, in words, where it happens, and
// nothing else is harmed. One file, although long: each test is short and they share how a misuse must be answered.
module Plait.Tests.Misuse

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

let private gated (gate: Gate) (value: int) : ValueTask<int> =
    pooledValueTask {
        let! _ = gate
        return value
    }

let private unitary (gate: Gate) : ValueTask =
    pooledValueTaskUnit { let! _ = gate in () }

let private strandBehind (gate: Gate) (value: int) : Strand<int> =
    strand {
        let! _ = gate
        return value
    }

/// One operation from start to end, the next user of the pooled object.
let private healthy () =
    let gate = Gate()
    let operation = gated gate 7
    gate.Open()
    Assert.Equal(7, operation.Result)

/// The words an answer must have: what happened, and what to write instead.
let private saysSo (words: string list) (action: unit -> unit) =
    let error = Assert.Throws<InvalidOperationException> action

    for word in words do
        Assert.Contains(word, error.Message)

let private consumed =
    [ "after its result had been taken"; "Await it once"; "AsTask()"; "docs/errors/consumed-twice.md" ]

let private premature =
    [ "before"; "completed"; "unharmed"; "AsTask()"; "docs/errors/not-completed.md" ]

[<Fact>]
let ``every second use of a consumed value is refused`` () =
    let gate = Gate()
    let operation = gated gate 1
    gate.Open()
    Assert.Equal(1, operation.Result)
    saysSo consumed (fun () -> operation.Result |> ignore)
    saysSo consumed (fun () -> operation.GetAwaiter().GetResult() |> ignore)
    saysSo consumed (fun () -> operation.IsCompleted |> ignore)
    saysSo consumed (fun () -> Within.error "It" (operation.AsTask()) |> raise)
    let awaited = task { return! operation }
    Assert.IsType<InvalidOperationException>(Within.error "It" awaited) |> ignore
    let bound = pooledValueTask { return! operation }
    Assert.IsType<InvalidOperationException>(Within.error "It" (bound.AsTask())) |> ignore
    let bound = strand { return! operation }
    Assert.IsType<InvalidOperationException>(Within.error "It" (bound.AsTask())) |> ignore
    healthy ()

[<Fact>]
let ``every second use of a consumed value without a result is refused`` () =
    let gate = Gate()
    let operation = unitary gate
    gate.Open()
    operation.GetAwaiter().GetResult()
    saysSo consumed (fun () -> operation.GetAwaiter().GetResult())
    saysSo consumed (fun () -> operation.IsCompleted |> ignore)
    healthy ()

[<Fact>]
let ``a result asked for too early is refused at once, and this operation and the next ones end well`` () =
    for _ in 1..3 do
        let gate = Gate()
        let operation = gated gate 1
        saysSo premature (fun () -> operation.Result |> ignore)
        saysSo premature (fun () -> operation.GetAwaiter().GetResult() |> ignore)
        Assert.False operation.IsCompleted
        let second = Gate()
        let other = gated second 2
        gate.Open()
        Assert.True operation.IsCompleted
        Assert.Equal(1, operation.Result)
        second.Open()
        Assert.Equal(2, other.Result)
        healthy ()

[<Fact>]
let ``a result asked for too early by the awaiting code's neighbour does not disturb the await`` () =
    let gate = Gate()
    let operation = gated gate 5
    let awaiting = task { return! operation }
    saysSo premature (fun () -> operation.Result |> ignore)
    gate.Open()
    Assert.Equal(5, Within.result "It" awaiting)
    healthy ()

[<Fact>]
let ``a stale handle neither reads nor changes the operation that has the object now`` () =
    let gate = Gate()
    let first = gated gate 1
    gate.Open()
    Assert.Equal(1, first.Result)
    let second = gated gate 2
    // both on this thread: the second has the first one's object
    saysSo consumed (fun () -> first.Result |> ignore)
    saysSo consumed (fun () -> first.IsCompleted |> ignore)
    let late = task { return! first }
    Assert.IsType<InvalidOperationException>(Within.error "The late await" late) |> ignore
    let waiter = first.GetAwaiter()
    use called = new ManualResetEventSlim()

    try
        waiter.UnsafeOnCompleted(fun () -> called.Set())
        Assert.True(called.Wait Within.limit, "A late continuation was not called.")
    with :? InvalidOperationException ->
        ()

    Assert.False second.IsCompleted
    gate.Open()
    Assert.Equal(2, second.Result)
    healthy ()

[<Fact>]
let ``a misused object is not in the pool twice`` () =
    let gate = Gate()
    let first = gated gate 1
    gate.Open()
    Assert.Equal(1, first.Result)

    for _ in 1..3 do
        saysSo consumed (fun () -> first.Result |> ignore)

    let gates = [ for _ in 1..8 -> Gate() ]
    let operations = gates |> List.mapi (fun i gate -> gated gate i)

    for gate in gates do
        gate.Open()

    Assert.Equal<int list>([ 0..7 ], [ for operation in operations -> operation.Result ])

[<Fact>]
let ``of two simultaneous awaits one gets the value and the other one the error`` () =
    for _ in 1..200 do
        let gate = Gate()
        let operation = gated gate 1
        let first = task { return! operation }
        let second = task { return! operation }
        let third = (pooledValueTask { return! operation }).AsTask()
        let fourth = (strand { return! operation }).AsTask()
        gate.Open()
        let all = [ first; second; third; fourth ]

        for one in all do
            Within.ended "An await" one

        Assert.Equal(1, all |> List.filter _.IsCompletedSuccessfully |> List.length)
        Assert.Equal(3, all |> List.filter _.IsFaulted |> List.length)

        for one in all do
            if one.IsFaulted then
                Assert.IsType<InvalidOperationException>(Within.error "It" one) |> ignore

        healthy ()

[<Fact>]
let ``sixty-six thousand uses later an old handle is still refused`` () =
    let gate = Gate()
    let old = gated gate 0
    gate.Open()
    Assert.Equal(0, old.Result)
    let mutable accepted = 0

    for i in 1 .. 3 * 65_536 do
        let operation = gated gate i

        // the token has 16 bits: close to its end the old handle is tried each time
        if i % 65_536 > 65_500 || i % 65_536 < 36 || i % 512 = 0 then
            try
                old.IsCompleted |> ignore
                accepted <- accepted + 1
            with :? InvalidOperationException ->
                ()

        gate.Open()
        Assert.Equal(i, operation.Result)

    Assert.Equal(0, accepted)

/// Runs actions at the same moment, each on a thread of its own, and gives what they gave.
let private race (actions: (unit -> 'T) list) : 'T list =
    use start = new Barrier(actions.Length)

    let threads =
        [
            for action in actions ->
                Task.Factory.StartNew(
                    (fun () ->
                        start.SignalAndWait()
                        action ()),
                    TaskCreationOptions.LongRunning
                )
        ]

    [ for thread in threads -> Within.result "A racing thread" thread ]

let private attempt (action: unit -> int) () =
    try
        Choice1Of2(action ())
    with :? InvalidOperationException ->
        Choice2Of2()

/// Two threads in step: both do the same at the same moment, many times, one of them a little later each time. The
/// window of a lost race is a few instructions wide.
let private inStep (rounds: int) (act: int -> unit) (judge: int -> unit) =
    let clock = Diagnostics.Stopwatch.StartNew()
    let mutable failure: exn option = None
    let ready = [| 0 |]
    let go = [| 0 |]
    let ended = [| 0 |]

    let wait (flag: int[]) (round: int) =
        let mutable spin = SpinWait()

        while Volatile.Read &flag[0] < round do
            spin.SpinOnce()

    let second () =
        for round in 1..rounds do
            wait ready round
            Volatile.Write(&go[0], round)
            act 1
            Volatile.Write(&ended[0], round)

    let other = Task.Factory.StartNew(second, TaskCreationOptions.LongRunning)

    for round in 1..rounds do
        if failure.IsNone && clock.Elapsed.TotalSeconds < 4. then
            judge -round // prepares
            Volatile.Write(&ready[0], round)
            let mutable delay = round % 40

            while Volatile.Read &go[0] < round do
                ()

            while delay > 0 do
                delay <- delay - 1

            act 0
            wait ended round

            try
                judge round
            with error ->
                failure <- Some error
        else
            Volatile.Write(&ready[0], rounds)

    Within.ended "The second thread" other
    Option.iter raise failure

[<Fact>]
let ``of threads that take one result exactly one gets it`` () =
    let gate = Gate()
    let operation = [| ValueTask<int>() |]
    let outcomes = [| 0; 0 |]

    let act thread =
        outcomes[thread] <-
            try
                operation[0].Result
            with :? InvalidOperationException ->
                -1

    let judge round =
        if round < 0 then
            operation[0] <- gated gate -round
            gate.Open()
        else
            Assert.Equal<int list>([ -1; round ], List.sort [ outcomes[0]; outcomes[1] ])

    inStep 100_000 act judge
    healthy ()

[<Fact>]
let ``a poller and a waiter race, and one of them gets the result`` () =
    for i in 1..300 do
        let gate = Gate()
        let operation = gated gate i

        let poll () =
            let stop = DateTime.UtcNow.AddSeconds 20.

            try
                while not operation.IsCompleted && DateTime.UtcNow < stop do
                    Thread.SpinWait 10

                Choice1Of2 operation.Result
            with :? InvalidOperationException ->
                Choice2Of2()

        let wait () =
            let awaiting = task { return! operation }
            Within.ended "The waiter" awaiting
            if awaiting.IsCompletedSuccessfully then Choice1Of2 awaiting.Result else Choice2Of2()

        let opens () =
            gate.Open()
            Choice2Of2()

        let outcomes = race [ poll; wait; opens ]

        Assert.Equal<int list>(
            [ i ],
            outcomes
            |> List.choose (function
                | Choice1Of2 value -> Some value
                | _ -> None)
        )

    healthy ()

[<Fact>]
let ``many operations on many threads while an old handle is tried again and again`` () =
    let gate = Gate()
    let old = gated gate 0
    gate.Open()
    Assert.Equal(0, old.Result)
    use stop = new CancellationTokenSource()

    let vandal () =
        let mutable accepted = 0

        while not stop.IsCancellationRequested do
            match attempt (fun () -> old.Result) () with
            | Choice1Of2 _ -> accepted <- accepted + 1
            | Choice2Of2 _ -> ()

        accepted

    let work () =
        let mutable wrong = 0

        for i in 1..20_000 do
            let gate = Gate()
            let operation = gated gate i
            gate.Open()

            if operation.Result <> i then
                wrong <- wrong + 1

        stop.Cancel()
        wrong

    Assert.Equal<int list>([ 0; 0 ], race [ vandal; work ])

[<Fact>]
let ``a strand that is read too early goes on`` () =
    let gate = Gate()
    let operation = strandBehind gate 1
    saysSo premature (fun () -> operation.Result |> ignore)
    saysSo premature (fun () -> operation.GetAwaiter().GetResult() |> ignore)
    gate.Open()
    Assert.Equal(1, operation.Result)

[<Fact>]
let ``the result of a completed strand may be read again`` () =
    let gate = Gate()
    let operation = strandBehind gate 1
    gate.Open()
    Assert.Equal(1, operation.Result)
    Assert.Equal(1, operation.Result)
    let bound = strand { let! x = operation in return x }
    Assert.Equal(1, bound.Result)
    Assert.Equal(1, operation.Result)

/// Whether this build refuses every second await.
let private refuses =
    match AppContext.TryGetSwitch "Plait.RefuseSecondAwait" with
    | true, isOn -> isOn
    | _ -> false

[<Fact>]
let ``this build refuses every second await if it is not optimised`` () =
#if DEBUG || ALWAYS_INLINE
    Assert.True refuses
#else
    Assert.False refuses
#endif

[<Fact>]
let ``a second await gets the result again, except in builds that refuse it`` () =
    let ended (operation: Gate -> 'Operation) =
        let gate = Gate()
        let operation = operation gate
        gate.Open()
        operation

    let bind (operation: Strand<int>) = task { let! x = operation in return x }
    let bindTask (operation: ValueTask<int>) = task { let! x = operation in return x }
    let suspended = ended (fun gate -> strandBehind gate 1)

    let pooled =
        ended (fun gate -> pooledValueTask { let! x = strandBehind gate 1 in return x })

    let atOnce = pooledValueTask { return 1 }
    let unitAtOnce = pooledValueTaskUnit { return () }
    let inC = strand { return 1 }

    let forms: (string * (unit -> Task) * bool) list =
        [
            "strand, bound by a machine", (fun () -> bind suspended), refuses
            "strand, by a strand",
            (let operation = ended (fun gate -> strandBehind gate 1) in
             fun () -> (strand { let! x = operation in return x }).AsTask()),
            refuses
            "strand, as a Task",
            (let operation = ended (fun gate -> strandBehind gate 1) in fun () -> operation.AsTask()),
            refuses
            "strand that had a value at once", (fun () -> bind inC), false
            "pooled", (fun () -> bindTask pooled), true
            "pooled, completed at once", (fun () -> bindTask atOnce), refuses
            "pooled without a result, completed at once", (fun () -> task { do! unitAtOnce }), refuses
        ]

    for name, await, isRefused in forms do
        Within.ended name (await ())

        if isRefused then
            saysSo consumed (fun () -> (await ()).GetAwaiter().GetResult())
        else
            Within.ended name (await ())

[<Fact>]
let ``the second of two waiters for a pending strand gets the error, in its own result`` () =
    let forms: (string * (Strand<int> -> Task<int>)) list =
        [
            "strand", (fun operation -> (strand { let! x = operation in return x }).AsTask())
            "Unsafe.strand",
            (fun operation -> (Plait.Unsafe.strand { let! x = operation in return x }).AsTask())
            "pooledValueTask",
            (fun operation -> (pooledValueTask { let! x = operation in return x }).AsTask())
            "task", (fun operation -> task { let! x = operation in return x })
            "AsTask", (fun operation -> operation.AsTask())
        ]

    for _, first in forms do
        for name, second in forms do
            let gate = Gate()
            let operation = strandBehind gate 1
            let winner = first operation
            let loser = second operation
            let error = Within.error $"The second waiter, %s{name}," loser

            Assert.Contains(
                "two awaits of it at the same time",
                (Assert.IsType<InvalidOperationException> error).Message
            )

            Assert.False winner.IsCompleted
            gate.Open()
            Assert.Equal(1, Within.result "The first waiter" winner)
