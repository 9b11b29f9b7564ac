// Under test: what the stack trace of a failure says: the user's functions on its way, and nothing of the library.
namespace Plait.Tests

open System
open System.Runtime.CompilerServices
open System.Text.RegularExpressions
open System.Threading.Tasks
open Xunit

open Plait

/// Functions that fail in `broken`, at the end of a chain of awaits: before a wait where the gate is open, else after it.
module Failing =

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    let broken () : int = invalidOp "broken"

    let inner (gate: Task) =
        strand {
            do! gate
            return broken ()
        }

    /// The line of the `return` in `middle`.
    let afterTheAwait = int __LINE__ + 5

    let middle (gate: Task) =
        strand {
            let! x = inner gate
            return x + 1
        }

    let outer (gate: Task) =
        strand {
            let! x = middle gate
            return x + 1
        }

    /// A Task that fails: the first frame is its own.
    let innerBare (gate: Task) =
        Unsafe.Bare.strand {
            do! gate
            return broken ()
        }

    let middleBare (gate: Task) =
        Unsafe.Bare.strand {
            let! x = innerBare gate
            return x + 1
        }

    let outerBare (gate: Task) =
        strand {
            let! x = middleBare gate
            return x + 1
        }

    let awaitsTask (failing: Task<int>) =
        strand {
            let! x = failing
            return x + 1
        }

    let inLoop (gate: Task) =
        strand {
            let mutable sum = 0

            for _ in 1..3 do
                let! x = middle gate
                sum <- sum + x

            return sum
        }

    let inWhile (gate: Task) =
        strand {
            let mutable sum = 0

            while sum < 3 do
                let! x = middle gate
                sum <- sum + x

            return sum
        }

    let inSequence (gate: Task) =
        strand {
            let mutable sum = 0

            for _ in [ 1; 2 ] do
                let! x = middle gate
                sum <- sum + x

            do! gate
            return sum
        }

    let inTryFinally (gate: Task) =
        strand {
            try
                let! x = middle gate
                return x
            finally
                ignore gate
        }

    let inTryWith (gate: Task) =
        strand {
            try
                let! x = middle gate
                return x
            with :? ArgumentException ->
                return 0
        }

    let inUse (gate: Task) =
        strand {
            use _ =
                { new IDisposable with
                    member _.Dispose() = ()
                }

            let! x = middle gate
            return x
        }

    let forwards (gate: Task) =
        strand {
            do! Task.CompletedTask
            return! middle gate
        }

    let together (gate: Task) =
        strand {
            let! xs = Strand.whenAll [| middle gate; middle gate |]
            return xs[0]
        }

    let merged (gate: Task) =
        strand {
            let! x = middle gate
            and! y = middle gate
            return x + y
        }

    let mapped (gate: Task) =
        strand {
            let! x = Strand.map (fun x -> x + 1) (middle gate)
            return x
        }

    let rec deep (gate: Task) (n: int) : Strand<int> =
        strand {
            if n = 0 then
                do! gate
                return broken ()
            else
                let! x = deep gate (n - 1)
                return x + 1
        }

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    let throws (error: exn) : int = raise error

    let ofShared (gate: Task) (error: exn) =
        strand {
            do! gate
            return throws error
        }

    let outerOfShared (gate: Task) (error: exn) =
        strand {
            let! x = Strand.map (fun x -> x + 1) (ofShared gate error)
            return x
        }

    let rec deepInMap (gate: Task) (n: int) : Strand<int> =
        if n = 0 then inner gate else deepInMap gate (n - 1) |> Strand.map (fun x -> x + 1)

    let rec deepInWhenAll (gate: Task) (n: int) : Strand<int> =
        strand {
            if n = 0 then
                return! inner gate
            else
                let! xs = Strand.whenAll [| deepInWhenAll gate (n - 1) |]
                return xs[0]
        }

    let rec deepInMerge (gate: Task) (n: int) : Strand<int> =
        strand {
            if n = 0 then
                return! inner gate
            else
                let! x = deepInMerge gate (n - 1)
                and! y = Strand.result 1
                return x + y
        }

    let rec deepInTryWith (gate: Task) (n: int) : Strand<int> =
        strand {
            try
                if n = 0 then
                    return! inner gate
                else
                    let! x = deepInTryWith gate (n - 1)
                    return x + 1
            with :? ArgumentException ->
                return 0
        }

    let innerPooled (gate: Task) =
        pooledValueTask {
            do! gate
            return broken ()
        }

    let outerPooled (gate: Task) =
        pooledValueTask {
            let! x = innerPooled gate
            return x + 1
        }

    let innerTask (gate: Task) =
        Tasks.task {
            do! gate
            return broken ()
        }

    let outerTask (gate: Task) =
        Tasks.task {
            let! x = innerTask gate
            return x + 1
        }

module Traces =
    /// An operation that fails, before or after a wait, and the functions that its trace names, from the failure up.
    let private chains: (string * (Task -> Task<int>) * string list) list =
        [
            "let!", (fun gate -> (Failing.outer gate).AsTask()), [ "broken"; "inner"; "middle"; "outer" ]
            "for", (fun gate -> (Failing.inLoop gate).AsTask()), [ "broken"; "inner"; "middle"; "inLoop" ]
            "while", (fun gate -> (Failing.inWhile gate).AsTask()), [ "broken"; "inner"; "middle"; "inWhile" ]
            "for over a list",
            (fun gate -> (Failing.inSequence gate).AsTask()),
            [ "broken"; "inner"; "middle"; "inSequence" ]
            "try/with",
            (fun gate -> (Failing.inTryWith gate).AsTask()),
            [ "broken"; "inner"; "middle"; "inTryWith" ]
            "try/finally",
            (fun gate -> (Failing.inTryFinally gate).AsTask()),
            [ "broken"; "inner"; "middle"; "inTryFinally" ]
            "use", (fun gate -> (Failing.inUse gate).AsTask()), [ "broken"; "inner"; "middle"; "inUse" ]
            // the strand that it returns is its own
            "return!", (fun gate -> (Failing.forwards gate).AsTask()), [ "broken"; "inner"; "middle" ]
            "whenAll",
            (fun gate -> (Failing.together gate).AsTask()),
            [ "broken"; "inner"; "middle"; "together" ]
            "and!", (fun gate -> (Failing.merged gate).AsTask()), [ "broken"; "inner"; "middle"; "merged" ]
            "map", (fun gate -> (Failing.mapped gate).AsTask()), [ "broken"; "inner"; "middle"; "mapped" ]
            "Bare",
            (fun gate -> (Failing.outerBare gate).AsTask()),
            [ "broken"; "innerBare"; "middleBare"; "outerBare" ]
            "of a Task",
            (fun gate -> (Failing.awaitsTask (Failing.innerTask gate)).AsTask()),
            [ "broken"; "innerTask"; "awaitsTask" ]
            "pooledValueTask",
            (fun gate -> (Failing.outerPooled gate).AsTask()),
            [ "broken"; "innerPooled"; "outerPooled" ]
            "task", (fun gate -> Failing.outerTask gate), [ "broken"; "innerTask"; "outerTask" ]
        ]

    let cases: TheoryData<string, bool> =
        let data = TheoryData<string, bool>()

        for name, _, _ in chains do
            data.Add(name, false)
            data.Add(name, true)

        data

    /// The trace of an operation that waits for a gate and fails, or fails at once: one line a frame.
    let private trace (waits: bool) (start: Task -> Task<int>) : string list =
        let gate = TaskCompletionSource()

        if not waits then
            gate.SetResult()

        let operation = start gate.Task

        if waits then
            Assert.False operation.IsCompleted
            gate.SetResult()

        Within.error "The operation" operation |> ignore
        let error = Option.get (Option.ofObj operation.Exception)
        let inner = error.InnerException |> Option.ofObj |> Option.get
        [ for line in (string inner.StackTrace).Split '\n' -> line.Trim() ]

    let private functionOf = Regex @"^at Plait\.Tests\.Failing\.(\w+)(@[\d-]+\.\w+)?\("

    /// A frame of the library. A combinator is an await of its own, and has one frame, with its name.
    let private ofLibrary =
        Regex @"^at (Plait\.(?!Tests\.)|<StartupCode\$Plait>\.(?!\$Combine(Many)?\.\w+@\d+\.MoveNext))"

    /// The functions under test in a trace, from the failure up; one that has several frames in a row once.
    let private functions (trace: string list) : string list =
        let names =
            [
                for line in trace do
                    let frame = functionOf.Match line

                    if frame.Success then
                        frame.Groups[1].Value
            ]

        (names, [])
        ||> List.foldBack (fun name rest -> if List.tryHead rest = Some name then rest else name :: rest)

    let private shown (trace: string list) = String.concat "\n" trace

#if DEBUG && !ALWAYS_INLINE
    // closures of the library stand between those of the user, and awaits are made in them
    [<Theory; MemberData(nameof cases)>]
    let ``a trace names the function that failed, and its line`` (case: string) (waits: bool) =
        let _, start, expected = chains |> List.find (fun (name, _, _) -> name = case)
        let trace = trace waits start
        Assert.Equal<string list>(List.take 2 expected, List.truncate 2 (functions trace))
        Assert.Matches(@"Traces\.fs:line \d+$", trace[1])
#else
    [<Theory; MemberData(nameof cases)>]
    let ``a trace names every function that awaited the failure, and nothing of the library``
        (case: string)
        (waits: bool)
        =
        let _, start, expected = chains |> List.find (fun (name, _, _) -> name = case)
        let trace = trace waits start

        if functions trace <> expected then
            Assert.Fail $"%A{functions trace}\n{shown trace}"

        if trace |> List.exists (fun line -> ofLibrary.IsMatch line) then
            Assert.Fail(shown trace)

    [<Fact>]
    let ``the number of a frame after a wait is the line where the code after the await begins`` () =
        let trace = trace true (fun gate -> (Failing.outer gate).AsTask())

        if
            not (
                trace
                |> List.exists _.StartsWith($"at Plait.Tests.Failing.middle@{Failing.afterTheAwait}")
            )
        then
            Assert.Fail(shown trace)

    [<Theory; InlineData(true); InlineData(false)>]
    let ``the trace of a failure a thousand levels deep ends after a hundred`` (waits: bool) =
        let start gate =
            Within.thread "The way down" (64 * 1024 * 1024) (fun () -> (Failing.deep gate 1_000).AsTask())

        let levels = trace waits start |> List.filter _.Contains(".deep") |> List.length

        Assert.InRange(levels, 100, 400)

    [<Theory; InlineData(true); InlineData(false)>]
    let ``one instance of an exception that fails again and again has its whole trace each time``
        (waits: bool)
        =
        let shared = InvalidOperationException "shared"

        for _ in 1..250 do
            let trace = trace waits (fun gate -> (Failing.outerOfShared gate shared).AsTask())
            let expected = [ "throws"; "ofShared"; "outerOfShared" ]

            if functions trace <> expected then
                Assert.Fail(shown trace)

    // each throw copies the trace: one that grew at each level would take time in proportion to the square of the depth
    [<Theory>]
    [<InlineData("map", true); InlineData("map", false)>]
    [<InlineData("whenAll", true); InlineData("whenAll", false)>]
    [<InlineData("and!", true); InlineData("and!", false)>]
    [<InlineData("try/with", true); InlineData("try/with", false)>]
    let ``the trace of a failure two thousand levels deep does not grow with the depth``
        (case: string)
        (waits: bool)
        =
        let chain =
            match case with
            | "map" -> Failing.deepInMap
            | "whenAll" -> Failing.deepInWhenAll
            | "and!" -> Failing.deepInMerge
            | _ -> Failing.deepInTryWith

        let start gate =
            Within.thread "The way down" (64 * 1024 * 1024) (fun () -> (chain gate 2_000).AsTask())

        Assert.InRange((trace waits start).Length, 50, 1_500)
#endif
