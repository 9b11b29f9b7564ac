// Layer: combinators. The shape of a state machine whose result is a strand.
namespace Plait.Kernel

open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait

/// Takes the result of a machine. A class with a name, so that it can be left out of stack traces.
[<Sealed; StackTraceHidden>]
type internal MachineContinuation<'T>() =
    inherit SourceContinuation<ValueTaskSource<'T, Anywhere>, 'T, 'T>()

    override _.Invoke source =
        Strand<'T>.Of((source :> ISource<'T>).GetResult())

/// A Strand<'T> behind the box of a machine: one node where the machine has suspended.
[<Struct; NoEquality; NoComparison>]
type internal AsStrand<'T> =
    interface IShape<'T, Strand<'T>> with
        member _.Completed value = Strand<'T>.Of value
        member _.Settles = false

        member _.Suspended(box, _) =
            let task = ValueTask<'T>(box :> IValueTaskSource<'T>, box.Token)

            let strand =
                SuspendedPath.Bind<ValueTaskSource<'T, Anywhere>, 'T, 'T>(
                    ValueTaskSource<'T, Anywhere> task,
                    MachineContinuation<'T>()
                )

            strand.Node.Close()
            strand

        member _.Faulted error = Strand<'T>.Failed error
