// Cases of unions and of active patterns that tell nothing of a task, and sequences that each enumeration makes anew.
module PLT201.Positive.Cases

open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private (|Ended|Failed|Running|) (job: Task<int>) =
    if job.IsCompletedSuccessfully then Ended job.Result
    elif job.IsFaulted || job.IsCanceled then Failed
    else Running

let running (job: Task<int>) =
    task {
        match job with
        | Running -> return job.Result // PLT201 warning
        | Ended _
        | Failed -> return 0
    }

let otherThanEnded (job: Task<int>) =
    task {
        match job with
        | Ended number -> return number
        | _ -> return job.Result // PLT201 warning
    }

type private Phase =
    | Working of Task<int>
    | Done of Task<int>

let private phase (job: Task<int>) =
    if job.IsCompleted then Done job else Working job

let ofAUnion (job: Task<int>) =
    task {
        match phase job with
        | Done ended -> return ended.Result
        | Working running -> return running.Result // PLT201 warning
    }

let private (|Both|Other|) (a: Task, b: Task) =
    if a.IsCompleted && b.IsCompleted then Both else Other

let ofTwo (a: Task<int>) (b: Task<int>) =
    task {
        match a, b with
        | Both -> return a.Result + b.Result
        | Other -> return a.Result // PLT201 warning
    }

let startedAgain (names: string list) =
    task {
        let jobs = names |> Seq.map count
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result) // PLT201 warning
    }

let startedAgainByLinq (names: string list) =
    task {
        let jobs = names.Select(fun name -> count name)
        let! _ = Task.WhenAll jobs
        return jobs.Select(fun job -> job.Result).ToList() // PLT201 warning
    }

let startedAgainInALoop (names: string list) =
    task {
        let jobs = names |> Seq.map (fun name -> task { return! count name })

        for job in jobs do
            let! _ = job
            ()

        let mutable sum = 0

        for job in jobs do
            sum <- sum + job.Result // PLT201 warning

        return sum
    }

type private Step =
    | First
    | Second of Task<int>
    | Third

let inALaterTurn (names: string list) =
    task {
        let mutable step = First

        for name in names do
            match step with
            | First -> step <- Second(count name)
            | Second job ->
                printfn "%d" job.Result // PLT201 warning
                step <- Third
            | Third -> Thread.Sleep 1 // PLT201 warning
    }

type private Turn =
    | Reading
    | Writing
    | Closed

let inARecursion () =
    task {
        let rec loop turn =
            task {
                match turn with
                | Reading -> return! loop Writing
                | Writing ->
                    Thread.Sleep 1 // PLT201 warning
                    return! loop Closed
                | Closed -> Thread.Sleep 2 // PLT201 warning
            }

        do! loop Reading
    }

let inARecursionOfTwo () =
    task {
        let rec read turn =
            task {
                match turn with
                | Reading -> return! write Writing
                | Writing -> return! write Closed
                | Closed -> Thread.Sleep 1 // PLT201 warning
            }

        and write turn =
            task {
                match turn with
                | Reading -> Thread.Sleep 2 // PLT201 warning
                | Writing -> return! read turn
                | Closed -> return! read turn
            }

        do! read Reading
    }

let inATupleOfALaterTurn (names: string list) =
    task {
        let mutable state = (Reading, 0)

        for name in names do
            match fst state with
            | Reading -> state <- (Writing, name.Length)
            | Writing -> state <- (Closed, name.Length)
            | Closed -> Thread.Sleep 3 // PLT201 warning
    }

type private Machine = { mutable Turn: Turn; Count: int }

let inARecordOfALaterTurn (names: string list) =
    task {
        let mutable machine = { Turn = Reading; Count = 0 }

        for _ in names do
            match machine.Turn with
            | Reading -> machine <- { machine with Turn = Writing }
            | Writing -> machine <- { machine with Turn = Closed }
            | Closed -> Thread.Sleep 3 // PLT201 warning
    }

let inAFieldOfALaterTurn (names: string list) =
    task {
        let machine = { Turn = Reading; Count = 0 }

        for _ in names do
            match machine.Turn with
            | Reading -> machine.Turn <- Writing
            | Writing -> machine.Turn <- Closed
            | Closed -> Thread.Sleep 3 // PLT201 warning
    }

let behindALoop (names: string list) =
    task {
        let mutable state = (Reading, 0)

        while (match state with
               | (Closed, _) -> false
               | _ -> true) do
            match state with
            | (Reading, number) -> state <- (Writing, number)
            | (_, number) -> state <- (Closed, number + names.Length)

        Thread.Sleep 1 // PLT201 warning
    }

let private next (turn: Turn) : Turn =
    match turn with
    | Reading -> Writing
    | _ -> Closed

let inAFold (names: string list) =
    task {
        let last = names |> List.fold (fun (turn, sum) name -> next turn, sum + String.length name) (Reading, 0)

        match fst last with
        | Reading -> Thread.Sleep 1 // PLT201 warning
        | Writing -> Thread.Sleep 2 // PLT201 warning
        | Closed -> Thread.Sleep 3 // PLT201 warning
    }

let private insideAFold (names: string list) =
    task {
        return
            (Reading, names)
            ||> List.fold (fun turn name ->
                match turn with
                | Reading -> Writing
                | Writing -> Closed
                | Closed ->
                    Thread.Sleep name.Length // PLT201 warning
                    Reading)
    }

let private follow (job: Task<int>) (others: Task<int> list) =
    task {
        let rec loop state (rest: Task<int> list) =
            task {
                match state, rest with
                | Done _, _ -> return job.Result // PLT201 warning
                | Working running, [] -> return! running
                | Working _, other :: rest -> return! loop (Done other) rest
            }

        return! loop (phase job) others
    }

type private Outcome =
    | Loaded of Task<int>
    | Broken

let private behindAHandler (load: unit -> Task<Outcome>) =
    task {
        let! outcome =
            task {
                try
                    return! load ()
                with _ ->
                    return Broken
            }

        match outcome with
        | Broken -> return 0
        | Loaded job -> return job.Result // PLT201 warning
    }

let private behindAHandlerWithAPhase (load: unit -> Phase) (job: Task<int>) =
    task {
        let state =
            try
                load ()
            with _ ->
                phase job

        match state with
        | Done _ -> return job.Result // PLT201 warning
        | Working running -> return! running
    }

type private Progress =
    | Over
    | Open
    | Cancelled

let private progress (job: Task<int>) = if job.IsCompleted then Over else Open

let orACaseThatIsMade (job: Task<int>) =
    task {
        match progress job with
        | Over
        | Open -> return job.Result // PLT201 warning
        | Cancelled ->
            Thread.Sleep 1 // PLT201 warning
            return 0
    }

let twoCasesThatAreNeverMade (job: Task<int>) (other: Task<int>) =
    task {
        match progress job with
        | Over -> return job.Result
        | _ when other.IsCompleted -> return other.Result
        | Open
        | Cancelled -> return other.Result // PLT201 warning
    }

let private (|Won|_|) (least: int) (job: Task<int>, other: Task<int>) =
    if other.IsCompleted && least > 0 then Some least else None

let ofTwoAndANumber (job: Task<int>) (other: Task<int>) =
    task {
        match job, other with
        | Won 1 n -> return job.Result + n // PLT201 warning
        | _ -> return 0
    }

let inACell () =
    task {
        let job = ref (count "a")
        let! first = job.Value
        job.Value <- count "b"
        return first + job.Value.Result // PLT201 warning
    }
