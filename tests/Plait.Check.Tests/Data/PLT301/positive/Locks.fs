// Waits for locks, semaphores and events that nobody awaits: what they take is never given back.
module PLT301.Positive.Locks

open System.Threading
open Plait

let entered (gate: AsyncLock) (token: CancellationToken) =
    task {
        gate.Enter token |> ignore // PLT301 warning
        return 1
    }

let enteredAsInCSharp (gate: AsyncLock) (token: CancellationToken) =
    strand {
        let _ = gate.EnterAsync token // PLT301 warning
        return 1
    }

let counted (semaphore: AsyncSemaphore) (token: CancellationToken) =
    pooledValueTask {
        semaphore.Wait token |> ignore // PLT301 warning
        semaphore.Release()
        return 1
    }

let signalled (all: AsyncManualResetEvent) (one: AsyncAutoResetEvent) (token: CancellationToken) =
    pooledTask {
        all.Wait token |> ignore // PLT301 warning
        one.Wait() |> ignore // PLT301 warning
        return 1
    }
