// Under test: deep recursion in strands, and what `return!` keeps in memory.
namespace Plait.Tests

open System
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs

module Recursion =
#if DEBUG
    // the compiler makes no tail calls in a Debug build: each step is a call
    let private steps = 1_000
#else
    let private steps = 1_000_000
#endif

    [<Fact>]
    let ``a million synchronous return! of the bare strand run in constant stack`` () =
        let operation =
            Within.thread "It" (1024 * 1024) (fun () -> BareStrand.Results.synchronousTail steps 0L)

        Assert.True operation.IsCompleted
        Assert.Equal(int64 steps, operation.Result)

/// The guarded strand: any depth, no tail call.
module GuardedRecursion =
    let private deep = 1_000_000

    /// Adds up on the way back, so that every level is alive at once; the deepest waits, fails, or just ends.
    let rec private sum (bottom: unit -> Strand<int64>) (n: int) : Strand<int64> =
        Guarded.strand {
            if n = 0 then
                return! bottom ()
            else
                let! below = sum bottom (n - 1)
                return below + 1L
        }

    /// Starts on a small stack, which a hundredth of the depth would use up.
    let private onSmallStack (depth: int) (bottom: unit -> Strand<int64>) : Task<int64> =
        Within.thread "The way down" (256 * 1024) (fun () -> (sum bottom depth).AsTask())

    [<Fact>]
    let ``a million levels end without a suspension`` () =
        Assert.Equal(int64 deep, Within.result "It" (onSmallStack deep (fun () -> Strand<int64>.Of 0L)))

    [<Fact>]
    let ``a million levels over one that waits give the sum`` () =
        let bottom () =
            strand {
                do! Task.Yield()
                return 5L
            }

        Assert.Equal(int64 deep + 5L, Within.result "It" (onSmallStack deep bottom))

    let private fails (error: exn) (suspends: bool) : Strand<int64> =
        strand {
            if suspends then
                do! Task.Yield()

            return raise error
        }

    [<Theory; InlineData false; InlineData true>]
    let ``an error a hundred thousand levels down arrives unchanged, in time`` (suspends: bool) =
        // if every level threw it again, and so copied its stack trace, this would take hours
        let error = InvalidOperationException "at the bottom"
        let operation = onSmallStack 100_000 (fun () -> fails error suspends)
        Assert.Same(error, Within.error "It" operation)
        Assert.Contains("fails", error.StackTrace)

    /// Every statement that an error can come through, and an end behind it that counts.
    let rec private through (bottom: unit -> Strand<unit>) (ends: int ref) (n: int) : Strand<unit> =
        Guarded.strand {
            if n = 0 then
                do! bottom ()
            else
                try
                    for _ in [ 1 ] do
                        do! through bottom ends (n - 1)
                        failwith "not reached"

                    while true do
                        failwith "not reached"
                finally
                    ends.Value <- ends.Value + 1
        }

    [<Theory; InlineData false; InlineData true>]
    let ``loops and finally blocks after a deep error run in time, once each`` (suspends: bool) =
        let error = InvalidOperationException "at the bottom"
        let ends = ref 0

        let bottom () =
            strand {
                let! _ = fails error suspends
                return ()
            }

        let operation =
            Within.thread "The way down" (256 * 1024) (fun () -> (through bottom ends 50_000).AsTask())

        Assert.Same(error, Within.error "It" operation)
        Assert.Equal(50_000, ends.Value)

    [<Fact>]
    let ``the stack trace of an error names each of the fifty levels it came through at once`` () =
        let error = InvalidOperationException "at the bottom"
        Within.error "It" (onSmallStack 50 (fun () -> fails error false)) |> ignore

        let levels =
            (string error.StackTrace).Split '\n' |> Array.filter _.Contains("GuardedRecursion.sum")

        Assert.True(levels.Length >= 50, $"{levels.Length} levels are named:\n{error.StackTrace}")

    [<Fact>]
    let ``a handler far above the throw handles the error`` () =
        let handled (n: int) : Strand<int64> =
            Guarded.strand {
                try
                    return! sum (fun () -> fails (InvalidOperationException "at the bottom") false) n
                with :? InvalidOperationException as error ->
                    return int64 error.Message.Length
            }

        let operation =
            Within.thread "The way down" (256 * 1024) (fun () -> (handled 10_000).AsTask())

        Assert.Equal(13L, Within.result "It" operation)

    [<Fact>]
    let ``levels on other stacks see the caller's AsyncLocal, and the caller none of theirs`` () =
        let local = Threading.AsyncLocal<int64>()

        let run () =
            local.Value <- 7L

            let operation =
                (sum
                    (fun () ->
                        let seen = local.Value
                        local.Value <- 8L
                        Strand<int64>.Of seen)
                    100_000)
                    .AsTask()

            operation, local.Value

        let operation, left = Within.thread "The way down" (512 * 1024) run
        Assert.Equal(100_007L, Within.result "It" operation)
        Assert.Equal(7L, left)

    /// Runs what is posted to it at once, on the stack of whoever posts.
    type private Immediate() =
        inherit Threading.SynchronizationContext()
        override _.Post(callback, state) = callback.Invoke state
        override context.CreateCopy() = context

    [<Fact>]
    let ``a SynchronizationContext that posts by calling does not overflow the stack`` () =
        let run () =
            Threading.SynchronizationContext.SetSynchronizationContext(Immediate())
            (sum (fun () -> Strand<int64>.Of 0L) 100_000).AsTask()

        let operation = Within.thread "The way down" (512 * 1024) run
        Assert.Equal(100_000L, Within.result "It" operation)

    [<Fact>]
    let ``levels stay on the caller's SynchronizationContext`` () =
        let seen =
            HomeContext.Run(
                "it",
                fun context ->
                    (sum (fun () -> Strand<int64>.Of(if context.IsHere then 1L else 0L)) 100_000).AsTask()
            )

        Assert.Equal(100_001L, seen)

/// What is alive in the middle of a long chain.
[<Collection("alone")>]
type TailMemory() =
    static let chains: (string * (Gate -> int -> Task<int64>)) list =
        [
            "strand", (fun gate n -> (Strand.Results.gatedTail gate n 0L).AsTask())
#if !DEBUG
            "Unsafe.strand", (fun gate n -> (UnsafeStrand.Results.gatedTail gate n 0L).AsTask())
#endif
            "Unsafe.Bare.strand", (fun gate n -> (BareStrand.Results.gatedTail gate n 0L).AsTask())
        ]

    static member Chains = [| for name, _ in chains -> TheoryDataRow [| box name |] |]

    [<Theory; MemberData(nameof TailMemory.Chains)>]
    member _.``a million suspending return! keep no chain``(form: string) =
        let gate = Gate()
        let steps = 1_000_000
        let operation = (dict chains)[form] gate steps

        let opened (count: int) =
            for _ in 1..count do
                gate.Open()

        opened 1_000
        let before = GC.GetTotalMemory true
        opened (steps - 2_000)
        let growth = GC.GetTotalMemory true - before
        opened 1_000
        Assert.Equal(int64 steps, Within.result "It" operation)
        // a chain of the smallest objects has 24 MB; the rest of the process may grow as well
        Assert.True(growth < 12_000_000L, $"{growth:N0} bytes stay alive behind 998,000 steps.")
