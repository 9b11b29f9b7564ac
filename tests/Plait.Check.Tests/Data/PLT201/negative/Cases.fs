// Facts of a task that follow from the case of a union, or of an active pattern.
module PLT201.Negative.Cases

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private (|Ended|Failed|Running|) (job: Task<int>) =
    if job.IsCompletedSuccessfully then Ended job.Result
    elif job.IsFaulted || job.IsCanceled then Failed
    else Running

let otherThanRunning (job: Task<int>) =
    task {
        match job with
        | Running -> return! job
        | _ -> return job.Result
    }

let failed (job: Task<int>) =
    async {
        match job with
        | Ended number -> return number
        | Failed -> return job.Result
        | Running -> return! Async.AwaitTask job
    }

let private (|Over|Going|) (job: Task) = if job.IsCompleted then Over else Going job

let withAnother (job: Task<int>) =
    task {
        match job with
        | Over -> return job.Result
        | Going other ->
            do! other
            return 0
    }

type private Phase =
    | Waiting
    | Working of Task<int>
    | Done of Task<int>
    | Lost

let private phase (job: Task<int>) =
    match job.Status with
    | TaskStatus.RanToCompletion -> Done job
    | TaskStatus.Faulted
    | TaskStatus.Canceled -> Lost
    | _ -> if job.IsCompleted then Done job else Working job

let ofAUnion (job: Task<int>) =
    task {
        match phase job with
        | Done ended -> return ended.Result
        | Lost -> return job.Result
        | Working running -> return! running
        | Waiting -> return 0
    }

let private (|Both|Others|) (a: Task, b: Task) =
    match a.IsCompleted, b.IsCompleted with
    | true, true -> Both
    | _ -> Others

let ofTwo (a: Task<int>) (b: Task<int>) =
    task {
        match a, b with
        | Both -> return a.Result + b.Result
        | Others -> return 0
    }

let aSequenceByHand () = task { return Seq.delay (fun () -> Thread.Sleep 1; Seq.empty<int>) }

let private ticks () =
    Thread.Sleep 1
    Seq.singleton 1

let aSequenceOfAFunction () = task { return Seq.delay ticks }

type private Mode =
    | Fast
    | Slow

let private awaitedInEachCase (mode: Mode) (job: Task<int>) =
    task {
        try
            match mode with
            | Fast ->
                let! number = job
                return number
            | Slow ->
                let! number = job
                return number + 1
        with _ ->
            return job.Result
    }

let private awaitedWithAnOption (more: int option) (job: Task<int>) =
    task {
        try
            match more with
            | Some more ->
                let! number = job
                return number + more
            | None -> return! job
        with _ ->
            return job.Result
    }

type private Wrapped = { Phase: Phase; Number: int }

let private wrapped (job: Task<int>) : Wrapped =
    if job.IsCompleted then
        { Phase = Done job; Number = 1 }
    else
        { Phase = Working job; Number = 2 }

let inARecord (job: Task<int>) =
    task {
        match (wrapped job).Phase with
        | Done _ -> return job.Result
        | Working running -> return! running
        | Waiting
        | Lost -> return 0
    }

let private oneOfTwo (job: Task<int>) (other: Task<int>) (isFirst: bool) =
    if job.IsCompleted then Done job
    elif isFirst then Working job
    else Working other

let ofNestedTests (job: Task<int>) (other: Task<int>) (isFirst: bool) =
    task {
        match oneOfTwo job other isFirst with
        | Working running -> return! running
        | _ -> return job.Result
    }

let private waitingOrWorking (job: Task<int>) (isFirst: bool) =
    if job.IsCompleted then Lost
    elif isFirst then Waiting
    else Working job

let ofThreeCases (job: Task<int>) (isFirst: bool) =
    task {
        match waitingOrWorking job isFirst with
        | Waiting -> return 0
        | Working running -> return! running
        | Lost -> return job.Result
        | Done _ -> return 1
    }

type private Progress =
    | Over
    | Open
    | Cancelled

type private Counted =
    | Number of int
    | Total of int
    | Missing

let private progress (job: Task<int>) = if job.IsCompleted then Over else Open

let private counted (job: Task<int>) = if job.IsCompleted then Number 1 else Missing

let orACaseThatIsNeverMade (job: Task<int>) =
    task {
        match progress job with
        | Over
        | Cancelled -> return job.Result
        | Open -> return! job
    }

let aCaseThatIsNeverMadeFirst (job: Task<int>) =
    async {
        match progress job with
        | Cancelled
        | Over -> return job.Result
        | _ -> return 0
    }

let orACaseWithAField (job: Task<int>) =
    task {
        match counted job, 1 with
        | (Number n | Total n), _ -> return job.Result + n
        | Missing, _ -> return 0
    }

let private (|Won|_|) (least: int) (job: Task<int>, other: Task<int>) =
    if other.IsCompleted && least > 0 then Some least else None

let ofTwoAndANumber (job: Task<int>) (other: Task<int>) =
    task {
        match job, other with
        | Won 1 n -> return other.Result + n
        | _ -> return 0
    }

let contentOfAnOption (job: Task<int>) =
    task {
        let ended = if job.IsCompleted then Some job else None

        match ended with
        | Some ended -> return ended.Result
        | None -> return! job
    }

let inACell (job: Task<int>) =
    task {
        let winner = ref job
        let! first = Task.WhenAny(job, count "a")
        winner.Value <- first
        return winner.Value.Result
    }
