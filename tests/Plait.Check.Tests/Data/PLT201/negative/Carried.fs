// What is known to be complete stays complete where it goes through a case of a union, a tuple, a record or a collection.
module PLT201.Negative.Carried

open System.Threading.Tasks

let caught (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Task.WhenAny(a, b) |> Async.AwaitTask |> Async.Catch

        match first with
        | Choice1Of2 winner -> return winner.Result
        | Choice2Of2 _ -> return 0
    }

let caughtByFunction (jobs: Task<int> list) =
    async {
        match! Async.Catch(Async.AwaitTask(Task.WhenAny jobs)) with
        | Choice2Of2 error -> return raise error
        | Choice1Of2 winner -> return winner.Result
    }

let caughtAndCompared (a: Task<int>) (limit: Task) =
    async {
        let! first = Task.WhenAny(a, limit) |> Async.AwaitTask |> Async.Catch

        match first with
        | Choice1Of2 winner when winner = a -> return a.Result
        | _ -> return 0
    }

let inAnOption (a: Task<int>) (b: Task<int>) =
    task {
        let! first =
            task {
                let! winner = Task.WhenAny(a, b)
                return Some winner
            }

        match first with
        | Some winner -> return winner.Result
        | None -> return 0
    }

let ofATry (a: Task<int>) (b: Task<int>) =
    task {
        let! first =
            task {
                try
                    let! winner = Task.WhenAny(a, b)
                    return Ok winner
                with error ->
                    return Error error
            }

        match first with
        | Ok winner -> return winner.Result
        | Error error -> return raise error
    }

let child (a: Task<int>) =
    async {
        let! child = Async.StartChild(Async.AwaitTask a)
        let! _ = child
        return a.Result
    }

let childWithLimit (a: Task<int>) =
    async {
        let! child = Async.StartChild(Async.AwaitTask a, 100)
        let! _ = child
        return a.Result
    }

let childBlock (a: Task<int>) =
    async {
        let! child =
            Async.StartChild(
                async {
                    let! first = Async.AwaitTask a
                    return first + 1
                }
            )

        let! more = child
        return more + a.Result
    }

let childAsTask (a: Task<int>) =
    async {
        let! child = Async.StartChildAsTask(Async.AwaitTask a)
        let! value = Async.AwaitTask child
        return value + child.Result + a.Result
    }

let childrenTogether (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Async.StartChild(Async.AwaitTask a)
        let! second = Async.StartChild(Async.AwaitTask b)
        let! _ = Async.Parallel [ first; second ]
        return a.Result + b.Result
    }

let childOfARace (a: Task<int>) (b: Task<int>) =
    async {
        let! race = Task.WhenAny(a, b) |> Async.AwaitTask |> Async.StartChild
        let! winner = race
        return winner.Result
    }

let asNumbers (a: Task<int>) =
    task {
        if int a.Status >= int TaskStatus.RanToCompletion then
            return a.Result
        elif int a.Status > 4 then
            return a.Result
        else
            return 0
    }

let asNumbersTurned (a: Task<int>) =
    task {
        if int TaskStatus.RanToCompletion <= int a.Status then return a.Result
        elif int64 a.Status >= 5L then return a.Result
        elif byte a.Status = 5uy then return a.Result
        else return 0
    }

let asNumbersBelow (a: Task<int>) =
    async {
        if int a.Status < int TaskStatus.RanToCompletion then return 0
        elif LanguagePrimitives.EnumToValue a.Status <= 4 then return 1
        else return a.Result
    }

let asAnEnum (a: Task<int>) =
    task {
        if a.Status >= TaskStatus.RanToCompletion then return a.Result
        elif enum<TaskStatus> 5 <= a.Status then return a.Result
        elif a.Status <= TaskStatus.WaitingForChildrenToComplete then return 0
        else return a.Result
    }

let found (jobs: Task<int>[]) =
    task {
        match jobs |> Array.tryFind (fun job -> job.IsCompleted) with
        | Some job -> return job.Result
        | None -> return 0
    }

let foundLast (jobs: Task<int> list) =
    async {
        match jobs |> List.tryFindBack (fun job -> job.IsCompletedSuccessfully) with
        | Some job -> return job.Result
        | None -> return 0
    }

let foundAndTaken (jobs: Task<int> list) =
    task {
        let job = jobs |> List.tryFind _.IsCompleted
        let other = jobs |> Seq.tryFind (fun job -> job.Status = TaskStatus.RanToCompletion)

        if job.IsSome && other.IsSome then
            return job.Value.Result + (Option.get other).Result
        else
            return 0
    }

let foundAndMapped (jobs: Task<int> list) =
    task {
        return
            jobs
            |> List.tryFind _.IsCompleted
            |> Option.map (fun job -> job.Result)
            |> Option.defaultValue 0
    }

let firstOfThese (jobs: Task<int> list) =
    task {
        match jobs |> List.filter _.IsCompleted |> List.tryHead with
        | Some job -> return job.Result
        | None -> return 0
    }

let headOfThese (jobs: Task<int> list) =
    task {
        match List.filter (fun (job: Task<int>) -> job.IsCompleted) jobs with
        | [] -> return 0
        | job :: others -> return job.Result + (others |> List.sumBy _.Result)
    }

let chosen (jobs: Task<int> list) =
    task {
        let ended = jobs |> List.choose (fun job -> if job.IsCompleted then Some job else None)
        return ended |> List.sumBy (fun job -> job.Result)
    }

let picked (jobs: Task<int>[]) =
    task {
        match jobs |> Array.tryPick (fun job -> if job.IsCompleted then Some job else None) with
        | Some job -> return job.Result
        | None -> return 0
    }

let parted (jobs: Task<int> list) =
    task {
        let ended, running = jobs |> List.partition (fun job -> job.IsCompleted)
        let results = ended |> List.map (fun job -> job.Result)
        let! others = Task.WhenAll running
        return List.sum results + Array.sum others
    }

let partedByNot (jobs: Task<int>[]) =
    task {
        let _, ended = jobs |> Array.partition (fun job -> not job.IsCompleted)
        let mutable sum = 0

        for job in ended do
            sum <- sum + job.Result

        return sum
    }

let partedAndTurned (jobs: Task<int> list) =
    async {
        let parts = List.partition (fun (job: Task<int>) -> job.IsCompleted) jobs
        return fst parts |> List.sumBy _.Result
    }

let filtered (jobs: Task<int> seq) =
    task {
        let mutable sum = 0

        for job in jobs |> Seq.filter (fun job -> job.IsCompleted) do
            sum <- sum + job.Result

        return sum
    }

let filteredList (jobs: Task<int> list) =
    async {
        let ended = jobs |> List.filter (fun job -> int job.Status >= 5)

        for job in ended do
            printfn "%d" job.Result
    }

let inOrder (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        let winner, loser = if a.IsCompleted then a, b else b, a
        let! other = loser
        return winner.Result + other
    }

let inOrderOfTheFirst (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Task.WhenAny(a, b) |> Async.AwaitTask

        let winner, loser =
            match first = a with
            | true -> a, b
            | false -> b, a

        let! other = Async.AwaitTask loser
        return winner.Result + other
    }

let oneOfBoth (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        let winner = if a.IsCompleted then a else b
        return winner.Result
    }

let oneOfThree (a: Task<int>) (b: Task<int>) (c: Task<int>) =
    task {
        let! first = Task.WhenAny(a, b, c)

        let winner, _ =
            if first = a then a, [ b; c ]
            elif first = b then b, [ a; c ]
            else c, [ a; b ]

        return winner.Result
    }

let written (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        let mutable winner = b

        if a.IsCompleted then
            winner <- a

        return winner.Result
    }

let orNone (a: Task<int>) =
    task {
        let ended = if a.IsCompleted then Some a else None

        match ended with
        | Some job -> return job.Result
        | None -> return 0
    }

type Ended =
    | First of Task<int>
    | Second of Task<string>
    | Neither

let byCase (a: Task<int>) (b: Task<string>) =
    task {
        let ended =
            if a.IsCompleted then First a
            elif b.IsCompleted then Second b
            else Neither

        match ended with
        | First a -> return a.Result
        | Second b -> return b.Result.Length
        | Neither -> return 0
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

        let! other = race.Loser
        return race.Winner.Result + other
    }

let awaitedInARecord (a: Task<int>) (b: Task<int>) =
    task {
        let race = {| Winner = a; Loser = b |}
        let! _ = a
        return race.Winner.Result
    }

let private firstEnded (jobs: Task<int>[]) =
    jobs |> Array.tryFind (fun job -> job.IsCompleted)

let byAFunction (jobs: Task<int>[]) =
    task {
        match firstEnded jobs with
        | Some job -> return job.Result
        | None -> return 0
    }

let all (jobs: Task<int> list) =
    task {
        if jobs |> List.forall (fun job -> job.IsCompleted) then
            return jobs |> List.sumBy (fun job -> job.Result)
        else
            return 0
    }

let noneRuns (jobs: Task<int>[]) =
    task {
        if Array.exists (fun (job: Task<int>) -> not job.IsCompleted) jobs then
            return 0
        else
            return jobs |> Array.sumBy _.Result
    }

let comprehended (jobs: Task<int> list) =
    task {
        let ended, _ = jobs |> List.partition _.IsCompleted
        let first = [ for job in ended -> job.Result ]
        let second = [| for job in ended do job.Result |]
        return first.Length + second.Length + ended.[0].Result
    }

let private raced (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        return if a.IsCompleted then a, b else b, a
    }

let private attempt (jobs: Task<int>[]) =
    Task.WhenAny jobs |> Async.AwaitTask |> Async.Catch

let private start (job: Task<int>) = Async.StartChild(Async.AwaitTask job)

let byFunctions (a: Task<int>) (b: Task<int>) =
    async {
        let! winner, _ = Async.AwaitTask(raced a b)

        match! attempt [| a; b |] with
        | Choice1Of2 first -> return winner.Result + first.Result
        | Choice2Of2 _ -> return winner.Result
    }

let byAFunctionOfOne (a: Task<int>) =
    async {
        let! child = start a
        let! first = child
        return first + a.Result
    }

let private ifEnded (job: Task<int>) =
    if job.IsCompleted then Some job else None

let private endedOf (a: Task<int>) (b: Task<string>) =
    if a.IsCompleted then First a
    elif b.IsCompleted then Second b
    else Neither

let private okIfEnded (job: Task<int>) (other: Task<int>) =
    match job.Status with
    | TaskStatus.RanToCompletion -> Ok job
    | TaskStatus.Faulted -> Error job.Exception.Message
    | _ when other.IsCompleted -> Ok other
    | _ -> Error "it still runs"

let byFunctionsWithAChoice (a: Task<int>) (b: Task<string>) =
    task {
        match ifEnded a, okIfEnded a a with
        | Some job, Ok same -> return job.Result + same.Result
        | _ ->
            match endedOf a b with
            | First a -> return a.Result
            | Second b -> return b.Result.Length
            | Neither -> return 0
    }

let private ifEndedSoon (job: Task<int>) =
    task {
        do! Task.Delay 10
        return if job.IsCompleted then ValueSome job else ValueNone
    }

let byABlockWithAChoice (a: Task<int>) =
    task {
        match! ifEndedSoon a with
        | ValueSome job -> return job.Result
        | ValueNone -> return 0
    }
