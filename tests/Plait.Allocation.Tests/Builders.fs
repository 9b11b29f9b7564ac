// The builders whose bytes are counted. Each module has the same names: `effect`, which is the builder, and `Effect`, the type
// that it returns. Shapes.fs is written with these names, and opens the module of one builder.
module Plait.Allocation.Tests.Builders

open System.Threading.Tasks

open Plait

module Strands =
    type Effect<'a> = Strand<'a>
    let effect = strand

module UnsafeStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Unsafe.strand

module BareStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Unsafe.Bare.strand

module GuardedStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Guarded.strand

module NonAffineStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.NonAffine.strand

module Pooled =
    type Effect<'a> = ValueTask<'a>
    let effect = pooledValueTask

module UnsafePooled =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.Unsafe.pooledValueTask

module NonAffinePooled =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.NonAffine.pooledValueTask

module ValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = valueTask

module UnsafeValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.Unsafe.valueTask

module NonAffineValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.NonAffine.valueTask
