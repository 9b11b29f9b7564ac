// What programs are given in F# Interactive, and how they are watched. The head of the script that Fsi.fs puts together;
// the programs follow it once for each builder. A line of output is a builder, a program and what came of it.
open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

open Plait

/// Flows from the caller into every program.
let ambient = AsyncLocal<int>()

/// One run of a program: its log, and sources that are over at once or not, of which one may fail.
type Given(yields: bool, failing: int) =
    let log = List<string>()
    let mutable sources = 0

    member _.Yields = yields
    member _.Log(text: string) = lock log (fun () -> log.Add text)
    member _.Entries = lock log (fun () -> String.Join(" ", log))

    /// A source of a result; the failing one throws, after its wait where it waits.
    member given.Task(value: 'a) : Task<'a> =
        sources <- sources + 1
        let number = sources

        task {
            if yields then
                do! Task.Yield()

            given.Log $"s{number}"

            if number = failing then
                invalidOp $"source {number}"

            return value
        }

    member given.Unit() : Task = given.Task()
    member given.ValueTask(value: 'a) = ValueTask<'a>(given.Task value)
    member given.UnitValueTask() = ValueTask(given.Unit())
    member given.Async(value: 'a) = Async.AwaitTask(given.Task value)

    member given.Open(name: string) : IDisposable =
        { new IDisposable with
            member _.Dispose() = given.Log $"-{name}"
        }

    member given.OpenAsync(name: string) : IAsyncDisposable =
        { new IAsyncDisposable with
            member _.DisposeAsync() =
                given.Log $"-{name}"
                ValueTask(given.Task())
        }

/// How an operation that has the result ends.
let ended result = $"= {result}"

/// How an operation ends, whatever its type.
type Ending =
    static member Of(operation: Task<'T>) : Task<string> =
        task {
            try
                let! result = operation
                return ended result
            with
            | :? OperationCanceledException when operation.IsCanceled -> return "canceled"
            | error -> return $"! {error.Message}"
        }

    static member Of(operation: Task) : Task<string> =
        task {
            try
                do! operation
                return ended ()
            with
            | :? OperationCanceledException when operation.IsCanceled -> return "canceled"
            | error -> return $"! {error.Message}"
        }

    static member Of(operation: ValueTask<'T>) = Ending.Of(operation.AsTask())
    static member Of(operation: ValueTask) = Ending.Of(operation.AsTask())
    static member Of(operation: Strand<'T>) = Ending.Of(operation.AsTask())

/// Runs a program once and says what came of it. Where nothing waits, all of it must be over when the call is.
let private once (yields: bool) (failing: int) (program: Given -> Task<string>) =
    let given = Given(yields, failing)
    ambient.Value <- 7

    let ending =
        try
            program given
        with // of a builder that keeps nothing: the call throws
        | :? OperationCanceledException -> Task.FromResult "canceled"
        | error -> Task.FromResult $"! {error.Message}"

    if not yields then
        given.Log "called"

    let ending =
        if ending.Wait(TimeSpan.FromMinutes 2.0) then ending.Result else "never ended"

    $"{given.Entries} {ending}"

/// Runs a program with sources that are over and with sources that are not, and without a failure where none is wanted.
let private runs (failures: int) (program: Given -> Task<string>) =
    String.Join(
        " / ",
        [
            for yields in [ false; true ] do
                for failing in 0..failures -> once yields failing program
        ]
    )

/// Programs that FSharp.Core's `task` can be asked about; each of their first four sources fails in turn.
let same (builder: string) (programs: (string * (Given -> Task<string>)) list) =
    for name, program in programs do
        Console.Out.WriteLine $"{builder}\t{name}\t{runs 4 program}"

/// Programs that only Plait can run, with what has to come of them in both runs.
let own (builder: string) (programs: (string * string * (Given -> Task<string>)) list) =
    for name, expected, program in programs do
        let expected =
            String.Join(" / ", [ expected.Replace("|", "called"); expected.Replace(" |", "") ])

        Console.Out.WriteLine $"{builder}\t{name}\t{runs 0 program}\t{expected}"

/// Says how many state machines of Plait the compiler made of the code in a module.
let machines (builder: string) (inModule: Type) =
    let ofPlait (candidate: Type) =
        candidate.IsGenericType
        && candidate.Name = "IResumableStateMachine`1"
        && candidate.GenericTypeArguments[0].Namespace = "Plait.Kernel"

    let count =
        inModule.GetNestedTypes(Reflection.BindingFlags.Public ||| Reflection.BindingFlags.NonPublic)
        |> Seq.filter (fun one -> one.IsValueType && one.GetInterfaces() |> Seq.exists ofPlait)
        |> Seq.length

    Console.Out.WriteLine $"{builder}\tmachines\t{count}"
