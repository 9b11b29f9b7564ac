// The events of the interpretation. Rules make findings of events, and of nothing else.
namespace Plait.Check

open FSharp.Compiler.Text

/// Code that gets an operation as a value of another type.
[<RequireQualifiedAccess>]
type Sink =
    /// A parameter of type obj.
    | AsObject
    /// A method that uses reflection on its arguments.
    | Method of Callee
    /// A framework that calls members with this attribute.
    | Attribute of string

/// A conversion between Task and Async, and the use of its result.
[<RequireQualifiedAccess>]
type Conversion =
    /// A Task became an Async, and a thread blocks on that.
    | TaskToAsyncBlocked
    /// The same, with a limit of time or a token.
    | TaskToAsyncBlockedInTime
    /// A Task became an Async, and a builder that binds Tasks awaits that.
    | TaskToAsyncAwaited
    /// A Task became an Async and a Task again.
    | TaskToAsyncToTask
    /// An Async became a Task and an Async again.
    | AsyncToTaskToAsync
    /// An Async became a Task, and a thread blocks on that.
    | AsyncToTaskBlocked

/// A step of the interpretation that a rule may judge.
type Event =
    /// A single-use object was used again.
    | UsedAgain of
        value: Instance *
        earlier: Use *
        again: Use *
        isCertain: bool *
        /// The next iteration of a loop repeats the use.
        isNextIteration: bool
    /// A cold body uses a single-use object from outside of it.
    | UsedInColdBody of value: Instance * at: range * builder: Builder
    /// A single-use object was stored in a field or a collection.
    | Stored of value: Instance * at: range * into: string
    /// The code reads the result of a single-use object that may be incomplete.
    | ReadEarly of value: Instance * at: range * callee: Callee
    /// A call blocks in an async body. `waitsFor`: the object of its wait.
    | Blocked of
        at: range *
        callee: Callee *
        waitsFor: Instance option *
        twin: string option *
        builder: Builder *
        isShort: bool *
        /// The code holds a lock that only its own thread may release.
        isLocked: bool
    /// A call in an async body blocks, somewhere inside the called function.
    | CallsBlocking of at: range * callee: Callee * chain: PathStep list * isShort: bool * builder: Builder
    /// A conversion undoes another one.
    | RoundTrip of at: range * conversion: Conversion * builder: Builder option
    /// An operation was dropped.
    | Dropped of value: Instance * at: range * how: string * builder: Builder option
    /// A disposable is disposed while an operation that uses it runs.
    | DisposedEarly of variable: Variable * operation: Instance * at: range
    /// A `use` disposes a task that may still run.
    | DisposedRunning of task: Instance * at: range
    /// An AsyncLocal was written in a builder that does not restore the execution context.
    | AsyncLocalWritten of at: range * builder: Builder
    /// An operation was passed to a sink.
    | PassedUntyped of value: Code * at: range * sink: Sink
    /// An operation that runs already is awaited after another one: `and!` could await both.
    | AwaitedInSequence of operation: Instance * at: range * builder: Builder
    /// The source of a function's body.
    | FunctionBody of body: Code
    /// The source of a local function in a computation expression; of no recursive one.
    | LocalFunction of name: Variable * body: Code * builder: Builder
    /// The source of an operand of `and!`.
    | MergeOperand of operand: Code * builder: Builder
    /// The source of a computation expression, or of a part of one.
    | BlockCode of Code * builder: Builder
