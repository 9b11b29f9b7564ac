// Under test: deep recursion in every builder with a result.
module Plait.Tests.Depth

open Xunit

let resultBuilders = Cases.resultBuilders

[<Theory; MemberData(nameof resultBuilders)>]
let ``a hundred thousand yielding return! end with the right value`` (builder: string) =
    let subject = Cases.result builder
    let steps = 100_000
    Assert.Equal(int64 steps, Within.result "It" (subject.YieldingTail steps))

[<Theory; MemberData(nameof resultBuilders)>]
let ``ten thousand levels that all wait for the deepest one end`` (builder: string) =
    let subject = Cases.result builder
    // on a stack that is large enough for the way down, which is ordinary calls
    let operation =
        Within.thread "The way down" (256 * 1024 * 1024) (fun () -> subject.Depth 10_000)

    Assert.Equal(10_000, Within.result "It" operation)

[<Theory; MemberData(nameof resultBuilders)>]
let ``synchronous recursion a thousand levels deep ends`` (builder: string) =
    let subject = Cases.result builder

    let operation =
        Within.thread "It" (64 * 1024 * 1024) (fun () -> subject.SynchronousTail 1_000)

    Assert.Equal(1_000L, Within.result "It" operation)
