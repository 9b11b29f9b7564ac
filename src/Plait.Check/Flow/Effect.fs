// The effects of calls on their arguments, and the kinds of types: the words of the table of effects.
namespace Plait.Check

/// A parameter is this case of a union, or is not; the case of a bool is "true", that of options and Results "Some".
type ParameterCase = { Parameter: int; Case: string; Holds: bool }

/// How a call compares its first two arguments.
[<RequireQualifiedAccess>]
type Comparison =
    | Equal
    | Different
    | Less
    | Greater
    | AtMost
    | AtLeast

/// An effect of a call on its arguments. Arguments count from 0; the object of an instance member is argument 0.
type Effect =
    /// Uses up an argument that may be used only once.
    | Consumes of int
    /// Only looks at an argument.
    | Peeks of int
    /// Returns the argument, or another form of it: its awaiter, its configured form.
    | Passes of int
    /// Uses up the argument, and returns one that may be used many times.
    | Shares of int
    /// Blocks the thread until the argument is complete.
    | Waits of int
    /// Blocks the thread until one of the argument's elements is complete; the result is the number of that one.
    | WaitsAny of int
    /// Blocks the thread.
    | Blocks
    /// Blocks the thread, if the argument is given.
    | BlocksIf of int
    /// Blocks the thread, on a call with an asynchronous twin that has this name.
    | BlocksBeside of twin: string
    /// Of a call that blocks: only if its object is a stream to another process or machine, or a reader or writer of one.
    | OnlyRemote
    /// Calls the argument exactly once before it returns.
    | Once of int
    /// The same; the result is another operation than that of the argument.
    | Runs of int
    /// Calls the argument once, as a part of the operation that is the result.
    | Inside of int
    /// Calls the argument at most once before it returns.
    | Perhaps of int
    /// Calls the argument any number of times before it returns.
    | Many of int
    /// Calls the function with a state and an element, again and again: the first state is the argument `state`, each further one the
    /// function's result, and the last one is the result. The function gets the state first, or last.
    | Folds of f: int * state: int
    | FoldsBack of f: int * state: int
    /// Calls the function with a state and an element, or not at all; the result is the state, or the function's result.
    | FoldsOnce of f: int * state: int
    /// Calls the function once, with the last state of a fold, and returns its result.
    | FoldEnds of int
    /// The result lacks elements of the argument.
    | LeavesOut of int
    /// Returns the argument several times.
    | Repeats of int
    /// Calls the argument later or on another thread.
    | Later of int
    /// Calls the argument on a thread that the caller starts or takes for it.
    | OnThread of int
    /// Gives the elements of this argument to the functions among the arguments.
    | Over of int
    /// The same for pairs: a function of two parameters gets the two halves.
    | OverPairs of int
    /// Enumerates the argument, or computes its value.
    | Forces of int
    /// Computes the value of the argument, a lazy value; each later call returns that value, or throws again.
    | ForcesOnce of int
    /// The result enumerates the argument when it is enumerated itself.
    | ForcesLater of int
    /// Calls the argument when the result is forced.
    | Defers of int
    /// The result is a sequence; its enumeration calls the argument, any number of times.
    | Generates of int
    /// Starts the argument, and does not wait for it.
    | Starts of int
    /// Awaiting the result gives the operation that the function made.
    | GivesMade of int
    /// The result has elements of the argument.
    | Selects of int
    /// The result has elements of this argument among others, or puts them into collections or tuples.
    | Mixes of int
    /// The item with this number of the result's elements is an element of an argument.
    | ItemOf of item: int * argument: int
    /// It is a collection of elements of an argument.
    | ItemGroups of item: int * argument: int
    /// It is that item of an element of an argument.
    | ItemSame of item: int * argument: int
    /// The result is a tuple of collections with the items of this argument's elements.
    | Unzips of int
    /// Calls this argument at other times, for as long as the result lives, or the object of the call.
    | Handles of int
    /// The result is complete when this argument is, and the task that it gives.
    | Unwraps of int
    /// Returns an element of the argument, found by its place.
    | TakesElement of int
    /// Returns the first element of the argument, the same each time; the other one takes it out.
    | Looks of int
    | TakesOut of int
    /// The elements of the argument are others from here on.
    | Changes of int
    /// The result is true when the second argument is among the elements of the first.
    | TellsContains of list: int * item: int
    /// Returns the elements of the second argument for which the first is true, or the first's results for them.
    | Keeps of predicate: int * from: int
    /// Returns two collections: the elements of the second argument for which the first is true, and the others.
    | Splits of predicate: int * from: int
    /// The result is true when there is an element in the argument, or none.
    | TellsSome of int
    | TellsNone of int
    /// The result is true when the first argument is this case of a union.
    | TellsCase of string
    /// The result needs the argument for as long as it is used.
    | Needs of int
    /// The result is true when the first is true for all elements of the second argument, or for any of them.
    | TellsAll of predicate: int * from: int
    | TellsAny of predicate: int * from: int
    /// The result is true only when the argument is complete.
    | TestsComplete of int
    /// The result is true when the argument is complete, and false when it is not.
    | TellsComplete of int
    /// The result is true where the argument is false.
    | Negates of int
    /// The result says how the first two arguments compare.
    | Compares of Comparison
    /// The result is the state of the argument, as a number.
    | TestsStatus of int
    /// The result is complete when the arguments from this one on are.
    | CompletesAll of int
    /// The result ends well when the argument is complete, and may fail before.
    | CompletesInTime of int
    /// The awaited result is a task that is complete: one of the arguments, or of their elements.
    | GivesComplete
    /// The awaited result is true only when the argument is complete, and always where no limit of time is given.
    | GivesTest of int
    /// The result has the elements of the argument, each complete when it is given.
    | EachComplete of int
    /// The awaited result is a case of a union with the result of awaiting the argument in a field.
    | GivesIn of field: string * int
    /// The awaited result is an operation that runs the argument already, and ends when that does.
    | GivesRun of int
    /// The result is as complete as this argument, or complete where that is no operation.
    | Wraps of int
    /// The result is complete already.
    | IsComplete
    /// The Task of the argument, a source of a task, is complete from here on.
    | CompletesTask of int
    /// The function among the arguments gets this argument when it is complete.
    | CallsWhenComplete of int
    /// The function among the arguments gets the element of this argument that is complete first.
    | CallsWithFirst of int
    /// The result may be dropped without a loss.
    | MayDrop
    /// Tells the number of its elements, or whether there is a value, and nothing of the value.
    | Counts of int
    /// Drops the argument.
    | Drops of int
    /// Keeps the argument for later: in a collection, a cell.
    | Stores of int
    /// The result stays in a collection or a cell, where other code finds it.
    | StoresResult
    /// The code behind the await of the result runs on a thread of its own, until the next await.
    | LeavesPool
    /// Takes a lock that belongs to the thread, and gives it back. So does the disposal of the result of `Locks`.
    | Locks
    | Unlocks
    /// Takes such a lock, unless the argument is false or not given.
    | LocksIf of int
    /// Its result or its effect belongs to the thread that calls it.
    | Binds
    /// The result is the thread that calls it, or the number of that.
    | NamesThread
    /// Takes such a lock, unless the last argument is this number and its parameter has this type.
    | LocksUnless of parameterType: string * number: int
    /// Does not return.
    | Raises
    /// Writes a value that flows with the execution context.
    | WritesLocal
    /// Turns a Task into an Async, and the reverse.
    | TaskToAsync
    | AsyncToTask
    /// Runs an Async and blocks until it is done.
    | RunsBlocking
    /// Hands its arguments to code that finds their types by reflection.
    | Reflects
    /// The result is a function that formats its arguments as objects.
    | Formats
    /// Frees the object.
    | Disposes
    /// The result is a stream, a reader or a writer to another process or machine.
    | Remote

module Effect =
    /// The arguments that an effect names; its effect on the others is unknown.
    let arguments (effect: Effect) : int list =
        match effect with
        | Consumes index
        | Peeks index
        | Passes index
        | Shares index
        | Waits index
        | WaitsAny index
        | Once index
        | Runs index
        | Perhaps index
        | Many index
        | FoldEnds index
        | Later index
        | OnThread index
        | Over index
        | OverPairs index
        | Forces index
        | ForcesOnce index
        | ForcesLater index
        | Defers index
        | Generates index
        | CompletesTask index
        | Starts index
        | GivesMade index
        | Selects index
        | Mixes index
        | Unzips index
        | Unwraps index
        | Handles index
        | ItemOf(_, index)
        | ItemGroups(_, index)
        | ItemSame(_, index)
        | TestsComplete index
        | TellsComplete index
        | Negates index
        | TestsStatus index
        | CallsWhenComplete index
        | CallsWithFirst index
        | CompletesInTime index
        | GivesTest index
        | EachComplete index
        | TakesElement index
        | Looks index
        | TakesOut index
        | Changes index
        | Drops index
        | LocksIf index
        | Wraps index
        | TellsSome index
        | TellsNone index
        | Counts index
        | Needs index
        | Repeats index
        | LeavesOut index
        | Inside index
        | Stores index -> [ index ]
        | GivesIn(_, index)
        | GivesRun index -> [ index ]
        | Keeps(a, b)
        | Splits(a, b)
        | TellsContains(a, b)
        | TellsAll(a, b)
        | TellsAny(a, b)
        | Folds(a, b)
        | FoldsBack(a, b)
        | FoldsOnce(a, b) -> [ a; b ]
        | Compares _ -> [ 0; 1 ]
        | TellsCase _ -> [ 0..9 ]
        | CompletesAll index -> [ index .. index + 9 ]
        | GivesComplete -> [ 0..9 ]
        | TaskToAsync
        | AsyncToTask
        | RunsBlocking
        | Disposes -> [ 0 ]
        | Reflects -> [ 0..9 ]
        | _ -> []

/// The kind of the values of a type.
[<RequireQualifiedAccess>]
type Kind =
    /// May be used once; the type's name without its namespace.
    | SingleUse of string
    /// Runs already, and may be awaited many times.
    | Task
    /// Runs each time it is started.
    | Cold
    /// Anything else.
    | Plain
