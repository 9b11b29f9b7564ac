// Layer: builders, over the combinators. Builders under the names of Ply, TaskBuilder.fs and IcedTasks. Users open the module of the
// library that the code was written for, in place of that library's namespace: so code changes its library by changing an `open`.
// The builder behind such a name keeps every promise of the original; its documentation lists the differences.
// docs/how-to/migrate-*.md list every name of each library.
namespace Plait.Migration

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait
open Plait.Kernel

/// Ply's names: `open Plait.Migration.Ply` for `open FSharp.Control.Tasks`.
module Ply =

    /// The type that `uply` returns. Await it once. (Ply ran the rest again at every read of a pending `Result`.)
    type Ply<'T> = Strand<'T>

    /// A completed value, in place of the constructor of Ply<'T>.
    let Ply<'T> (result: 'T) : Ply<'T> = Strand.Of result

    /// A Task<'T>; the same as `Plait.Tasks.task`.
    let task = Tasks.task

    /// A Task; the same as `Plait.Tasks.taskUnit`.
    let unitTask = Tasks.taskUnit

    /// A ValueTask<'T> that may be awaited many times: one that waits has a Task inside, as in Ply.
    let vtask = valueTask

    /// A ValueTask that may be awaited many times: one that waits has a Task inside, as in Ply.
    let unitVtask = valueTaskUnit

    /// Ply's unsafe names: `open Plait.Migration.Ply.Unsafe` for `open FSharp.Control.Tasks.Affine.Unsafe`. Ply keeps
    /// exceptions in the result here and lets contexts leak. The machines of this library are exact under these names:
    /// no context leaks. Where contexts may leak, `Plait.Unsafe` has cheaper ones.
    module Unsafe =

        /// Bound by another `uply` without a Task in between. Exceptions are in the result; a write to an AsyncLocal
        /// before the first wait may stay with the caller, as in Ply.
        let uply = Plait.Unsafe.strand

        /// A Task, exact.
        let uunitTask = Tasks.taskUnit

        /// A ValueTask<'T>, exact: 0 bytes while nothing waits.
        let uvtask = valueTask

        /// A ValueTask, exact: 0 bytes while nothing waits.
        let uunitVtask = valueTaskUnit

    /// The names of `Plait.Migration.Ply` where Ply has them too.
    module Affine =

        /// The same as `Plait.Migration.Ply.task`.
        let task = task

        /// The same as `Plait.Migration.Ply.unitTask`.
        let unitTask = unitTask

        /// The same as `Plait.Migration.Ply.vtask`.
        let vtask = vtask

        /// The same as `Plait.Migration.Ply.unitVtask`.
        let unitVtask = unitVtask

        /// The names of `Plait.Migration.Ply.Unsafe` where Ply has them too.
        module Unsafe =

            /// The same as `Plait.Migration.Ply.Unsafe.uply`.
            let uply = Unsafe.uply

            /// The same as `Plait.Migration.Ply.Unsafe.uunitTask`.
            let uunitTask = Unsafe.uunitTask

            /// The same as `Plait.Migration.Ply.Unsafe.uvtask`.
            let uvtask = Unsafe.uvtask

            /// The same as `Plait.Migration.Ply.Unsafe.uunitVtask`.
            let uunitVtask = Unsafe.uunitVtask

    /// Ply's names off the captured context: `open Plait.Migration.Ply.NonAffine` for
    /// `open FSharp.Control.Tasks.NonAffine`.
    module NonAffine =

        /// `task` off the captured context. The sequence of a `for` needs a known type here.
        let task = Plait.NonAffine.Tasks.task

        /// `unitTask` off the captured context. The sequence of a `for` needs a known type here.
        let unitTask = Plait.NonAffine.Tasks.taskUnit

        /// `vtask` off the captured context.
        let vtask = Plait.NonAffine.valueTask

        /// `unitVtask` off the captured context.
        let unitVtask = Plait.NonAffine.valueTaskUnit

        /// Ply's unsafe names off the captured context. All are exact: no context leaks.
        module Unsafe =

            /// `uply` off the captured context, exact.
            let uply = Plait.NonAffine.strand

            /// `uunitTask` off the captured context, exact.
            let uunitTask = Plait.NonAffine.Tasks.taskUnit

            /// `uvtask` off the captured context, exact.
            let uvtask = Plait.NonAffine.valueTask

            /// `uunitVtask` off the captured context, exact.
            let uunitVtask = Plait.NonAffine.valueTaskUnit

    /// The types of Ply's builders, to derive from, and the builders for code that opens
    /// `FSharp.Control.Tasks.Builders`, as Ply had it before 0.3.
    module Builders =

        /// The type of `task`.
        type TaskBuilder = Plait.TaskBuilder

        /// The type of `unitTask`.
        type UnitTaskBuilder = TaskUnitBuilder

        /// The type of `vtask`.
        type ValueTaskBuilder = Plait.ValueTaskBuilder

        /// The type of `unitVtask`.
        type UnitValueTaskBuilder = ValueTaskUnitBuilder

        /// The same as `Plait.Migration.Ply.task`.
        let task = task

        /// The same as `Plait.Migration.Ply.unitTask`.
        let unitTask = unitTask

        /// The same as `Plait.Migration.Ply.vtask`.
        let vtask = vtask

        /// The same as `Plait.Migration.Ply.unitVtask`.
        let unitVtask = unitVtask

        /// The types of Ply's unsafe builders, and the builders, for code that opens
        /// `FSharp.Control.Tasks.Builders.Unsafe`.
        module Unsafe =

            /// The type of `uply`.
            type UnsafePlyBuilder = UnsafeStrandBuilder<OnCaptured>

            /// The type of `uunitTask`.
            type UnsafeUnitTaskBuilder = TaskUnitBuilder

            /// The type of `uvtask`.
            type UnsafeValueTaskBuilder = Plait.ValueTaskBuilder

            /// The type of `uunitVtask`.
            type UnsafeUnitValueTaskBuilder = ValueTaskUnitBuilder

            /// The same as `Plait.Migration.Ply.Unsafe.uply`.
            let uply = Affine.Unsafe.uply

            /// The same as `Plait.Migration.Ply.Unsafe.uunitTask`.
            let uunitTask = Affine.Unsafe.uunitTask

            /// The same as `Plait.Migration.Ply.Unsafe.uvtask`.
            let uvtask = Affine.Unsafe.uvtask

            /// The same as `Plait.Migration.Ply.Unsafe.uunitVtask`.
            let uunitVtask = Affine.Unsafe.uunitVtask

        /// The types of Ply's builders off the captured context.
        module NonAffine =

            /// The type of `task`.
            type TaskBuilder = PooledTaskBuilder<Anywhere, Safe>

            /// The type of `unitTask`.
            type UnitTaskBuilder = PooledTaskUnitBuilder<Anywhere, Safe>

            /// The type of `vtask`.
            type ValueTaskBuilder = Plait.ValueTaskBuilder<Anywhere, Safe>

            /// The type of `unitVtask`.
            type UnitValueTaskBuilder = ValueTaskUnitBuilder<Anywhere, Safe>

            /// The types of Ply's unsafe builders off the captured context.
            module Unsafe =

                /// The type of `uply`.
                type UnsafePlyBuilder = StrandBuilder<Anywhere>

                /// The type of `uunitTask`.
                type UnsafeUnitTaskBuilder = PooledTaskUnitBuilder<Anywhere, Safe>

                /// The type of `uvtask`.
                type UnsafeValueTaskBuilder = Plait.ValueTaskBuilder<Anywhere, Safe>

                /// The type of `uunitVtask`.
                type UnsafeUnitValueTaskBuilder = ValueTaskUnitBuilder<Anywhere, Safe>

/// The names of TaskBuilder.fs: `open Plait.Migration.TaskBuilder` for `open FSharp.Control.Tasks.V2` and
/// `open FSharp.Control.Tasks.V2.ContextSensitive`.
module TaskBuilder =

    /// A Task<'T>; the same as `Plait.Tasks.task`. `return!` of a Task as the last step gives a Task of its own here.
    let task = Tasks.task

    /// The Task itself: one that gives nothing needs no wrapper. TaskBuilder.fs has it for old code only.
    let unitTask (task: Task) : Task = task

    /// Off the captured context: `open Plait.Migration.TaskBuilder.ContextInsensitive` for
    /// `open FSharp.Control.Tasks.V2.ContextInsensitive`.
    module ContextInsensitive =

        /// `task` off the captured context. The sequence of a `for` needs a known type here.
        let task = Plait.NonAffine.Tasks.task

        /// The Task off the captured context. TaskBuilder.fs has it for old code only.
        let unitTask (task: Task) : ConfiguredTaskAwaitable = task.ConfigureAwait false
