// The events of the interpretation. Rules make findings of events; nothing else passes from the one to the other.
namespace Plait.Check

open FSharp.Compiler.Text

/// Who gets an operation without knowing its type.
[<RequireQualifiedAccess>]
type Taker =
    /// Whoever is given it as obj.
    | AsObject
    /// A method that finds the types of its arguments by reflection.
    | Method of Callee
    /// A framework that calls members with this attribute.
    | Attribute of string

/// How a conversion between Task and Async ends.
[<RequireQualifiedAccess>]
type Trip =
    /// A Task became an Async, which a thread waits for.
    | Waited
    /// A Task became an Async, which is awaited where a Task can be.
    | Awaited
    /// A Task became an Async and a Task again.
    | TaskAgain
    /// An Async became a Task and an Async again.
    | AsyncAgain
    /// An Async became a Task, which a thread waits for.
    | TaskWaited

/// Something happened that a rule may find wrong.
type Event =
    /// A single-use object was used, and was used up before.
    | UsedAgain of
        value: Instance *
        earlier: Use *
        again: Use *
        isCertain: bool *
        /// The same use, in the next turn of a loop.
        isNextTurn: bool
    /// A single-use object from outside was used in a body that may run again.
    | UsedInCold of value: Instance * at: range * builder: Builder
    /// A single-use object was put somewhere.
    | Stored of value: Instance * at: range * into: string
    /// The result of a single-use object was taken, which may not be complete.
    | ReadEarly of value: Instance * at: range * callee: Callee
    /// A call blocks in an async body. `waitsFor`: the object that it waits for.
    | Blocked of
        at: range *
        callee: Callee *
        waitsFor: Instance option *
        twin: string option *
        builder: Builder *
        /// A lock is held, or the like, whose thread must be the same before and behind an await.
        isLocked: bool
    /// A function was called in an async body that blocks somewhere below.
    | CallsBlocking of at: range * callee: Callee * chain: PathStep list * isShort: bool * builder: Builder
    /// A conversion undoes another one.
    | RoundTrip of at: range * trip: Trip * builder: Builder option
    /// An operation was dropped.
    | Dropped of value: Instance * at: range * how: string * builder: Builder option
    /// A disposable is disposed although an operation that was made with it is still running.
    | DisposedEarly of variable: Variable * operation: Instance * at: range
    /// A task is disposed by a `use`, and may still run.
    | DisposedRunning of task: Instance * at: range
    /// A flowing value was written in a builder that does not restore the context.
    | LocalWritten of at: range * builder: Builder
    /// An operation was given to code without a parameter of its type.
    | GivenAway of value: Code * at: range * taker: Taker
    /// An operation that runs already is awaited behind another one.
    | AwaitedLate of operation: Instance * at: range * builder: Builder
    /// A function with this body, as it was written.
    | WroteFunction of body: Code
    /// A function that does not call itself was bound to a name inside a computation expression, as it was written.
    | WroteInside of name: Variable * body: Code * builder: Builder
    /// One of several operations that `and!` waits for, as it was written.
    | WroteTogether of operand: Code * builder: Builder
    /// A part of a computation expression, or one as a whole, as it was written.
    | Wrote of Code * builder: Builder
