// An option whose task the code did not await, or only sometimes; and one that it awaited as a property.
module PLT201.Positive.Optional

open System.Threading.Tasks

let onlyTested (job: Task<int> option) =
    task {
        if job.IsSome then
            printfn "there is one"

        return
            match job with
            | Some job -> job.Result // PLT201 warning
            | None -> 0
    }

let sometimes (job: Task<int> option) (isWanted: bool) =
    task {
        match job with
        | Some job when isWanted -> do! (job :> Task)
        | _ -> ()

        return job |> Option.map _.Result // PLT201 warning
    }

let another (job: Task<int> option) (other: Task<int> option) =
    task {
        match job with
        | Some job -> do! (job :> Task)
        | None -> ()

        return
            match other with
            | Some other -> other.Result // PLT201 warning
            | None -> 0
    }

let testedAndMatched (job: Task<int> option) =
    task {
        if job.IsSome then
            let! _ = job.Value
            ()

        return
            match job with
            | Some job -> job.Result // PLT201 info
            | None -> 0
    }

[<RequireQualifiedAccess>]
type Answer =
    | Ok of string
    | Error of Task<int>

let ofAnotherUnion (job: Answer) =
    task {
        match job with
        | Answer.Ok text -> printfn "%s" text
        | Answer.Error _ -> ()

        return
            match job with
            | Answer.Ok _ -> 0
            | Answer.Error job -> job.Result // PLT201 warning
    }

type Logged =
    abstract Log: Task<int>

type Work =
    | Idle
    | Running of Task<int>

    interface Logged with
        member _.Log = Task.Run(fun () -> 1)

let ofAProperty (work: Work) =
    task {
        let log = (work :> Logged).Log

        return
            match work with
            | Running _ -> log.Result // PLT201 warning
            | Idle -> 0
    }
