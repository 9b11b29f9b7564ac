// Under test: control flow, compared with FSharp.Core's `task` over the same text, in every manner of completion.
module Plait.Tests.ControlFlow

open Xunit

open Plait.Tests.Programs

let programs = Cases.programsByKind _.Flow

let private flow = dict Catalogue.expectedFlow

let private expected =
    Cases.oracle (fun program manner -> Trace.run Builders.FSharpTasks.promise manner flow[program])

[<Theory; MemberData(nameof programs)>]
let ``a program has the same results as in task`` (builder: string) (program: string) (kind: string) =
    let subject = Cases.subject builder

    Cases.compare
        subject.Promise
        kind
        (subject.Flow |> List.find (fst >> (=) program) |> snd)
        (expected program)

let resultBuilders = Cases.resultBuilders

// what the comparison cannot show: that both are right
[<Theory; MemberData(nameof resultBuilders)>]
let ``ten thousand turns with and without suspensions give the right sum`` (builder: string) =
    let subject = Cases.result builder

    for every in [ 0; 1000; 7 ] do
        Assert.Equal(20_000, Within.result "The loop" (subject.Turns(10_000, every)))

[<Fact>]
let ``the comparison sees a finally, a handler and a disposal`` () =
    let trace program manner =
        Trace.run Builders.FSharpTasks.promise manner flow[program]

    let fails = { Name = ""; Suspends = (fun _ -> true); Fails = 2; Cancels = false }

    Assert.Equal("source 1\n1\nsource 2\ninner\nouter\nfaulted, by the source", trace "try finally" fails)

    Assert.Equal(
        "source 1\nbody 1\nsource 2\ncaught\nsource 3\nhandled 2\nsource 4\nafter\nsucceeded",
        trace "try with" fails
    )

    Assert.Equal(
        "source 1\nsource 2\ndispose second\ndispose first\nfaulted, by the source",
        trace "use" fails
    )
