// A lock around a slow call in a generic member of a class, awaited by another member. Do the slow part before the lock, or await a
// SemaphoreSlim.
// doctor: STARVED sleep
// function: Journal.Append
module Sick.Journals

open System.Threading
open System.Threading.Tasks

open Plait.RuntimeAsync

type Journal() =
    let gate = obj ()
    let mutable lines = 0

    member _.Append(line: 'T) =
        valueTask { // blamed in Release
            do! Task.Yield()

            lock gate (fun () ->
                // the line goes to another machine before the next one may be written
                Thread.Sleep 100 // blamed in Debug
                lines <- lines + (string line).Length)

            return lines
        }

    member journal.Book(order: int) =
        task {
            let! lines = journal.Append order
            return lines > 0
        }

let private journal = Journal()

let start () =
    // many slow services set this
    ThreadPool.SetMinThreads(12, 12) |> ignore
    Load.backlog (fun order -> journal.Book order |> ignore)
