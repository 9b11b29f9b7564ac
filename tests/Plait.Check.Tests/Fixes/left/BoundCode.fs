// Code that belongs to its thread, before or behind a wait, here or in a function that is called here.
module BoundCode

#nowarn "9"
#nowarn "51"

open System
open System.Collections.Generic
open System.Globalization
open System.Runtime.InteropServices
open System.Security.Principal
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.NativeInterop

let onTheStack () =
    task {
        let numbers = NativePtr.stackalloc<int> 4
        Thread.Sleep 10 // left
        NativePtr.write numbers 1
        return NativePtr.read numbers
    }

let onTheStackLater () =
    task {
        Thread.Sleep 10 // left
        let numbers = NativePtr.stackalloc<int> 4
        NativePtr.write numbers 1
        return NativePtr.read numbers
    }

let asANumber () =
    task {
        let place = NativePtr.toNativeInt (NativePtr.stackalloc<int> 4)
        Thread.Sleep 10 // left
        Marshal.WriteInt32(place, 1)
    }

let onASpan (bytes: byte[]) =
    task {
        Thread.Sleep 10 // left
        let part = Span<byte>(bytes, 0, 2)
        part.Fill 1uy
    }

let suppressed (work: unit -> unit) =
    task {
        let flow = ExecutionContext.SuppressFlow()
        Thread.Sleep 10 // left
        work ()
        flow.Undo()
    }

let suppressedByUse (work: unit -> unit) =
    task {
        use _ = ExecutionContext.SuppressFlow()
        Thread.Sleep 10 // left
        work ()
    }

let private suppress () =
    ExecutionContext.SuppressFlow() |> ignore

let suppressedByAFunction (work: unit -> unit) =
    task {
        suppress ()
        Thread.Sleep 10 // left
        work ()
        ExecutionContext.RestoreFlow()
    }

let suppressedAround (work: unit -> unit) =
    let flow = ExecutionContext.SuppressFlow()

    let started =
        task {
            Thread.Sleep 10 // left
            work ()
        }

    flow.Undo()
    started

let anyOf (gate: Mutex) (stop: ManualResetEvent) =
    task {
        let taken = WaitHandle.WaitAny [| gate; stop |] // left
        Thread.Sleep 10 // left

        if taken = 0 then
            gate.ReleaseMutex()
    }

let allOf (one: Mutex) (other: Mutex) =
    task {
        WaitHandle.WaitAll([| one :> WaitHandle; other |], 100) |> ignore // left
        Thread.Sleep 10 // left
        one.ReleaseMutex()
        other.ReleaseMutex()
    }

let signalled (ready: AutoResetEvent) (gate: Mutex) =
    task {
        WaitHandle.SignalAndWait(ready, gate) |> ignore // left
        Thread.Sleep 10 // left
        gate.ReleaseMutex()
    }

let inAContext (context: SynchronizationContext) (show: unit -> unit) =
    task {
        SynchronizationContext.SetSynchronizationContext context
        Thread.Sleep 10 // left
        show ()
    }

let asAnother (who: IPrincipal) (work: unit -> unit) =
    task {
        Thread.CurrentPrincipal <- who
        Thread.Sleep 10 // left
        work ()
    }

let inACulture (work: unit -> unit) =
    task {
        CultureInfo.CurrentCulture <- CultureInfo.InvariantCulture
        Thread.Sleep 10 // left
        work ()
    }

let inACultureOfTheThread (work: unit -> unit) =
    task {
        Thread.CurrentThread.CurrentCulture <- CultureInfo.InvariantCulture
        Thread.Sleep 10 // left
        work ()
    }

let atAPriority (work: unit -> unit) =
    task {
        Thread.CurrentThread.Priority <- ThreadPriority.Highest
        Thread.Sleep 10 // left
        work ()
    }

let atAPriorityByName (work: unit -> unit) =
    task {
        let me = Thread.CurrentThread
        me.Priority <- ThreadPriority.Highest
        Thread.Sleep 10 // left
        work ()
    }

let inASlot () =
    task {
        let slot = Thread.AllocateDataSlot()
        Thread.SetData(slot, 1)
        Thread.Sleep 10 // left
        return Thread.GetData slot
    }

let lastError (call: unit -> unit) =
    task {
        call ()
        Thread.Sleep 10 // left
        return Marshal.GetLastPInvokeError()
    }

[<DllImport("opengl32")>]
extern bool wglMakeCurrent(nativeint device, nativeint context)

let drawing (device: nativeint) (context: nativeint) (draw: unit -> unit) =
    task {
        wglMakeCurrent (device, context) |> ignore
        Thread.Sleep 10 // left
        draw ()
    }

let private owners = Dictionary<int, string>()

let byNumber (name: string) =
    task {
        owners[Environment.CurrentManagedThreadId] <- name
        Thread.Sleep 10 // left
        return owners[Environment.CurrentManagedThreadId]
    }

let byText (name: string) (named: Dictionary<string, string>) =
    task {
        let key = string Thread.CurrentThread.ManagedThreadId
        named[key] <- name
        Thread.Sleep 10 // left
        return named[key]
    }

type IGate =
    abstract Enter: unit -> unit
    abstract Leave: unit -> unit

type Gate() =
    let mutable owner = 0

    interface IGate with
        member _.Enter() =
            owner <- Thread.CurrentThread.ManagedThreadId

        member _.Leave() =
            if owner <> Thread.CurrentThread.ManagedThreadId then
                failwith "not the owner"

let byAGate (gate: IGate) =
    task {
        gate.Enter()
        Thread.Sleep 10 // left
        gate.Leave()
    }

let private check (owner: int) =
    if owner <> Environment.CurrentManagedThreadId then
        failwith "not the owner"

let private checkTwice (owner: int) =
    check owner
    check owner

let byFunctions (owner: int) =
    task {
        Thread.Sleep 10 // left
        checkTwice owner
    }
