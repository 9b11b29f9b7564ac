// The builders, by the expression that names each after `open Plait`: what the snippets are compiled under.
module Plait.Repository.Tests.Builders

open System.Collections.Generic
open Xunit

/// Builders whose expressions end in a value, one of each class.
let valued =
    [ "strand"; "pooledValueTask"; "valueTask"; "pooledTask"; "Tasks.task" ]

/// Builders whose expressions end in nothing.
let unvalued =
    [
        "pooledValueTaskUnit"
        "valueTaskUnit"
        "pooledTaskUnit"
        "Tasks.taskUnit"
        "Tasks.backgroundTaskUnit"
    ]

/// The same members again with another result or another choice of context or care, by kernel.
let twins =
    [
        "strands", [ "Unsafe.strand"; "Guarded.strand"; "Unsafe.Bare.strand"; "NonAffine.strand" ]
        "machines",
        [
            "valueTask"
            "pooledTask"
            "Unsafe.pooledValueTask"
            "NonAffine.valueTask"
            "Unsafe.pooledTask"
            "NonAffine.pooledValueTask"
            "Unsafe.valueTask"
            "NonAffine.pooledTask"
            "Tasks.backgroundTask"
        ]
    ]

/// Those that have the members of another builder before them, and only another result.
let private alike =
    [ "valueTask"; "pooledTask"; "valueTaskUnit"; "pooledTaskUnit"; "Tasks.backgroundTaskUnit" ]

/// Builders as rows of a theory. Where the members are those of another row, the row is for `make test-more`.
let rows (builders: string list) =
    [|
        for builder in builders do
            let row = TheoryDataRow<string> builder

            if List.contains builder alike then
                row.Traits["run"] <- HashSet [ "more" ]

            row
    |]
