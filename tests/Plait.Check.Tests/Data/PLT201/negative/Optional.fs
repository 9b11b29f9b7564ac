// An option or a Result whose task the code awaited if there is one.
module PLT201.Negative.Optional

open System.Threading.Tasks

let matchedAndMapped (job: Task<int> option) =
    task {
        match job with
        | Some job ->
            let! _ = job
            ()
        | None -> ()

        return job |> Option.map _.Result
    }

let matchedTwice (job: Task<int> voption) =
    task {
        match job with
        | ValueSome job -> do! (job :> Task)
        | ValueNone -> ()

        return
            match job with
            | ValueSome job -> job.Result
            | ValueNone -> 0
    }

let ofAResult (job: Result<Task<int>, string>) =
    task {
        match job with
        | Ok job -> do! (job :> Task)
        | Error _ -> ()

        return
            match job with
            | Ok job -> job.Result
            | Error _ -> 0
    }

let inAsync (job: Task<int> option) =
    async {
        match job with
        | Some job ->
            let! _ = Async.AwaitTask job
            ()
        | None -> ()

        return job |> Option.map _.Result
    }

let orNull (job: Task<int>) =
    task {
        if not (isNull job) then
            do! (job :> Task)

        return if isNull job then 0 else job.Result
    }

let ofBothCases (job: Result<Task<int>, Task<int>>) =
    task {
        match job with
        | Ok job -> do! (job :> Task)
        | Error job -> do! (job :> Task)

        return
            match job with
            | Ok job -> job.Result
            | Error job -> job.Result
    }
