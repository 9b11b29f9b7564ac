// Layer: builders. The builders under the names of other libraries. Users open them explicitly, so that code changes
// its library by changing an `open`. A builder behind such a name keeps every promise of the original; its
// documentation says what differs. There are no cold and cancellable builders.
namespace Plait

open System.Runtime.CompilerServices
open System.Threading.Tasks

/// The builders under the names of Ply, TaskBuilder.fs and IcedTasks. Open the module of the library that the code was
/// written for in place of that library's namespace.
module Migration =

    /// Ply's names: `open Plait.Migration.Ply` for `open FSharp.Control.Tasks`.
    module Ply =

        /// The type that `uply` returns. Await it once. (Ply ran the rest again at every read of a pending `Result`.)
        type Ply<'T> = Strand<'T>

        /// A Task<'T>; the same as `Plait.Tasks.task`.
        let task = Tasks.task

        /// A Task; the same as `Plait.Tasks.taskUnit`.
        let unitTask = Tasks.taskUnit

        /// A ValueTask<'T> that may be awaited many times: where it waits there is a Task inside, as in Ply.
        let vtask = valueTask

        /// A ValueTask that may be awaited many times: where it waits there is a Task inside, as in Ply.
        let unitVtask = valueTaskUnit

        /// Ply's unsafe names: `open Plait.Migration.Ply.Unsafe` for `open FSharp.Control.Tasks.Affine.Unsafe`. Ply keeps
        /// exceptions in the result here and lets contexts leak. The machines of this library are exact under these names:
        /// no context leaks. Where contexts may leak, `Plait.Unsafe` has cheaper ones.
        module Unsafe =

            /// Bound by another `uply` without a Task in between. Exceptions are in the result; what is written to an
            /// AsyncLocal before the first wait may stay with the caller, as in Ply.
            let uply = Plait.Unsafe.strand

            /// A Task, exact.
            let uunitTask = Tasks.taskUnit

            /// A ValueTask<'T>, exact: 0 bytes while nothing waits.
            let uvtask = valueTask

            /// A ValueTask, exact: 0 bytes while nothing waits.
            let uunitVtask = valueTaskUnit

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

    /// The names of IcedTasks for hot results: `open Plait.Migration.IcedTasks` for `open IcedTasks`. coldTask,
    /// cancellableTask, cancellableValueTask, their background forms, asyncEx and parallelAsync are not here.
    module IcedTasks =

        /// A ValueTask<'T> that may be awaited many times: where it waits there is a Task inside. `and!` waits for all
        /// before the first error is thrown.
        let valueTask = valueTask

        /// The short name of `valueTask`.
        let vTask = valueTask

        /// A ValueTask that may be awaited many times: where it waits there is a Task inside.
        let valueTaskUnit = valueTaskUnit

        /// A pooled ValueTask<'T>, awaited once as in IcedTasks. Its pool is not the BCL's: an early read is refused, and
        /// harms no other operation.
        let poolingValueTask = pooledValueTask

        /// The short name of `poolingValueTask`.
        let pvTask = pooledValueTask

        /// A Task; the same as `Plait.Tasks.taskUnit`.
        let taskUnit = Tasks.taskUnit

        /// A Task that never runs on the caller's context; the same as `Plait.Tasks.backgroundTaskUnit`.
        let backgroundTaskUnit = Tasks.backgroundTaskUnit

        /// `open Plait.Migration.IcedTasks.Polyfill` for `open IcedTasks.Polyfill.Task`.
        module Polyfill =

            /// A Task<'T>; the same as `Plait.Tasks.task`.
            let task = Tasks.task

            /// A Task<'T> that never runs on the caller's context; the same as `Plait.Tasks.backgroundTask`.
            let backgroundTask = Tasks.backgroundTask
