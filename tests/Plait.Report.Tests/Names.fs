// The name that was probably meant.
module Plait.Report.Tests.Names

open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Tests.Support

let private words =
    Gen.listOf (Gen.elements [ 'a'; 'b'; 'c' ])
    |> Gen.map (List.truncate 7 >> List.toArray >> System.String)

[<Fact>]
let ``the distance of names is a metric`` () =
    Laws.forEach 300 (Gen.three words) (fun (a, b, c) ->
        let distance = NearestName.distance

        distance a a = 0
        && (a = b || distance a b > 0)
        && distance a b = distance b a
        && distance a c <= distance a b + distance b c
        && distance a "" = a.Length)

[<Fact>]
let ``an added, a missing or another letter is a distance of one`` () =
    for a, b in [ "strand", "strands"; "strand", "stran"; "strand", "strant"; "task", "tasj" ] do
        Assert.Equal(1, NearestName.distance a b)

    Assert.Equal(3, NearestName.distance "kitten" "sitting")

let private known =
    [ "sync"; "sync-again"; "strand"; "strand-bare"; "task"; "pooled-value-task"; "csharp-value-task" ]

/// What was typed, and what was meant.
let private typed =
    [
        "strnd", Some "strand"
        "strand", Some "strand"
        "tsk", Some "task"
        "pooled", Some "pooled-value-task"
        "pooled-valuetask", Some "pooled-value-task"
        "sync-agian", Some "sync-again"
        "elephant", None
        "", None
    ]

[<Fact>]
let ``the nearest name is suggested, and no name if all are far`` () =
    for typed, expected in typed do
        Assert.Equal(expected, NearestName.find known typed)

    Assert.Equal(None, NearestName.find [] "strand")
