// A program whose first thread is bound to its apartment.
module StaThread

open System
open System.Threading
open System.Threading.Tasks

let paste (read: unit -> string) =
    task {
        Thread.Sleep 10 // left
        return read ()
    }

[<STAThread>]
let run (read: unit -> string) =
    (paste read).GetAwaiter().GetResult()
