// The surroundings of code: the constructs around it, and the branches on the path to it. The interpreter passes a scope to the
// code inside, and a scope never changes; the session has the facts about values at a point.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

/// A jump of a decision to the target with this number, and the values of the target's variables.
type internal TakenJump = { Target: int; Arguments: Value list; State: State }

/// The call of a function of the declaration.
type internal LocalCall = { At: range; Callee: Callee }

type internal Scope =
    {
        /// The computation expression whose body this is.
        Builder: Builder option
        /// The outermost call that runs this code.
        Called: range option
        /// For a function that is written outside of the computation expression: its call inside, where rules report.
        CalledInside: LocalCall option
        /// The number of functions around it that run at another time.
        Depth: int
        /// It runs when its value is called or forced, on the thread that does that.
        IsDeferred: bool
        /// For a function that returns a Task without a computation expression: words for the caller's operation.
        Starter: Builder option
        /// The cold body around it; objects below this number are from outside of that body.
        Cold: (Builder * int) option
        /// The branches on the path to it, the latest first.
        Path: PathStep list
        /// The number of loops around it that are in their second iteration.
        SecondIterations: int
        /// For objects below this number a second use is not certain.
        UncertainBelow: int
        /// The code directly after the await of an operation that ran already, and the number of objects there.
        Continuation: (Code * int) option
        /// For a branch of a type test: what the other branches call by its asynchronous form, as Open for OpenAsync.
        Twins: Set<string>
        /// The `try` around it in the same body.
        Handler: Handler option
        /// Collects the objects that the code reads.
        Reads: HashSet<int>
        /// Collects the jumps of the decision around it.
        TakenJumps: List<TakenJump>
    }

    /// The body of a declaration.
    static member Outermost: Scope =
        {
            Builder = None
            Called = None
            CalledInside = None
            Depth = 0
            IsDeferred = false
            Starter = None
            Cold = None
            Path = []
            SecondIterations = 0
            UncertainBelow = 0
            Continuation = None
            Twins = Set.empty
            Handler = None
            Reads = HashSet()
            TakenJumps = List()
        }

    /// It runs at another time than the declaration.
    member scope.IsElsewhere: bool = scope.Depth > 0

    /// It runs on the caller's thread, outside of computation expressions.
    member scope.IsOnCaller: bool = scope.Builder.IsNone && not scope.IsElsewhere

    member scope.IsNextIteration: bool = scope.SecondIterations > 0

    /// The scope after one more branch.
    member scope.Through(at: range, says: string) : Scope =
        { scope with Path = PathStep.at at says :: scope.Path }

    /// The scope in a function that runs at another time.
    member scope.Elsewhere: Scope =
        { scope with Builder = None; Depth = scope.Depth + 1; IsDeferred = false; Starter = None }

    /// The scope in a function, a sequence or a lazy value: it runs when its value is called or forced.
    member scope.Deferred: Scope =
        { scope.Elsewhere with IsDeferred = true; Handler = None }
