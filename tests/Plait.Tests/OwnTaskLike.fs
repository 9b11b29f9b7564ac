// Under test: a result type, its builder and an awaitable as a user writes them on the public kernel. The code is that of
// docs/how-to/task-like-on-the-kernel.md.
namespace Plait.Tests.OwnTaskLike

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose
#nowarn "3513" // resumable code is defined here

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Kernel
open Plait.Tests

/// A question to a store. Awaited once.
[<Struct; NoEquality; NoComparison>]
type Query<'T>(operation: ValueTask<'T>) =
    member _.Answer() = operation

/// The shape of `pooledValueTask`, called through its constraint, which boxes nothing.
type Pooled =
    static member Completed<'T, 'S when 'S :> IShape<'T, ValueTask<'T>>>(value: 'T) =
        Unchecked.defaultof<'S>.Completed value

    static member Suspended<'T, 'S when 'S :> IShape<'T, ValueTask<'T>>>(box: MachineBox<'T>) =
        Unchecked.defaultof<'S>.Suspended(box, null)

    static member Faulted<'T, 'S when 'S :> IShape<'T, ValueTask<'T>>>(error: exn) =
        Unchecked.defaultof<'S>.Faulted error

/// The result of a start for the caller of `ask { }`.
[<Struct; NoEquality; NoComparison>]
type AsQuery<'T> =
    interface IShape<'T, Query<'T>> with
        member _.Completed value =
            Query(Pooled.Completed<'T, AsPooledValueTask<'T>> value)

        member _.Settles = false

        member _.Suspended(box, _) =
            Query(Pooled.Suspended<'T, AsPooledValueTask<'T>> box)

        member _.Faulted error =
            Query(Pooled.Faulted<'T, AsPooledValueTask<'T>> error)

type QueryBuilder() =
    inherit MachineBuilder<OnCaptured>()

    /// The type that an unannotated `let!` binds.
    member inline _.Source(task: ValueTask<'a>) = ValueTaskSource<'a, OnCaptured> task

    member inline _.Run(code: Code<'T, 'T>) : Query<'T> =
        Machine.Run<'T, Query<'T>, AsQuery<'T>, Safe> code

/// The number of starts.
type Started() =
    static member val Count = 0 with get, set

/// `task` that counts its starts.
type CountingTaskBuilder() =
    inherit TaskBuilder()

    member inline _.Run(code: TaskCode<'T, 'T>) : Task<'T> =
        Started.Count <- Started.Count + 1
        TaskMachine.Run<'T, Task<'T>, OnCallingThread> code

[<AutoOpen>]
module Builder =
    let ask = QueryBuilder()
    let counting = CountingTaskBuilder()

/// Filled once, by any thread; waited for by one party.
[<Sealed>]
type Slot<'T>() =
    static let filled = obj ()
    let mutable state: obj | null = null
    let mutable value = Unchecked.defaultof<'T>

    member _.IsFilled = obj.ReferenceEquals(Volatile.Read &state, filled)

    member _.Value = value

    member _.Fill(result: 'T) =
        value <- result

        match Interlocked.Exchange(&state, filled) with
        | :? Frame as waiting -> waiting.Resume()
        | _ -> ()

    member _.Wait(frame: Frame) =
        match Interlocked.CompareExchange(&state, frame, null) with
        | null -> ()
        | _ -> frame.Resume() // filled in between

[<Struct; NoEquality; NoComparison>]
type SlotSource<'T>(slot: Slot<'T>) =
    interface ISource<'T> with
        member _.IsCompleted = slot.IsFilled
        member _.GetResult() = slot.Value
        member _.Register frame = slot.Wait frame
        member _.Reference = slot
        member _.GetResultOf reference = (reference :?> Slot<'T>).Value

[<AutoOpen>]
module Sources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with
        member inline _.Source(slot: Slot<'a>) = SlotSource<'a> slot

        member inline _.Source(query: Query<'a>) =
            ValueTaskSource<'a, 'Affinity>(query.Answer())

module Tests =
    let private next (slot: Slot<int>) =
        ask {
            let! x = slot
            let! y = ValueTask<int> 1
            return x + y
        }

    [<Fact>]
    let ``a value that is there is bound at once`` () =
        let slot = Slot<int>()
        slot.Fill 20
        let operation = (next slot).Answer()
        Assert.True operation.IsCompletedSuccessfully
        Assert.Equal(21, operation.Result)

    [<Fact>]
    let ``a value that comes later resumes the waiter inside Fill`` () =
        let slot = Slot<int>()
        let operation = (next slot).Answer()
        Assert.False operation.IsCompleted
        slot.Fill 20
        Assert.True operation.IsCompletedSuccessfully
        Assert.Equal(21, operation.Result)

    [<Fact>]
    let ``an exception is part of the result, before and after a wait`` () =
        let slot = Slot<int>()

        let failing (slot: Slot<int>) : Query<int> =
            ask {
                let! x = slot
                return failwith (string x)
            }

        let early = (ask { return failwith "early" }: Query<int>).Answer()
        Assert.Equal("early", (Within.error "The early one" (early.AsTask())).Message)
        let late = (failing slot).Answer()
        slot.Fill 3
        Assert.Equal("3", (Within.error "The late one" (late.AsTask())).Message)

    [<Fact>]
    let ``an answer is taken once`` () =
        let slot = Slot<int>()
        let operation = (next slot).Answer()
        slot.Fill 1
        Assert.Equal(2, operation.Result)

        Assert.Throws<InvalidOperationException>(fun () -> operation.Result |> ignore) |> ignore

    [<Fact>]
    let ``the builders of the library bind both`` () =
        let slot = Slot<int>()

        let inStrand =
            strand {
                let! x = next slot
                let! y = slot
                return x + y
            }

        slot.Fill 20
        Assert.Equal(41, inStrand.Result)

        let pooled =
            pooledValueTask {
                let! x = next slot
                and! y = slot
                return x + y
            }

        Assert.Equal(41, pooled.Result)

        let asTask = pooledTask { return! next slot }
        Assert.Equal(21, Within.result "pooledTask" asTask)

    [<Fact>]
    let ``filling and waiting may race`` () =
        for _ in 1..2_000 do
            let slot = Slot<int>()
            let filling = Task.Run(fun () -> slot.Fill 1)
            Assert.Equal(2, Within.result "It" ((next slot).Answer().AsTask()))
            Within.ended "Filling" filling

    [<Fact>]
    let ``a builder derived from task has its members and a Run of its own`` () =
        let before = Started.Count
        let later = TaskCompletionSource<int>()

        let sum =
            counting {
                let! x = later.Task
                and! y = ValueTask<int> 2
                return x + y
            }

        Assert.Equal((before + 1, false), (Started.Count, sum.IsCompleted))
        later.SetResult 40
        Assert.Equal(42, Within.result "It" sum)
