// The place of code in the interpretation: the constructs around it, and the branches that led there. A scope is
// passed on to the code inside and never changed; the session has the facts about values at a point.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

module internal Ranges =
    let location (at: range) : Location =
        {
            File = at.FileName
            Line = at.StartLine
            Column = at.StartColumn + 1
            EndLine = at.EndLine
            EndColumn = at.EndColumn + 1
        }

    /// Whether a place is in a part of a file.
    let isIn (part: Location) (place: Location) : bool =
        part.File = place.File
        && (part.Line, part.Column) <= (place.Line, place.Column)
        && (part.EndLine, part.EndColumn) >= (place.EndLine, place.EndColumn)

/// Collects the states from which the body of a `try` may be left by an exception. `before`: the one before the body.
type internal Handler(before: State) =
    // from the calls inside, and not from the code before them
    let mutable thrown = { before with IsAlive = false }
    let mutable last: State option = None

    /// An exception may come from this state.
    member _.From(state: State) : unit =
        let isKnown =
            match last with
            | Some last -> obj.ReferenceEquals(last.Facts, state.Facts) && last.Locks = state.Locks
            | None -> false

        if state.IsAlive && not isKnown then
            thrown <- State.join thrown state
            last <- Some state

    /// The facts where an exception was caught; not alive if none may come.
    member _.Thrown: State = thrown

/// A jump of a decision to the target with this number, with values for the variables of the target.
type internal Arrival = { Target: int; Given: Value list; State: State }

type internal Scope =
    {
        /// The computation expression whose body this is.
        Builder: Builder option
        /// It runs at another time than the declaration around it.
        IsElsewhere: bool
        /// It runs when its value is called or forced: it blocks whoever does that.
        IsDeferred: bool
        /// For a function without a computation expression that returns a Task: the operation that it blocks the caller in.
        Starter: Builder option
        /// The body around it that may run again, and the number below which objects are from outside of that body.
        Cold: (Builder * int) option
        /// The branches that were taken to come here, the latest first.
        Trail: PathStep list
        /// How many of the loops around it are in their second turn.
        SecondTurns: int
        /// Objects below this number are perhaps not used again by the second turn.
        DoubtBelow: int
        /// The code directly behind the await of an operation that ran already, and the number of objects at that
        /// point.
        Next: (Code * int) option
        /// The `try` around it in the same body.
        Handler: Handler option
        /// Collects the objects that are read.
        Reads: HashSet<int>
        /// Collects the jumps of the decision around it.
        Arrivals: List<Arrival>
    }

    /// The body of a declaration.
    static member Outermost: Scope =
        {
            Builder = None
            IsElsewhere = false
            IsDeferred = false
            Starter = None
            Cold = None
            Trail = []
            SecondTurns = 0
            DoubtBelow = 0
            Next = None
            Handler = None
            Reads = HashSet()
            Arrivals = List()
        }

    /// It runs on the thread of the declaration's caller, outside of computation expressions.
    member scope.IsOnCaller: bool = scope.Builder.IsNone && not scope.IsElsewhere

    member scope.IsNextTurn: bool = scope.SecondTurns > 0

    /// Behind one more branch.
    member scope.Through(at: range, says: string) : Scope =
        { scope with Trail = { Location = Ranges.location at; Says = says } :: scope.Trail }

    /// In a function that runs at another time.
    member scope.Elsewhere: Scope =
        { scope with Builder = None; IsElsewhere = true; IsDeferred = false; Starter = None }

    /// In a function that runs when it is called, or in a sequence or a lazy value that runs when it is forced.
    member scope.Deferred: Scope =
        { scope.Elsewhere with IsDeferred = true; Handler = None }
