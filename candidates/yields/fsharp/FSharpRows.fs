// The rows in F#, by the names that the lab knows them under.
module internal Plait.Lab.Yields.FSharpRows

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading.Tasks
open Plait

/// F# async is awaited in a loop of its own kind: made a Task for each operation, it would pay for that as well.
type private AsyncOf(operation: int -> int -> Async<int>) =
    inherit Subject("FSharp.Core")

    static member private Check(sum) = Subject.Check sum

    override _.Run(until: int64) : Task<int64> =
        async {
            let mutable operations = 0L

            while operations = 0L || Stopwatch.GetTimestamp() < until do
                let mutable sum = 0

                for _ in 1 .. Subject.InnerOperations do
                    let! result = operation 1 2
                    sum <- sum + result

                AsyncOf.Check sum
                operations <- operations + int64 Subject.InnerOperations

            return operations
        }
        |> Async.StartImmediateAsTask

    override _.Call(x, y) =
        async {
            let! result = operation x y
            return Nullable result
        }
        |> Async.StartImmediateAsTask

let private ofTask library (operation: int -> int -> Task<int>) () =
    TaskOf(library, Func<_, _, _>(fun x y -> operation x y)) :> Subject

let private ofValueTask (operation: int -> int -> ValueTask<int>) () =
    ValueTaskOf("Plait", Func<_, _, _>(fun x y -> operation x y)) :> Subject

let private ofStrand (operation: int -> int -> Strand<int>) () =
    StrandOf("Plait", Func<_, _, _>(fun x y -> operation x y)) :> Subject

let private onlyTask (operation: unit -> Task) () =
    TaskOnly("Plait", Func<Task> operation) :> Subject

let private onlyValueTask (operation: unit -> ValueTask) () =
    ValueTaskOnly("Plait", Func<ValueTask> operation) :> Subject

/// Each by its name.
let all: (string * (unit -> Subject)) list =
    [
        "fsharp-task", ofTask "FSharp.Core" Methods.fsharpTask
        "fsharp-async", (fun () -> AsyncOf Methods.fsharpAsync)
        "plait-task", ofTask "Plait" Methods.plaitTask
        "plait-task-unit", onlyTask Methods.plaitTaskUnit
        "pooled-task", ofTask "Plait" Methods.pooledTask'
        "pooled-task-unit", onlyTask Methods.pooledTaskUnit'
        "value-task", ofValueTask Methods.valueTask'
        "value-task-unit", onlyValueTask Methods.valueTaskUnit'
        "pooled-value-task", ofValueTask Methods.pooledValueTask'
        "pooled-value-task-unit", onlyValueTask Methods.pooledValueTaskUnit'
        "pooled-value-task-unsafe", ofValueTask Methods.unsafePooledValueTask
        "strand", ofStrand Methods.strand'
        "strand-unsafe", ofStrand Methods.unsafeStrand
        "strand-bare", ofStrand Methods.bareStrand
        "strand-guarded", ofStrand Methods.guardedStrand
    ]

/// Those and the ones in C#.
let table: IReadOnlyDictionary<string, Func<Subject>> =
    let table = Dictionary<string, Func<Subject>>(Rows.CSharp)

    for name, make in all do
        table.Add(name, Func<Subject> make)

    table
