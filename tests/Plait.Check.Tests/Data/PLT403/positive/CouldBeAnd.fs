// Two operations that run already, awaited one after the other: an error of the second is lost if the first fails.
module PLT403.Positive.CouldBeAnd

open System.Threading.Tasks
open Support.Jobs
open Plait

let bothStarted () =
    task {
        let first = count "a"
        let second = count "bb"
        let! a = first
        let! b = second // PLT403 hint
        return a + b
    }

let bothReading () =
    valueTask {
        let first = fetch "a"
        let second = fetch "bb"
        let! a = first
        let! b = second // PLT403 hint
        return a * b
    }
