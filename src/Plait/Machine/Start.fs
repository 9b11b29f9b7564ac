// Layer: machine. The first step, on the caller's thread, and the last.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open System.Runtime.CompilerServices

[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type Start =

    /// The BCL's own start puts both contexts back, with one look at the thread.
    static member private Guarded<'Machine when 'Machine :> IAsyncStateMachine>
        (machine: byref<'Machine>)
        : exn =
        let mutable error: exn = null

        try
            Contained.Run &machine
        with caught ->
            error <- caught

        error

    /// Runs to the end or to the first suspension.
    static member Run<'Machine, 'T, 'Result, 'Shape, 'Safety
        when 'Machine :> IAsyncStateMachine and 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        (machine: byref<'Machine>, data: byref<Data<'T>>)
        : 'Result =
        let error =
            if 'Safety.Guards then
                Start.Guarded &machine
            else
                machine.MoveNext()
                null

        if isNull error then
            match data.Box with
            | null -> 'Shape.Completed data.Result
            | box -> 'Shape.Suspended box
        else
            'Shape.Faulted error

    /// The code has run to its end. After this the machine may be another operation's.
    static member Finish(data: byref<Data<'T>>) =
        match data.Box with
        | null -> ()
        | box -> box.Complete data.Result
