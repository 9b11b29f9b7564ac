// What is behind an await may run on another thread, and this file looks at threads.
module Threads

open System.Threading

let private own = new ThreadLocal<int>()

let sameThread () =
    task {
        own.Value <- 1
        Thread.Sleep 3 // left
        return own.Value
    }
