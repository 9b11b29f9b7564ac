// Uses in a try and behind it or in its handler.
module PLT101.Positive.Handlers

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let againInTheHandler () =
    task {
        let reading = fetch "a"

        try
            let! first = reading
            return first
        with _ ->
            let! second = reading // PLT101 info
            return second
    }

let behindTheTry () =
    task {
        let reading = fetch "a"
        let mutable first = 0

        try
            let! read = reading
            first <- read
        with :? TimeoutException ->
            first <- -1

        let! second = reading // PLT101 info
        return first + second
    }

let onlyInTheHandlerAndBehind () =
    valueTask {
        let fallback = fetch "default"
        let mutable value = 0

        try
            let! read = count "a"
            value <- read
        with _ ->
            let! other = fallback
            value <- other

        let! last = fallback // PLT101 info
        return value + last
    }

let inTwoTries () =
    strand {
        let work = spun "a"
        let mutable sum = 0

        try
            do! Task.Delay 1
        with _ ->
            let! n = work
            sum <- sum + n

        try
            do! Task.Delay 1
        with _ ->
            let! n = work // PLT101 info
            sum <- sum + n

        return sum
    }

let beforeTheTry () =
    task {
        let flushing = flush "a"
        do! flushing

        try
            do! flushing // PLT101 warning
        with _ ->
            printfn "failed"
    }
