// Locks, semaphores and events as they are used.
module PLT301.Negative.Locks

open System.Threading
open System.Threading.Tasks
open Plait

let entered (gate: AsyncLock) (token: CancellationToken) =
    task {
        use! _ = gate.Enter token
        return 1
    }

let counted (semaphore: AsyncSemaphore) (token: CancellationToken) =
    pooledValueTask {
        do! semaphore.Wait token

        try
            return 1
        finally
            semaphore.Release()
    }

let both (gate: AsyncLock) (event: AsyncAutoResetEvent) (token: CancellationToken) =
    strand {
        do! event.Wait token
        use! _ = gate.Enter token
        event.Set()
        return gate.IsHeld
    }

let made = AsyncLazy<int>(fun () -> task { return 1 })

let read () =
    pooledTask {
        let! value = made
        let! again = made
        return value + again
    }
