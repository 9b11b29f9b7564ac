// A builder as the tests see it: what it promises, and its programs, each started and returned as a Task. A builder that lets
// synchronous exceptions out lets them out here too.
namespace Plait.Tests.Programs

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle

/// What a builder promises.
type Promise =
    {
        Name: string
        /// A synchronous exception is part of the result.
        Captures: bool
        /// The caller's AsyncLocal values are its own.
        Contained: bool
        /// It begins and continues on the caller's SynchronizationContext or TaskScheduler.
        Affine: bool
    }

    override promise.ToString() = promise.Name

    /// Everything is promised.
    static member Full(name: string) =
        { Name = name; Captures = true; Contained = true; Affine = true }

/// The programs without a result, which every builder has.
type Subject =
    {
        Promise: Promise
        Flow: (string * (Given -> Task)) list
        Values: (string * (Given -> Task)) list
        Units: (string * (Given -> Task)) list
        Usings: (string * (Given -> Task)) list
        Yields: Given -> Task
        Ranges: Given -> Task
        Using: IAsyncDisposable -> Given -> Task
        UsingBound: IAsyncDisposable -> Given -> Task
        UsingBoth: Given -> Task
        UsingNothing: Given -> Task
        Items: IAsyncEnumerable<int> -> Given -> Task
        ItemsUnder: IAsyncEnumerable<int> -> CancellationToken -> Given -> Task
        MixedLoops: IAsyncEnumerable<int> -> Given -> Task
        Two: Task<int> -> ValueTask<int> -> (string -> unit) -> Task
        Tasks: Task<int> -> Task<int> -> (string -> unit) -> Task
        Three:
            (unit -> Task<int>) -> (unit -> ValueTask<int>) -> (unit -> Task<int>) -> (string -> unit) -> Task
        Five: Given -> Task
        Mixed: Given -> Task
        Caught: Task<int> -> Task<int> -> (string -> unit) -> Task
        Contexts: (string * (World -> Task)) list
        Interpret: World -> Step[] -> Task
    }

    override subject.ToString() = subject.Promise.Name

/// The programs with a result.
[<AbstractClass>]
type ResultSubject(promise: Promise) =
    member _.Promise = promise
    override _.ToString() = promise.Name
    abstract Returned: (string * (Given -> Task<int>)) list
    abstract Generic: value: 'T * yields: int -> Task<'T>
    abstract Twice: value: 'T -> Task<'T list>
    abstract Fails: error: exn * yields: int -> Task<int>
    abstract Awaits: source: Task<'T> -> Task<'T>
    abstract Factorial: n: int -> Task<bigint>
    abstract YieldingTail: n: int -> Task<int64>
    abstract GatedTail: gate: Gate * n: int -> Task<int64>
    abstract SynchronousTail: n: int -> Task<int64>
    abstract Depth: n: int -> Task<int>
    abstract Turns: count: int * every: int -> Task<int>
    abstract Stack: unit -> Task<string>
    abstract Holding: kept: obj * gate: Gate -> Task<obj>
    abstract After: source: Task<int> * inspect: (unit -> 'T) -> Task<'T>
    abstract Hopping: hopper: Hopper * note: (string -> unit) -> Task<int>
    abstract AfterEach: source: (unit -> Task<int>) * inspect: (unit -> unit) -> Task<int>

/// The functions that the programs over cancellable functions make, as functions to a Task.
type CancellableSubject =
    {
        Builder: string
        Counting: int ref -> CancellableTask<int>
        Cancelling: IAsyncDisposable -> IDisposable -> (unit -> unit) -> List<string> -> CancellableTask<unit>
        Tokens: List<string * CancellationToken> -> IAsyncEnumerable<int> -> CancellableTask<int>
        /// Enters the lock by operations that have begun, behind the cancellation by itself.
        Acquiring: (string * (AsyncLock -> (unit -> unit) -> List<string> -> CancellableTask<unit>)) list
        /// Loops over resources, which cancel themselves in the third turn: the number of turns in all.
        Looping: (string * int * (AsyncLock -> (unit -> unit) -> CancellableTask<unit>)) list
    }
