// The builders, by the expression that names each after `open Plait`: what the snippets are compiled under.
module Plait.Repository.Tests.Builders

/// Builders whose expressions end in a value, one of each kernel.
let valued = [ "strand"; "pooledValueTask"; "Tasks.task" ]

/// Builders whose expressions end in nothing, one of each kernel.
let unvalued = [ "pooledValueTaskUnit"; "Tasks.taskUnit" ]

/// Those that have the members of these.
let unvaluedTwins =
    [ "valueTaskUnit"; "pooledTaskUnit"; "Unsafe.pooledValueTaskUnit"; "Tasks.backgroundTaskUnit" ]

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
