// Braces of a runtime-async builder that are awaited, or started by `and!`, inside the braces of another one.
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

let together (key: string) =
    task {
        let! first = count key
        and! second = task { return! count (key + key) } // PLT404 info
        return first + second
    }

let allTogether (key: string) =
    task {
        let! first = task { return! count key } // PLT404 info
        and! second = task { return! count (key + key) } // PLT404 info
        and! third = count key
        return first + second + third
    }

let togetherOverResults (key: string) =
    taskResult {
        let! first = count key
        and! second = valueTaskResult { return! fetch key } // PLT404 info
        and! third = task { return! count key } // PLT404 info
        return first + second + third
    }

let boundOverResults (key: string) =
    taskResult {
        let! first = valueTaskResult { return! fetch key } // PLT404 info
        let! second = task { return! count key } // PLT404 info
        return first + second
    }
