// Layer: combinators. Turns an operation that a combinator was given into a source: one struct for each type of
// operation, which never throws. Owns the rule that null counts as an operation that has failed, so that the others are still awaited.
namespace Plait.Kernel

open System
open System.Threading.Tasks
open Plait

/// A Task, or the failed one that stands for null.
[<AbstractClass; Sealed>]
type internal NonNullTask =
    static let error () =
        ArgumentException
            "A combinator was given null in place of a Task. The other operations are awaited first. Usual \
             cause: a function that returns a Task was mocked, or returned null in a branch. Return \
             Task.FromResult or Task.CompletedTask there. See \
             docs/errors/null-operation.md in the Plait package."

    static member Of<'a>(task: Task<'a>) : Task<'a> =
        if obj.ReferenceEquals(task, null) then Task.FromException<'a>(error ()) else task

    static member Of(task: Task) : Task =
        if obj.ReferenceEquals(task, null) then Task.FromException(error ()) else task

    /// All of a sequence, on the calling thread. If the sequence throws: the operations that it yielded before, and a
    /// failed one.
    static member All<'a>(tasks: seq<Task<'a>>) : Task<'a>[] =
        match tasks with
        | :? (Task<'a>[]) as tasks when
            tasks |> Array.forall (fun task -> not (obj.ReferenceEquals(task, null)))
            ->
            tasks
        | _ ->
            let all = ResizeArray()

            try
                ArgumentNullException.ThrowIfNull(tasks, "operations")

                for task in tasks do
                    all.Add(NonNullTask.Of task)
            with error ->
                all.Add(Task.FromException<'a> error)

            all.ToArray()

    /// The results of operations that have all succeeded; null otherwise.
    static member Results<'a>(tasks: Task<'a>[]) : 'a[] =
        if tasks |> Array.forall _.IsCompletedSuccessfully then
            tasks |> Array.map _.Result
        else
            null

    /// The BCL's `whenAll`: its Task holds the other failures too.
    static member WhenAll
        (operations: seq<Task<'a>>, _read: 'Read, _gathering: 'G, _shape: 'Shape)
        : Task<'a[]> =
        let tasks = NonNullTask.All operations

        match NonNullTask.Results tasks with
        | null -> Task.WhenAll tasks
        | results -> Task.FromResult results

[<Struct; NoEquality; NoComparison>]
type internal TaskReader<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<Task<'a>, TaskSource<'a, 'Affinity>> with
        member _.Of task =
            TaskSource<'a, 'Affinity>(NonNullTask.Of task)

type internal ValueTaskReader<'a, 'Affinity when 'Affinity :> IAffinity> = StartedValueTask<'a, 'Affinity>

[<Struct; NoEquality; NoComparison>]
type internal UnitTaskReader<'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<Task, UnitTaskSource<unit, 'Affinity>> with
        member _.Of task =
            UnitTaskSource<unit, 'Affinity>(NonNullTask.Of task)

type internal UnitValueTaskReader<'Affinity when 'Affinity :> IAffinity> = StartedUnitValueTask<'Affinity>

[<Struct; NoEquality; NoComparison>]
type internal StrandReader<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<Strand<'a>, StrandSource<'a, 'Affinity>> with
        member _.Of strand = StrandSource<'a, 'Affinity> strand

/// Operations as the sources that a combinator waits for: `OnCaptured` where code of the caller comes next, which runs where
/// `let!` would continue; `Anywhere` where none does.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal Awaited =
    static member OnCaptured(task: Task) =
        UnitTaskSource<unit, OnCaptured>(NonNullTask.Of task)

    static member OnCaptured(task: ValueTask) =
        UnitValueTaskSource<unit, OnCaptured> task

    static member OnCaptured(task: Task<'a>) =
        TaskSource<'a, OnCaptured>(NonNullTask.Of task)

    static member OnCaptured(task: ValueTask<'a>) = ValueTaskSource<'a, OnCaptured> task
    static member OnCaptured(strand: Strand<'a>) = StrandSource<'a, OnCaptured> strand

    static member Anywhere(task: Task) =
        UnitTaskSource<unit, Anywhere>(NonNullTask.Of task)

    static member Anywhere(task: ValueTask) =
        UnitValueTaskSource<unit, Anywhere> task

    static member Anywhere(task: Task<'a>) =
        TaskSource<'a, Anywhere>(NonNullTask.Of task)

    static member Anywhere(task: ValueTask<'a>) = ValueTaskSource<'a, Anywhere> task
    static member Anywhere(strand: Strand<'a>) = StrandSource<'a, Anywhere> strand
