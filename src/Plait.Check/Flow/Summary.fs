// The summary of a declaration for its callers: the effects of a call.
namespace Plait.Check

open System.Collections.Generic

/// The result of a function, as far as it depends on its parameters: they are the objects of these values, by their
/// numbers.
type internal Returned =
    {
        Value: Value
        /// The values that are complete when the returned operation is.
        Implies: Value list
        Gives: Gift
        /// It is a function that starts an operation when it is called.
        IsFunction: bool
        /// Nothing is lost where the result is dropped.
        MayDrop: bool
        /// It is a collection or the like, and all in it is complete already.
        IsComplete: bool
        /// The class of the object that it is, where it was made of a known one.
        Class: string option
    }

/// The effects of a call of a function on its parameters, and whether it blocks.
type internal Summary =
    {
        /// Parameters that are used up on every path.
        Consumes: Set<int>
        /// Parameters that are used up on some path.
        MayConsume: Set<int>
        /// Parameters that go where they are not followed.
        Loses: Set<int>
        /// Parameters that it calls, on the caller's thread.
        Runs: Set<int>
        /// Parameters that it calls in the body of an operation, with the builder of that.
        RunsInside: Map<int, Builder>
        /// Those of `Runs` that it calls while it holds a lock that belongs to the thread.
        RunsLocked: Set<int>
        /// How many such locks are held behind it, beyond those before it.
        Locks: int
        Returns: Returned
        /// The names of the fields that it writes.
        Writes: Set<string>
        /// It always ends in an exception.
        Raises: bool
        Blocks: Blockage option
    }

/// What a declaration does with an operation.
[<RequireQualifiedAccess>]
type internal Handling =
    /// It blocks until the operation is complete.
    | Waits
    /// It goes on, and nothing holds on to the operation.
    | Drops
    /// It starts the operation while it holds a lock that belongs to the thread.
    | Locks

/// A place where operations are handled: the results of functions, and blocks in the same declaration.
type internal Handled = { How: Handling; Call: Location; Functions: Set<string>; Blocks: Set<Location> }

/// The parts of a summary that are found on the way, and the operations that the declaration handles.
type internal Draft() =
    member val Runs: Set<int> = Set.empty with get, set
    member val RunsInside: Map<int, Builder> = Map.empty with get, set
    member val RunsLocked: Set<int> = Set.empty with get, set
    member val Writes: Set<string> = Set.empty with get, set
    member val Blocks: Blockage option = None with get, set
    /// The values of which none is complete while it blocks.
    member val BlocksFor: Value list = [] with get, set
    member val Handled = HashSet<Handled>()
