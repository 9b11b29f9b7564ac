// What a program over results is given: operations that give an Ok or an Error, at once or later.
namespace Plait.Tests.Programs

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// An awaiter that only knows OnCompleted.
type PlainResultAwaiter<'T>(task: Task<'T>) =
    member _.IsCompleted = task.IsCompleted
    member _.GetResult() : 'T = task.GetAwaiter().GetResult()

    interface INotifyCompletion with
        member _.OnCompleted continuation =
            task.GetAwaiter().OnCompleted continuation

/// Anything with GetAwaiter: that of a Task.
[<Struct>]
type ResultAwaitable<'T>(task: Task<'T>) =
    member _.GetAwaiter() = task.GetAwaiter()

/// Anything with GetAwaiter whose awaiter only knows OnCompleted.
type PlainResultAwaitable<'T>(task: Task<'T>) =
    member _.GetAwaiter() = PlainResultAwaiter<'T> task

/// Anything with ConfigureAwait alone.
type ConfigureOnlyResult<'T>(task: Task<'T>) =
    member _.ConfigureAwait(affine: bool) = task.ConfigureAwait affine

module ResultAsync =
    /// Not by AwaitTask, which makes another exception of the Task's.
    let ofTask (task: Task<'T>) : Async<'T> =
        Async.FromContinuations(fun (succeed, fail, _) ->
            let finish () =
                match
                    (try
                        Choice1Of2(task.GetAwaiter().GetResult())
                     with error ->
                         Choice2Of2 error)
                with
                | Choice1Of2 value -> succeed value
                | Choice2Of2 error -> fail error

            if task.IsCompleted then finish () else task.GetAwaiter().OnCompleted finish)

/// Operations that give a Result.
type ResultGiven(given: Given) =

    member _.Log(what: string) = given.Log what

    /// An Ok.
    member _.Ok(value: int) : Task<Result<int, string>> =
        task {
            let! value = given.Task value
            return Ok value
        }

    /// An Error.
    member _.Error(error: string) : Task<Result<int, string>> =
        task {
            let! _ = given.Task 0
            return Error error
        }

    /// A wait without a Result.
    member _.Plain(value: int) : Task<int> = given.Task value

    /// A wait without anything.
    member _.Unit() : Task = given.Unit()

    member _.Open(name: string) = given.Open name

    /// Disposed after a wait.
    member _.OpenAsync(name: string) : IAsyncDisposable =
        { new IAsyncDisposable with
            member _.DisposeAsync() =
                ValueTask(
                    task {
                        let! _ = given.Task 0
                        given.Log $"dispose {name}"
                    }
                )
        }

/// The programs over results of one builder.
type ErrorSubject =
    {
        ResultBuilder: string
        /// With what each gives and notes.
        Programs:
            (string * (ResultGiven -> Task<Result<int, string>>) * Result<int, string> * string list) list
        /// Every kind of operation that gives a Result under every keyword: what it gives is the result.
        Sources: (string * (Task<Result<int, string>> -> Task<Result<int, string>>)) list
        /// Ends in an Error at the second of three.
        NoValue: ResultGiven -> Task<Result<unit, string>>
    }

    override subject.ToString() = subject.ResultBuilder

/// The programs over validations of one builder.
type ValidationSubject =
    {
        ValidationBuilder: string
        /// With what each gives and notes.
        Validations:
            (string * (ResultGiven -> Task<Result<int, string list>>) * Result<int, string list> * string list) list
        /// Every kind of operation that gives one Error.
        Ones: (string * (Task<Result<int, string>> -> Task<Result<int, string list>>)) list
        /// Every kind of operation that gives a list of Errors.
        Lists: (string * (Task<Result<int, string list>> -> Task<Result<int, string list>>)) list
    }

    override subject.ToString() = subject.ValidationBuilder
