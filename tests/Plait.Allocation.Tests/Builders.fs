// The builders whose bytes are counted. Each module has the same names: `effect`, which is the builder, and `Effect`, the type
// that it returns, and `got`, its value. Shapes.fs is written with these names, and opens the module of one builder.
module Plait.Allocation.Tests.Builders

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Kernel

module Strands =
    type Effect<'a> = Strand<'a>
    let effect = strand
    let got (effect: Effect<'a>) : 'a = effect.Result

module UnsafeStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Unsafe.strand
    let got (effect: Effect<'a>) : 'a = effect.Result

module BareStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Unsafe.Bare.strand
    let got (effect: Effect<'a>) : 'a = effect.Result

module GuardedStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.Guarded.strand
    let got (effect: Effect<'a>) : 'a = effect.Result

module NonAffineStrands =
    type Effect<'a> = Strand<'a>
    let effect = Plait.NonAffine.strand
    let got (effect: Effect<'a>) : 'a = effect.Result

module Pooled =
    type Effect<'a> = ValueTask<'a>
    let effect = pooledValueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

module UnsafePooled =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.Unsafe.pooledValueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

module NonAffinePooled =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.NonAffine.pooledValueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

module ValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = valueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

module UnsafeValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.Unsafe.valueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

module NonAffineValueTasks =
    type Effect<'a> = ValueTask<'a>
    let effect = Plait.NonAffine.valueTask
    let got (effect: Effect<'a>) : 'a = effect.Result

/// `cancellableValueTask` whose functions are called at once: what a start costs, without the function.
type StartedCancellableValueTaskBuilder() =
    inherit CancellableValueTaskBuilder()

    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : ValueTask<'T> =
        this.Cancellable<'T, ValueTask<'T>, AsPooledValueTask<'T>, Safe> code CancellationToken.None

module Cancellables =
    type Effect<'a> = ValueTask<'a>
    let effect = StartedCancellableValueTaskBuilder()
    let got (effect: Effect<'a>) : 'a = effect.Result

/// The value of an Ok.
let private valueOf (result: Result<'a, string>) : 'a =
    match result with
    | Ok value -> value
    | Error _ -> Unchecked.defaultof<'a>

module PooledResults =
    type Effect<'a> = ValueTask<Result<'a, string>>
    let effect = pooledValueTaskResult
    let got (effect: Effect<'a>) : 'a = valueOf effect.Result

module StrandResults =
    type Effect<'a> = Strand<Result<'a, string>>
    let effect = strandResult
    let got (effect: Effect<'a>) : 'a = valueOf effect.Result
