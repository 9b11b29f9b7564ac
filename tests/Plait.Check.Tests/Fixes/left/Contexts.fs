// Builders whose code behind an await leaves the context of the caller: what is behind a new await would leave it too.
module Contexts

open System.Threading
open System.Threading.Tasks
open Plait

let load (n: int) : Task<int> = task { return n }

let offTheContext (show: int -> unit) =
    NonAffine.valueTask {
        Thread.Sleep 10 // left
        show 1
    }

let offTheContextOfAStrand (show: int -> unit) =
    NonAffine.strand {
        let x = (load 3).GetAwaiter().GetResult() // left
        show x
    }

let private own = NonAffine.Tasks.task

let byAnotherName (show: int -> unit) =
    own {
        Thread.Sleep 10 // left
        show 1
    }

let notRestored (show: int -> unit) =
    Unsafe.strand {
        Thread.Sleep 10 // left
        show 1
    }

let notRestoredByAnotherName (show: int -> unit) =
    let quick = Unsafe.valueTask

    quick {
        Thread.Sleep 10 // left
        show 1
    }

let bare (show: int -> unit) =
    Unsafe.Bare.strand {
        Thread.Sleep 10 // left
        show 1
    }
