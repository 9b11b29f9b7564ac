// The summary of a declaration for its callers: the effects of a call.
namespace Plait.Check

open System.Collections.Generic

/// The result of a function by its parameters: object N of these values is parameter N.
type internal Returned =
    {
        Value: Value
        /// The completion of the returned operation implies that of these.
        Implies: Value list
        AwaitResult: AwaitResult
        /// It is a function that starts an operation.
        IsFunction: bool
        /// It is an operation that each call creates.
        IsNew: bool
        /// Dropping the result loses nothing.
        MayDrop: bool
        /// It is a collection, and all its operations are complete.
        IsComplete: bool
        /// The class of the result, if the function calls a known constructor.
        Class: string option
        /// It is a stream, a reader or a writer to another process or machine.
        IsRemote: bool
    }

/// The effects of a call of a function on its parameters, and whether it blocks.
type internal Summary =
    {
        /// Parameters that every path uses up.
        Consumes: Set<int>
        /// Parameters that some path uses up.
        MayConsume: Set<int>
        /// Parameters that escape into code that the analysis does not follow.
        Escapes: Set<int>
        /// Parameters that it calls, on the caller's thread.
        Runs: Set<int>
        /// Parameters that it calls in a computation expression, with the builder.
        RunsInside: Map<int, Builder>
        /// Parameters that it disposes, on the caller's thread.
        Disposes: Set<int>
        /// Those of `Runs` that it calls while it holds a lock of the thread.
        RunsLocked: Set<int>
        /// Its long wait if the parameter is a stream, a reader or a writer to another process or machine.
        BlocksIfRemote: Map<int, BlockingCall>
        /// Locks of the thread that it takes and does not release.
        Locks: int
        Returns: Returned
        /// The names of the fields that it writes.
        Writes: Set<string>
        /// It may write single-use elements of arrays.
        WritesElements: bool
        /// It always ends in an exception.
        Raises: bool
        Blocks: BlockingCall option
    }

/// The summaries of the check's declarations.
type internal SummaryLookup =
    {
        /// The summary of a function or a value, by its key.
        Summary: string -> Summary option
        /// The summaries of the members that implement an abstract one, by its name.
        Implementations: string -> Summary option list
        /// The members of a class that implement or override one, by the names of both and its parameters, each with its key. Several,
        /// if the class implements a generic interface twice, or overloads of it: a call does not tell which of them it means.
        Overrides: string -> string -> string -> (string * Summary option) list
    }

/// The use of an operation at a site.
[<RequireQualifiedAccess>]
type internal SiteKind =
    /// The declaration blocks until the operation is complete.
    | Waits
    /// The declaration drops the operation.
    | Drops
    /// The declaration starts the operation while it holds a lock of the thread.
    | Locks

/// A call with an operation. `Functions`: the keys of the functions that may have returned it. `Blocks`: the computation expressions of
/// the declaration that may be it.
type internal OperationSite =
    { Kind: SiteKind; Call: Location; Functions: Set<string>; Blocks: Set<Location> }

/// The part of a summary that the interpretation collects, and the sites of operations.
type internal PartialSummary() =
    member val Runs: Set<int> = Set.empty with get, set
    member val RunsInside: Map<int, Builder> = Map.empty with get, set
    member val RunsLocked: Set<int> = Set.empty with get, set
    member val Disposes: Set<int> = Set.empty with get, set
    member val Writes: Set<string> = Set.empty with get, set
    member val WritesElements = false with get, set
    member val Blocks: BlockingCall option = None with get, set
    /// It blocks only while each of these is incomplete.
    member val BlocksFor: Value list = [] with get, set
    member val BlocksIfRemote: Map<int, BlockingCall> = Map.empty with get, set
    member val Sites = HashSet<OperationSite>()
