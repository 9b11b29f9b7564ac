// Under test: every awaitable in every builder, under let!, do!, return!, use! and match!.
module Plait.Tests.Binding

open Xunit

open Plait.Tests.Programs

let values = Cases.programsByKind (fun subject -> subject.Values)
let units = Cases.programsByKind _.Units
let usings = Cases.programsByKind _.Usings
let builders = Cases.builders

let private ending (manner: Manner) =
    match manner.Fails, manner.Cancels with
    | 1, true -> Some "cancelled, with its token"
    | 1, false -> Some "faulted, by the source"
    | _ -> None

/// What a program with one source does.
let private expected (success: string list) (manner: Manner) =
    match ending manner with
    | Some ending -> $"source 1\n{ending}"
    | None -> String.concat "\n" ([ "source 1" ] @ success @ [ "succeeded" ])

let private check programs builder program kind success =
    let subject = Cases.subject builder

    Cases.compare
        subject.Promise
        kind
        (programs subject |> List.find (fst >> (=) program) |> snd)
        (expected success)

[<Theory; MemberData(nameof values)>]
let ``an awaitable with a result gives it, or its error``
    (builder: string)
    (awaitable: string)
    (kind: string)
    =
    check _.Values builder awaitable kind [ "got 7" ]

[<Theory; MemberData(nameof units)>]
let ``an awaitable without a result ends, or gives its error``
    (builder: string)
    (awaitable: string)
    (kind: string)
    =
    check _.Units builder awaitable kind []

[<Theory; MemberData(nameof usings)>]
let ``an awaited disposable is disposed after the body``
    (builder: string)
    (awaitable: string)
    (kind: string)
    =
    check _.Usings builder awaitable kind [ "body"; "dispose it" ]

[<Theory; MemberData(nameof builders)>]
let ``Task.Yield suspends and goes on`` (builder: string) =
    let subject = Cases.subject builder
    Assert.Equal("once\nsucceeded", Trace.run subject.Promise Manner.succeeding.Head subject.Yields)

[<Theory; MemberData(nameof builders)>]
let ``a loop over a range runs from its start to before its end`` (builder: string) =
    let subject = Cases.subject builder

    for manner in Manner.succeeding do
        Assert.Equal(
            "source 1\n10\nsource 2\n20\nsource 3\n30\nsucceeded",
            Trace.run subject.Promise manner subject.Ranges
        )
