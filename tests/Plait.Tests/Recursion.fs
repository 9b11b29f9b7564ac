// Under test: deep recursion, and what `return!` keeps in memory.
// DeepRecursion, LoopsFlat.
namespace Plait.Tests

open System
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs

module Recursion =
    let resultBuilders = Cases.resultBuilders

    [<Theory; MemberData(nameof resultBuilders)>]
    let ``a hundred thousand yielding return! end with the right value`` (builder: string) =
        let subject = Cases.result builder
        let steps = 100_000
        Assert.Equal(int64 steps, Within.result "It" (subject.YieldingTail steps))

    [<Theory; MemberData(nameof resultBuilders)>]
    let ``ten thousand levels that all wait for the deepest one`` (builder: string) =
        let subject = Cases.result builder
        // on a stack that is large enough for the way down, which is ordinary calls
        let operation =
            Within.thread "The way down" (256 * 1024 * 1024) (fun () -> subject.Depth 10_000)

        Assert.Equal(10_000, Within.result "It" operation)

    [<Theory; MemberData(nameof resultBuilders)>]
    let ``synchronous recursion a thousand levels deep`` (builder: string) =
        let subject = Cases.result builder

        let operation =
            Within.thread "It" (64 * 1024 * 1024) (fun () -> subject.SynchronousTail 1_000)

        Assert.Equal(1_000L, Within.result "It" operation)

#if DEBUG
    // the compiler makes no tail calls in a Debug build: each step is a call
    let private steps = 1_000
#else
    let private steps = 1_000_000
#endif

    [<Fact>]
    let ``a million synchronous return! of the bare strand run in constant stack`` () =
        let operation =
            Within.thread "It" (1024 * 1024) (fun () -> BareStrandResults.synchronousTail steps 0L)

        Assert.True operation.IsCompleted
        Assert.Equal(int64 steps, operation.Result)

/// What is alive in the middle of a long chain.
[<Collection("alone")>]
type TailMemory() =
    static let chains: (string * (Gate -> int -> Task<int64>)) list =
        [
            "strand", (fun gate n -> (StrandResults.gatedTail gate n 0L).AsTask())
            "Unsafe.strand", (fun gate n -> (UnsafeStrandResults.gatedTail gate n 0L).AsTask())
            "Unsafe.Bare.strand", (fun gate n -> (BareStrandResults.gatedTail gate n 0L).AsTask())
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
        Assert.True(growth < 300_000L, $"{growth:N0} bytes stay alive behind 998,000 steps.")
