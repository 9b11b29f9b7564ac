// A user of the package: every builder once, suspended, beside each other, and with a failure. Each ends with the same words.
module User.Builders

open System
open System.Collections.Generic
open System.Threading.Tasks
open Plait

type Resource(log: List<string>) =
    interface IAsyncDisposable with
        member _.DisposeAsync() =
            log.Add "disposed"
            ValueTask.CompletedTask

let pooled (x: int) =
    pooledValueTask {
        do! Task.Yield()
        return x + 1
    }

let pooledUnit (log: List<string>) =
    pooledValueTaskUnit {
        use _ = new Resource(log)
        do! Task.Yield()
    }

let light (x: int) =
    strand {
        let mutable sum = 0

        for item in [| x; 1 |] do
            let! y = pooled item
            sum <- sum + y

        return sum - 2
    }

let value (x: int) =
    valueTask {
        let! a = light x
        and! b = pooled x
        return a + b
    }

let valueUnit (x: int) =
    valueTaskUnit {
        let! _ = value x
        return ()
    }

let shared (x: int) =
    pooledTask {
        let! a = value x
        and! b = Task.FromResult 1
        and! c = async { return 2 }
        return a + b + c
    }

let sharedUnit (x: int) = pooledTaskUnit { do! valueUnit x }

let drop (x: int) =
    Tasks.task {
        let! y = shared x
        do! sharedUnit x
        return y
    }

let dropUnit (x: int) =
    Tasks.taskUnit {
        let! _ = drop x
        return ()
    }

let background (x: int) = Tasks.backgroundTask { return! drop x }

let backgroundUnit (x: int) =
    Tasks.backgroundTaskUnit { do! dropUnit x }

let guarded (x: int) = Guarded.strand { return! light x }
let bare (x: int) = Unsafe.Bare.strand { return! light x }

/// The builders that do not restore the caller's contexts, each over the one before it.
let unguarded (x: int) =
    let light = Unsafe.strand { return! light x }
    let pooled = Unsafe.pooledValueTask { return! light }
    let shared = Unsafe.pooledTask { return! pooled }
    let value = Unsafe.valueTask { return! shared }
    let pooledUnit = Unsafe.pooledValueTaskUnit { do! Task.Yield() }
    let sharedUnit = Unsafe.pooledTaskUnit { do! pooledUnit }
    let valueUnit = Unsafe.valueTaskUnit { do! sharedUnit }

    Tasks.task {
        do! valueUnit
        return! value
    }

/// The builders off the captured context, each over the one before it.
let anywhere (x: int) =
    let light = NonAffine.strand { return! light x }
    let pooled = NonAffine.pooledValueTask { return! light }
    let shared = NonAffine.pooledTask { return! pooled }
    let value = NonAffine.valueTask { return! shared }
    let pooledUnit = NonAffine.pooledValueTaskUnit { do! Task.Yield() }
    let sharedUnit = NonAffine.pooledTaskUnit { do! pooledUnit }
    let valueUnit = NonAffine.valueTaskUnit { do! sharedUnit }

    Tasks.task {
        do! valueUnit
        return! value
    }

let caught (x: int) =
    strand {
        try
            do! Task.Yield()
            return failwith "of the user"
        with error ->
            return error.Message.Length + x
    }

/// Calls that block, on threads of their own.
let blocking (x: int) =
    strand {
        use pool = new BlockingPool("of the user")
        let! y = Blocking.run (fun () -> x + 1)
        return! Blocking.runOn pool Threading.CancellationToken.None (fun () -> y + 1)
    }

/// Generic code whose results are generic types over its own type variables, by every kind of result.
let pairs (first: Task<'T>) (second: Task<Result<'U, 'E>>) : Task<Result<('T * 'U) list, 'E>> =
    let light = strand { return! first }

    let pooled =
        pooledValueTask {
            let! a = light
            return [ a ]
        }

    let shared =
        pooledTask {
            let! a = pooled
            return Some a
        }

    let value =
        valueTask {
            let! a = shared
            return struct (a, a)
        }

    let dropped =
        Tasks.task {
            let! struct (a, _) = value
            return [| a |]
        }

    let results =
        pooledValueTaskResult {
            let! a = dropped
            and! b = second
            return a, b
        }

    taskResult {
        let! a, b = strandResult { return! results }
        return [ a[0].Value.Head, b ]
    }

/// Generic streams in each other, awaited, stopped and disposed.
let items (log: List<string>) (first: Task<'T>) : IAsyncEnumerable<'T list> =
    stream {
        use _ = new Resource(log)
        let! token = Stream.cancellationToken
        let! a = first

        yield!
            stream {
                yield [ a ]
                do! Task.Delay(1, token)
                yield [ a; a ]
            }

        try
            for pair in [ [ a ]; [] ] do
                yield pair
        finally
            log.Add "stopped"
    }

/// How many items there are, up to the fourth.
let counted (log: List<string>) (first: Task<'T>) : ValueTask<int> =
    pooledValueTask {
        let one = (items log first).GetAsyncEnumerator()
        let mutable count = 0

        while count < 4 do
            let! _ = one.MoveNextAsync()
            count <- count + one.Current.Length

        do! one.DisposeAsync()
        return count
    }

/// Functions that start at a call, generic over their results, each over the one before it.
let functions (value: 'T) : CancellableTask<'T list> =
    let cold = coldTask { return! Task.FromResult value }
    let background = backgroundColdTask { return! cold }

    let light =
        cancellableValueTask {
            let! a = background
            do! fun (token: Threading.CancellationToken) -> Task.Delay(1, token)
            let! token = CancellableTask.getCancellationToken ()
            and! b = cold
            return struct (a, b, token.CanBeCanceled)
        }

    cancellableTask {
        let! struct (a, b, cancels) = light
        let! c = backgroundCancellableTask { return! background }
        return if cancels then [ a; b; c ] else []
    }

/// All results, in one line.
let report () : Task<string> =
    Tasks.task {
        let log = List<string>()
        do! pooledUnit log
        let! a = drop 1
        let! b = background 1
        do! backgroundUnit 1
        let! c = guarded 1
        let! d = bare 1
        let! e = unguarded 1
        let! f = anywhere 1
        let! g = caught 1
        let! h = blocking 1
        use source = new Threading.CancellationTokenSource()

        let! started =
            CancellableTask.sequential [ functions "a"; functions "b" ] source.Token

        let l = started |> Array.sumBy List.length
        let! i = pairs (pooledTask { return! pooled 0 }) (Task.FromResult(Ok 2))

        let! none =
            pairs (Task.FromResult 1) (Task.FromResult(Error "no"): Task<Result<int, string>>)

        let paired =
            match i, none with
            | Ok [ a, b ], Error reason -> String.Join(",", box a, box b, box reason)
            | _ -> "other"

        let! all = PooledValueTask.whenAll [| pooled 1; pooled 2 |]
        let! j = counted log (pooledTask { return! pooled 0 })
        let! k = counted log (Task.FromResult "text")

        return
            String.Join(" ", [| a; b; c; d; e; f; g; h; l; all[0]; all[1]; j; k |])
            + " "
            + paired
            + " "
            + String.Join(",", log)
    }
