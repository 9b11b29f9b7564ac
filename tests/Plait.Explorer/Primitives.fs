// Worlds of locks, semaphores, events and lazy values. Owns what must hold of them: no more are inside than may be, each wait
// ends once, those that wait go in the order in which they came, and neither a cancellation nor a disposal loses a permit.
module Plait.Explorer.Primitives

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Kernel
open Plait.Explorer.Operations
open Plait.Explorer.Worlds

/// What a thread does: wait and go through, with the token of the world or without; set the event, reset it; cancel the token;
/// dispose of the primitive.
type Step =
    | Pass
    | PassWithToken
    | Set
    | Reset
    | Cancel
    | Dispose

/// A wait that has begun.
[<NoEquality; NoComparison>]
type internal Begun =
    {
        IsCompleted: unit -> bool
        /// Takes the result: with the default releaser, where there is none.
        Take: unit -> AsyncReleaser
        Await: Frame -> unit
    }

let private entering (wait: ValueTask<AsyncReleaser>) : Begun =
    {
        IsCompleted = fun () -> wait.IsCompleted
        Take = fun () -> wait.GetAwaiter().GetResult()
        Await = fun frame -> wait.GetAwaiter().UnsafeOnCompleted frame.Action
    }

let private waiting (wait: ValueTask) : Begun =
    {
        IsCompleted = fun () -> wait.IsCompleted
        Take =
            fun () ->
                wait.GetAwaiter().GetResult()
                Unchecked.defaultof<AsyncReleaser>
        Await = fun frame -> wait.GetAwaiter().UnsafeOnCompleted frame.Action
    }

/// A primitive, for its world.
[<NoEquality; NoComparison>]
type internal Subject =
    {
        /// How many may be inside; 0: they only go through.
        Permits: int
        Wait: CancellationToken -> Begun
        Set: unit -> unit
        Reset: unit -> unit
        Dispose: unit -> unit
        /// Whether one that waited now would go through.
        IsOpen: unit -> bool
    }

let internal aLock () : Subject =
    let gate = new AsyncLock()

    {
        Permits = 1
        Wait = fun token -> entering (gate.EnterAsync token)
        Set = ignore
        Reset = ignore
        Dispose = gate.Dispose
        IsOpen = fun () -> not gate.IsHeld
    }

let internal aSemaphore (permits: int) () : Subject =
    let gate = new AsyncSemaphore(permits)

    {
        Permits = permits
        Wait = fun token -> entering (gate.EnterAsync token)
        Set = ignore
        Reset = ignore
        Dispose = gate.Dispose
        IsOpen = fun () -> gate.CurrentCount = permits
    }

/// One on which a wait was cancelled: it looks as if somebody waited.
let internal anAutoEvent (cancelled: bool) () : Subject =
    let event = new AsyncAutoResetEvent()

    if cancelled then
        use source = new CancellationTokenSource()
        let wait = event.WaitAsync source.Token
        source.Cancel()
        must wait.IsCanceled "A cancelled wait was not cancelled."

        try
            wait.GetAwaiter().GetResult()
        with :? OperationCanceledException ->
            ()

    {
        Permits = 0
        Wait = fun token -> waiting (event.WaitAsync token)
        Set = event.Set
        Reset = fun () -> event.Reset() |> ignore
        Dispose = event.Dispose
        IsOpen = fun () -> event.IsSet
    }

let internal aManualEvent () : Subject =
    let event = new AsyncManualResetEvent()

    {
        Permits = 0
        Wait = fun token -> waiting (event.WaitAsync token)
        Set = event.Set
        Reset = event.Reset
        Dispose = event.Dispose
        IsOpen = fun () -> event.IsSet
    }

/// One wait: when it came, when it was seen to be pending (0: never), when it went through (0: never).
[<Sealed; AllowNullLiteral>]
type private Visit(came: int) =
    member _.Came = came
    member val Queued = 0 with get, set
    member val Entered = 0 with get, set
    member val Ends = 0 with get, set

let internal primitive (make: unit -> Subject) (threads: Step list list) () : World =
    let subject = make ()
    let cancellation = new CancellationTokenSource()
    let visits = List<Visit>()
    let mutable clock = 0
    let mutable inside = 0
    let mutable disposed = false
    let mutable sets = 0
    let mutable resets = 0

    let tick () =
        clock <- clock + 1
        clock

    let pass (token: CancellationToken) =
        let visit = Visit(tick ())
        visits.Add visit
        let wait = subject.Wait token

        // what a release throws is no answer to a wait
        let take () =
            try
                ValueSome(wait.Take())
            with
            | :? OperationCanceledException ->
                must
                    (token.CanBeCanceled && cancellation.IsCancellationRequested)
                    "A wait was cancelled by nobody, or by a token that is not its own."

                ValueNone
            | :? ObjectDisposedException ->
                must disposed "A wait was refused by a primitive that lives."
                ValueNone

        let finish () =
            visit.Ends <- visit.Ends + 1

            match take () with
            | ValueSome releaser ->
                visit.Entered <- tick ()

                if subject.Permits > 0 then
                    inside <- inside + 1
                    must (inside <= subject.Permits) $"{inside} are inside."
                    Explorer.Point()
                    inside <- inside - 1
                    releaser.Dispose()
            | ValueNone -> ()

        if wait.IsCompleted() then
            finish ()
        else
            visit.Queued <- tick ()
            wait.Await(WaitingFrame finish)

    let change (act: unit -> unit) =
        try
            act ()
        with :? ObjectDisposedException ->
            must disposed "An event that lives was not to be changed."

    let step (what: Step) =
        match what with
        | Pass -> pass CancellationToken.None
        | PassWithToken -> pass cancellation.Token
        | Set ->
            sets <- sets + 1
            change subject.Set
        | Reset ->
            resets <- resets + 1
            change subject.Reset
        | Cancel -> cancellation.Cancel()
        | Dispose ->
            let before = disposed
            disposed <- true

            try
                subject.Dispose()
            with :? InvalidOperationException ->
                disposed <- before

    let check () =
        let pending = visits |> Seq.filter (fun visit -> visit.Ends = 0) |> Seq.length
        let entered = visits |> Seq.filter (fun visit -> visit.Entered > 0) |> Seq.length

        for visit in visits do
            must (visit.Ends <= 1) $"A wait has ended {visit.Ends} times."

        must (pending = 0 || not disposed) "A wait is left in a primitive that is disposed."

        if subject.Permits > 0 then
            must (pending = 0) $"{pending} wait, and nobody is inside: a permit is lost."
            must (disposed || subject.IsOpen()) "A permit is lost, or there is one too many."
        else
            must (pending = 0 || not (subject.IsOpen())) "One waits, and the event is set."

            if sets > 0 && resets = 0 && not disposed then
                must (entered > 0 || subject.IsOpen()) "A signal is lost."

        if subject.Permits = 1 then
            for earlier in visits do
                for later in visits do
                    if
                        earlier.Queued > 0
                        && earlier.Queued < later.Came
                        && earlier.Entered > 0
                        && later.Entered > 0
                    then
                        must (earlier.Entered < later.Entered) "One that came later went first."

        let kept = ThreadCachedPool<QueuedWait, WaitPoolSettings>.Stock.All

        must
            (HashSet<obj>(Seq.cast<obj> kept, HashIdentity.Reference).Count = kept.Length)
            "A wait is in the pool twice."

    {
        Threads = [| for steps in threads -> homeless (fun () -> List.iter step steps) |]
        Core = id
        HasPool = true
        Check = check
    }

/// The lock's releaser, disposed by as many threads as there are.
let internal released (threads: int) () : World =
    let gate = new AsyncLock()
    let releaser = gate.EnterAsync().Result
    let next = gate.EnterAsync()
    let mutable refused = 0

    let release () =
        try
            releaser.Dispose()
        with :? InvalidOperationException ->
            refused <- refused + 1

    let check () =
        must (refused = threads - 1) $"{refused} of {threads} disposals were refused."
        must next.IsCompletedSuccessfully "The next one did not enter."
        must gate.IsHeld "The lock was released for the next one too."
        next.Result.Dispose()
        must (not gate.IsHeld) "A lock that was released is held."

    {
        Threads = [| for _ in 1..threads -> homeless release |]
        Core = id
        HasPool = true
        Check = check
    }

/// A lazy value that threads read; its first attempt fails, if `failing`.
let internal lazily (threads: int) (failing: bool) () : World =
    let mutable attempts = 0
    let mutable running = 0

    let make () =
        attempts <- attempts + 1
        running <- running + 1
        let mine = attempts
        Explorer.Point()
        must (running = 1) "Two attempts run at the same time."
        running <- running - 1

        if failing && mine = 1 then
            Task.FromException<int>(FormatException())
        else
            Task.FromResult mine

    let value = AsyncLazy<int>(Func<Task<int>> make, LazyFailure.Retry)
    let read = List<Task<int>>()

    let check () =
        for task in read do
            // one that came while the function ran gets the end from the thread pool
            let ended = (task :> IAsyncResult).AsyncWaitHandle.WaitOne(TimeSpan.FromMinutes 1.)
            must ended "An attempt has no end."

            if task.IsFaulted then
                must (failing && (task.Exception.InnerException :? FormatException)) "An attempt failed."

        must (attempts <= (if failing then 2 else 1)) $"There were {attempts} attempts."
        must (value.Task.Result = (if failing then 2 else 1)) "The value is that of another attempt."

    {
        Threads = [| for _ in 1..threads -> homeless (fun () -> read.Add value.Task) |]
        Core = id
        HasPool = false
        Check = check
    }
