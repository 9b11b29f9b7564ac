// Cold and cancellable functions: a start allocates what the same body costs in pooledTask or pooledValueTask. The function is an
// object of 16 bytes and what its code captures, at least 24.
module Plait.Allocation.Tests.Functions

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

/// A function's object whose code captures at most 8 bytes.
let private functionBytes = 24.0

let private none = CancellationToken.None

let private value (x: int) = pooledValueTask { return x + 1 }
let private cancellableValue (x: int) = cancellableValueTask { return x + 1 }
let private result (x: int) = pooledTask { return x + 1 }
let private cancellableResult (x: int) = cancellableTask { return x + 1 }
let private coldResult (x: int) = coldTask { return x + 1 }

/// A bind of a function of a token and one of a lambda, or the same without functions.
let private bound (token: CancellationToken) (x: int) =
    pooledValueTask {
        let! a = value x
        let! b = ValueTask<int>(if token.IsCancellationRequested then a else x)
        return a + b
    }

let private cancellableBound (x: int) =
    cancellableValueTask {
        let! a = cancellableValue x

        let! b =
            fun (token: CancellationToken) -> ValueTask<int>(if token.IsCancellationRequested then a else x)

        return a + b
    }

let private mixed (x: int) =
    pooledTask {
        let! a = value x
        let! b = result a
        return a + b
    }

let private cancellableMixed (x: int) =
    cancellableTask {
        let! a = cancellableValue x
        let! b = cancellableResult a
        return a + b
    }

/// Too long for F# to write it into its caller.
[<MethodImpl(MethodImplOptions.NoInlining)>]
let private later (x: int) (token: CancellationToken) : ValueTask<int> =
    ValueTask<int>(if token.IsCancellationRequested then 0 else x)

[<MethodImpl(MethodImplOptions.NoInlining)>]
let private cold (x: int) () : ValueTask<int> = ValueTask<int> x

let private laterThrice (x: int) =
    pooledTask {
        let! a = later x none
        let! b = later a none
        and! c = later a none
        return a + b + c
    }

let private cancellableLater (x: int) =
    cancellableTask {
        let! a = later x
        let! b = later a
        and! c = later a
        return a + b + c
    }

let private coldLater (x: int) =
    coldTask {
        let! a = cold x
        let! b = cold a
        and! c = cold a
        return a + b + c
    }

let private cancellableCold (x: int) =
    cancellableTask {
        let! a = cold x
        let! b = cold a
        and! c = cold a
        return a + b + c
    }

/// Name, functions made in one operation, the operation under test and the one that it is compared with.
let private synchronous: (string * int * (unit -> unit) * (unit -> unit)) list =
    [
        "cancellableValueTask",
        1,
        (fun () -> (cancellableValue 2000 none).Result |> ignore),
        (fun () -> (value 2000).Result |> ignore)
        "cancellableTask",
        1,
        (fun () -> (cancellableResult 2000 none).Result |> ignore),
        (fun () -> (result 2000).Result |> ignore)
        "coldTask",
        1,
        (fun () -> (coldResult 2000 ()).Result |> ignore),
        (fun () -> (result 2000).Result |> ignore)
        "a bind of a function and of a lambda",
        2,
        (fun () -> (cancellableBound 2000 none).Result |> ignore),
        (fun () -> (bound none 2000).Result |> ignore)
        "a bind of functions of a token with further arguments",
        1,
        (fun () -> (cancellableLater 2000 none).Result |> ignore),
        (fun () -> (laterThrice 2000).Result |> ignore)
        "a cold bind of functions with further arguments",
        1,
        (fun () -> (coldLater 2000 ()).Result |> ignore),
        (fun () -> (laterThrice 2000).Result |> ignore)
        "a bind of cold functions with further arguments",
        1,
        (fun () -> (cancellableCold 2000 none).Result |> ignore),
        (fun () -> (laterThrice 2000).Result |> ignore)
        "a bind of the other kind of function",
        3,
        (fun () -> (cancellableMixed 2000 none).Result |> ignore),
        (fun () -> (mixed 2000).Result |> ignore)
    ]

let cases: TheoryData<string> =
    TheoryData<string>(synchronous |> List.map (fun (name, _, _, _) -> name))

[<Theory; MemberData(nameof cases)>]
let ``a start that does not suspend costs its function more than the same body`` (case: string) =
    Bytes.onlyWhenOptimised ()

    let _, functions, operation, compared =
        synchronous |> List.find (fun (name, _, _, _) -> name = case)

    let expected = Bytes.perOperation compared + float functions * functionBytes
    Assert.Equal(expected, Bytes.perOperation operation)

[<Fact>]
let ``a function that exists costs nothing at a start`` () =
    Bytes.onlyWhenOptimised ()
    let start = cancellableValue 2000
    Assert.Equal(0.0, Bytes.perOperation (fun () -> (start none).Result |> ignore))

let private gated (gate: Gate) =
    pooledValueTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private cancellableGated (gate: Gate) =
    cancellableValueTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private gatedTask (gate: Gate) =
    pooledTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private cancellableGatedTask (gate: Gate) =
    cancellableTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private coldGatedTask (gate: Gate) =
    coldTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private suspended: (string * (Gate -> ValueTask<int>) * (Gate -> ValueTask<int>)) list =
    [
        "cancellableValueTask", (fun gate -> cancellableGated gate none), gated
        "cancellableTask",
        (fun gate -> ValueTask<int>(cancellableGatedTask gate none)),
        (fun gate -> ValueTask<int>(gatedTask gate))
        "coldTask",
        (fun gate -> ValueTask<int>(coldGatedTask gate ())),
        (fun gate -> ValueTask<int>(gatedTask gate))
    ]

let suspendedCases: TheoryData<string> =
    TheoryData<string>(suspended |> List.map (fun (name, _, _) -> name))

[<Theory; MemberData(nameof suspendedCases)>]
let ``a start that suspends costs its function more than the same body`` (case: string) =
    Bytes.onlyWhenOptimised ()

    let _, operation, compared =
        suspended |> List.find (fun (name, _, _) -> name = case)

    let bytes (start: Gate -> ValueTask<int>) =
        SuspendedBytes.gated start (fun pending -> pending.Result |> ignore)

    Assert.Equal(bytes compared + functionBytes, bytes operation)
