// An await does not wrap what it raises, so a handler of what a wait raises would not see it.
module Handlers

open System
open System.Threading
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }

let handled () =
    task {
        do! Task.Delay 1

        try
            let x = (load 3).Result // left
            return x
        with :? AggregateException ->
            return -1
    }
