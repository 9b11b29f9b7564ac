// What goes through a case, a tuple, a record or a collection is complete only where it was before: the loser is not.
module PLT201.Positive.Carried

open System.Threading.Tasks

let theLoser (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        let winner, loser = if a.IsCompleted then a, b else b, a
        return winner.Result + loser.Result // PLT201 warning
    }

let theLoserByMatch (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Task.WhenAny(a, b) |> Async.AwaitTask

        let loser, _ =
            match first = a with
            | true -> b, a
            | false -> a, b

        return loser.Result // PLT201 warning
    }

let withoutARace (a: Task<int>) (b: Task<int>) =
    task {
        let one, _ = if a.IsCompleted then a, b else b, a
        return one.Result // PLT201 warning
    }

let oneWithoutARace (a: Task<int>) (b: Task<int>) =
    task {
        let one = if a.IsCompleted then a else b
        return one.Result // PLT201 warning
    }

let caughtOther (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Task.WhenAny(a, b) |> Async.AwaitTask |> Async.Catch

        match first with
        | Choice1Of2 winner -> return winner.Result + b.Result // PLT201 warning
        | Choice2Of2 _ -> return 0
    }

let caughtAnother (a: Task<Task<int>>) =
    async {
        match! a |> Async.AwaitTask |> Async.Catch with
        | Choice1Of2 inner -> return inner.Result // PLT201 warning
        | Choice2Of2 _ -> return 0
    }

let childThatRuns (a: Task<int>) =
    async {
        let! child = Async.StartChild(Async.AwaitTask a)
        let early = a.Result // PLT201 warning
        let! _ = child
        return early
    }

let childAsTask (a: Task<int>) =
    async {
        let! child = Async.StartChildAsTask(Async.AwaitTask a)
        return child.Result // PLT201 warning
    }

let asNumbers (a: Task<int>) =
    task {
        if int a.Status >= int TaskStatus.Running then
            return a.Result // PLT201 warning
        elif int a.Status > 3 then
            return a.Result // PLT201 warning
        elif int a.Status <= int TaskStatus.RanToCompletion then
            return a.Result // PLT201 warning
        else
            return a.Result
    }

let turned (a: Task<int>) =
    task {
        if int TaskStatus.RanToCompletion >= int a.Status then return a.Result // PLT201 warning
        elif a.Status >= TaskStatus.WaitingForChildrenToComplete then return a.Result
        else return 0
    }

let found (jobs: Task<int>[]) =
    task {
        match jobs |> Array.tryFind (fun job -> not job.IsCompleted) with
        | Some job -> return job.Result // PLT201 warning
        | None -> return 0
    }

let parted (jobs: Task<int> list) =
    task {
        let ended, running = jobs |> List.partition (fun job -> job.IsCompleted)
        let first = ended |> List.map (fun job -> job.Result)
        let others = running |> List.map (fun job -> job.Result) // PLT201 warning
        return List.sum first + List.sum others
    }

let partedByNot (jobs: Task<int>[]) =
    task {
        let running, _ = jobs |> Array.partition (fun job -> not job.IsCompleted)
        let mutable sum = 0

        for job in running do
            sum <- sum + job.Result // PLT201 warning

        return sum
    }

let chosen (jobs: Task<int> list) =
    task {
        let running = jobs |> List.choose (fun job -> if job.IsCompleted then None else Some job)
        return running |> List.sumBy (fun job -> job.Result) // PLT201 warning
    }

let orNone (a: Task<int>) (b: Task<int>) =
    task {
        let other = if a.IsCompleted then Some b else None

        match other with
        | Some job -> return job.Result // PLT201 warning
        | None -> return 0
    }

type Race = { Winner: Task<int>; Loser: Task<int> }

let inARecord (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)

        let race =
            if a.IsCompleted then
                { Winner = a; Loser = b }
            else
                { Winner = b; Loser = a }

        return race.Winner.Result + race.Loser.Result // PLT201 warning
    }

let written (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        let mutable loser = a

        if a.IsCompleted then
            loser <- b

        return loser.Result // PLT201 warning
    }

let anyEnded (jobs: Task<int>[]) =
    task {
        if Array.exists (fun (job: Task<int>) -> job.IsCompleted) jobs then
            return jobs |> Array.sumBy _.Result // PLT201 warning
        else
            return 0
    }

let notAll (jobs: Task<int> list) =
    task {
        if jobs |> List.forall (fun job -> job.IsCompleted) then
            return 0
        else
            return jobs |> List.sumBy (fun job -> job.Result) // PLT201 warning
    }

let private raced (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        return if a.IsCompleted then a, b else b, a
    }

let loserOfAFunction (a: Task<int>) (b: Task<int>) =
    async {
        let! winner, loser = Async.AwaitTask(raced a b)
        return winner.Result + loser.Result // PLT201 warning
    }

let private unlessEnded (job: Task<int>) (other: Task<int>) =
    if job.IsCompleted then None else Some other

let private endedOrOther (job: Task<int>) (other: Task<int>) =
    match job.IsCompleted, other.IsFaulted with
    | true, _ -> Ok job
    | _, true -> Error "it failed"
    | _ -> Ok other

let byFunctionsWithAChoice (a: Task<int>) (b: Task<int>) =
    task {
        match unlessEnded a b with
        | Some job -> return job.Result // PLT201 warning
        | None ->
            match endedOrOther a b with
            | Ok job -> return job.Result // PLT201 warning
            | Error _ -> return 0
    }
