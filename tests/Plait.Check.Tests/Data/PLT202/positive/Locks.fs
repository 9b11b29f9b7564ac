// Functions that block while they hold a lock, or that return with it.
module PLT202.Positive.Locks

open System
open System.Threading
open Support.Jobs

let private gate = obj ()

let private slowly () =
    Monitor.Enter gate

    try
        Thread.Sleep 10
    finally
        Monitor.Exit gate

let private enter () = Monitor.Enter gate

let private enterAndWait () =
    enter ()
    (count "a").Result

let private guard () =
    Monitor.Enter gate

    { new IDisposable with
        member _.Dispose() = Monitor.Exit gate
    }

let waits () = task { slowly () } // PLT202 warning

let takes () = task { enter () } // PLT202 warning

let takesAndWaits () = task { return enterAndWait () } // PLT202 warning

let guarded () =
    task {
        use _ = guard () // PLT202 warning
        return 1
    }
