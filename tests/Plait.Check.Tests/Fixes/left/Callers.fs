// Work whose callers go on without it, or hold a lock while it runs: it ends before it is returned, and would not behind an await.
module Callers

open System.Threading
open System.Threading.Tasks

let private save (write: unit -> unit) =
    task {
        Thread.Sleep 10 // left
        write ()
    }

let run (write: unit -> unit) =
    save write |> ignore
    write ()

let private pump (write: unit -> unit) =
    task {
        while true do
            Thread.Sleep 10 // left
            write ()
    }

let private start (write: unit -> unit) : Task<unit> =
    task {
        write ()
        return! pump write
    }

let serve (write: unit -> unit) =
    start write |> ignore
    0

let private gate = obj ()

let private count (write: unit -> unit) =
    task {
        Thread.Sleep 10 // left
        write ()
    }

let counted (write: unit -> unit) = lock gate (fun () -> count write)
