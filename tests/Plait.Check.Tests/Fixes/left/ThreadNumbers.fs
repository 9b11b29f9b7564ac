// What is behind an await may run on another thread, and this file compares numbers of threads.
module ThreadNumbers

open System
open System.Threading

let sameThread () =
    task {
        let before = Environment.CurrentManagedThreadId
        Thread.Sleep 3 // left
        return before = Environment.CurrentManagedThreadId
    }
