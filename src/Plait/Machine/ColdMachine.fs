// Layer: machine. Computations that start at a call: the result of the builder is a function, and each call runs the code in a
// machine of its own.
//
// The machine must stand inside the function, so that the function's object holds only the values that the user's code
// captures. The compiler expands code of the type `Code` into a machine wherever it was defined; but where a function stands
// between the two, it does not capture the values of the code, and the program reads memory of others. So the code comes as
// `Deferred`, a type without a meaning for the compiler: an optimised build replaces it by its body (InlineIfLambda), and
// where that does not happen the computation runs as closures.
namespace Plait.Kernel

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Plait

/// A part of a computation that is made when it runs.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type Deferred<'T, 'U> = delegate of unit -> Code<'T, 'U>

/// The way off the caller's SynchronizationContext or TaskScheduler: completed where there is none.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OffContextSource<'Unit> =
    interface ISource<'Unit> with
        member _.IsCompleted = isNull (SchedulingContext.Current())
        member _.GetResult() = Unchecked.defaultof<'Unit>

        member _.Register frame =
            ThreadPool.UnsafeQueueUserWorkItem(frame, false) |> ignore

        // nothing needs to be kept: any object says so, and a literal is written at the least cost
        member _.Reference = "off the context"
        member _.GetResultOf _ = Unchecked.defaultof<'Unit>

/// The statements of the builders of functions.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ColdStatements<'Affinity when 'Affinity :> IAffinity>() =
    inherit MachineBuilder<'Affinity>()

    /// Defers a part.
    member inline _.Delay([<InlineIfLambda>] part: unit -> Code<'T, 'U>) : Deferred<'T, 'U> =
        Deferred<'T, 'U>(fun () -> part ())

    /// One statement after another.
    member inline _.Combine
        (first: Code<'T, unit>, [<InlineIfLambda>] second: Deferred<'T, 'U>)
        : Code<'T, 'U> =
        ResumableCode.Combine(first, Code<'T, 'U>(fun machine -> (second.Invoke()).Invoke(&machine)))

    /// `while`.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, [<InlineIfLambda>] body: Deferred<'T, unit>)
        : Code<'T, unit> =
        ResumableCode.While(condition, Code<'T, unit>(fun machine -> (body.Invoke()).Invoke(&machine)))

    /// `try/with`.
    member inline _.TryWith
        ([<InlineIfLambda>] body: Deferred<'T, 'U>, handler: exn -> Code<'T, 'U>)
        : Code<'T, 'U> =
        ResumableCode.TryWith(Code<'T, 'U>(fun machine -> (body.Invoke()).Invoke(&machine)), handler)

    /// `try/finally`.
    member inline this.TryFinally
        ([<InlineIfLambda>] body: Deferred<'T, 'U>, [<InlineIfLambda>] compensation: unit -> unit)
        : Code<'T, 'U> =
        (this :> MachineStatements)
            .TryFinally(Code<'T, 'U>(fun machine -> (body.Invoke()).Invoke(&machine)), compensation)

/// Every member of the builders of functions without an argument but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ColdBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ColdStatements<'Affinity>()

    /// A function that starts the code anew at each call.
    member inline _.Cold<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        ([<InlineIfLambda>] code: Deferred<'T, 'T>)
        : unit -> 'Result =
        fun () ->
            Machine.Run<'T, 'Result, 'Shape, 'Safety>(
                Code<'T, 'T>(fun machine -> (code.Invoke()).Invoke(&machine))
            )

    /// A function that starts the code anew at each call: on the thread pool if the calling thread has a context.
    member inline this.BackgroundCold<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        ([<InlineIfLambda>] code: Deferred<'T, 'T>)
        : unit -> 'Result =
        fun () ->
            Machine.Run<'T, 'Result, 'Shape, 'Safety>(
                Code<'T, 'T>(fun machine ->
                    ((this :> MachineBuilder<'Affinity>)
                        .Bind(OffContextSource<unit>(), (fun () -> code.Invoke())))
                        .Invoke(&machine))
            )

/// Functions without an argument that give anything with GetAwaiter.
[<AutoOpen>]
module ColdStructurals =
    type ColdBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Starts and binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source([<InlineIfLambda>] start: unit -> CriticalAwaitable<'L, 'A, 'a>) =
            AwaiterPattern.Critical<'A, 'a>((start ()).GetAwaiter())

/// Functions without an argument.
[<AutoOpen>]
module ColdSources =
    type ColdBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: unit -> Task<'a>) =
            TaskSource<'a, 'Affinity>(start ())

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: unit -> Task) =
            UnitTaskSource<unit, 'Affinity>(start ())

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: unit -> ValueTask<'a>) =
            ValueTaskSource<'a, 'Affinity>(start ())

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: unit -> ValueTask) =
            UnitValueTaskSource<unit, 'Affinity>(start ())

        /// Starts and binds a strand.
        member inline _.Source([<InlineIfLambda>] start: unit -> Strand<'a>) =
            StrandSource<'a, 'Affinity>(start ())
