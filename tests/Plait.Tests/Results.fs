// Under test: results of every type, generic code, `return!` of every awaitable.
module Plait.Tests.Results

open System
open Xunit

open Plait.Tests.Programs

type Big = { A: int64; B: int64; C: string; D: Guid; E: decimal; F: DateTime }

let resultBuilders = Cases.resultBuilders

let returned =
    [|
        for subject in Catalogue.results do
            for name, _ in subject.Returned do
                for kind, _ in Manner.kinds do
                    Cases.row subject.Promise [ name; kind ]
    |]

let private law (subject: ResultSubject) (value: 'T) =
    for yields in [ 0; 1; 3 ] do
        Assert.Equal<'T>(value, Within.result "It" (subject.Generic(value, yields)))

    Assert.Equal<'T list>([ value; value ], Within.result "It" (subject.Twice value))
    Assert.Equal<'T>(value, Within.result "It" (subject.Awaits(System.Threading.Tasks.Task.FromResult value)))

[<Theory; MemberData(nameof resultBuilders)>]
let ``a result of any type comes back`` (builder: string) =
    let subject = Cases.result builder
    law subject 42
    law subject "text"
    law subject true
    law subject (struct (1, 2L, 3.0, "four"))
    law subject (Some [ 1; 2 ])
    law subject 7.5m

    law
        subject
        {
            A = 1L
            B = 2L
            C = "three"
            D = Guid "00000000-0000-0000-0000-000000000004"
            E = 5m
            F = DateTime.UnixEpoch
        }

    law subject ()
    law subject (None: int option)

[<Theory; MemberData(nameof returned)>]
let ``return! gives the result of every awaitable, or its error``
    (builder: string)
    (awaitable: string)
    (kind: string)
    =
    let subject = Cases.result builder
    let program = subject.Returned |> List.find (fst >> (=) awaitable) |> snd

    for manner in Cases.kinds kind do
        if manner.Fails <= 1 then
            let given = Given manner

            let operation =
                try
                    program given
                with error when not subject.Promise.Captures ->
                    System.Threading.Tasks.Task.FromException<int> error

            if manner.Fails = 0 then
                Assert.Equal(7, Within.result $"It ({manner})" operation)
            else
                let error = Within.error $"It ({manner})" operation

                if manner.Cancels then
                    Assert.Equal(
                        given.Token,
                        (Assert.IsAssignableFrom<OperationCanceledException> error).CancellationToken
                    )
                else
                    Assert.Same(given.Error, error)

[<Theory; MemberData(nameof resultBuilders)>]
let ``recursion gives its result if some levels suspend`` (builder: string) =
    let subject = Cases.result builder
    Assert.Equal(Seq.reduce (*) [ 1I .. 20I ], Within.result "It" (subject.Factorial 20))
