// Braces of a runtime-async builder that are awaited inside the braces of another one.
module PLT404.Positive.Nested

open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let bound (key: string) =
    task {
        let! first = valueTask { return! count key } // PLT404 info
        return first + 1
    }

let returned (key: string) =
    task {
        do! save key
        return! task { return! count key } // PLT404 info
    }
