// The explorer: runs a few logical threads one at a time, each on a thread of its own that waits for the baton, and does
// so once for every order of their atomic operations. Owns the rule that a schedule is replayed exactly.
namespace Plait.Explorer

#nowarn "3261" // null: a thread that no schedule runs, no error yet

open System
open System.Threading

/// Stands in for a waiter's home: what is posted runs at once, so that nothing leaves the schedule.
[<Sealed>]
type Inline() =
    inherit SynchronizationContext()
    override _.Post(callback, state) = callback.Invoke state

[<Sealed; AllowNullLiteral>]
type Schedule(prefix: int list, bodies: (unit -> unit) list) =
    [<ThreadStatic; DefaultValue>]
    static val mutable private running: Schedule

    [<ThreadStatic; DefaultValue>]
    static val mutable private self: int

    let batons = [| for _ in bodies -> new SemaphoreSlim(0) |]
    let alive = Array.create bodies.Length true
    let over = new SemaphoreSlim(0)
    let choices = ResizeArray<struct (int * int)>()
    let mutable error: exn = null

    // the choice out of the threads that may go on; where there is none there is nothing to record
    let choose (candidates: int list) =
        match candidates with
        | [ only ] -> only
        | _ ->
            let at = choices.Count
            let choice = if at < prefix.Length then prefix[at] else 0
            choices.Add(struct (choice, candidates.Length))
            candidates[choice]

    let others me =
        [
            for index in 0 .. alive.Length - 1 do
                if index <> me && alive[index] then
                    index
        ]

    let give next me =
        if next <> me then
            batons[next].Release() |> ignore
            batons[me].Wait()

    member private schedule.Body(me: int) =
        SynchronizationContext.SetSynchronizationContext(Inline())
        Schedule.running <- schedule
        Schedule.self <- me
        batons[me].Wait()

        try
            bodies[me]()
        with caught ->
            error <- caught

        alive[me] <- false

        match others me with
        | [] -> over.Release() |> ignore
        | left -> batons[choose left].Release() |> ignore

    /// A place where another thread may go on.
    static member Point() =
        match Schedule.running with
        | null -> ()
        | schedule -> schedule.Switch(Schedule.self :: schedule.Others Schedule.self)

    /// A place where another thread must go on: this one waits for it.
    static member Wait() =
        match Schedule.running with
        | null -> ()
        | schedule ->
            match schedule.Others Schedule.self with
            | [] -> failwith "A thread waits for a store that nobody will make."
            | left -> schedule.Switch left

    member private _.Others(me: int) = others me
    member private _.Switch(candidates: int list) = give (choose candidates) Schedule.self

    /// All threads to their end; the choices that were made, each with how many there were.
    member schedule.Run() : List<struct (int * int)> =
        let threads =
            [ for index in 0 .. bodies.Length - 1 -> Thread((fun () -> schedule.Body index), 256 * 1024) ]

        for thread in threads do
            thread.Start()

        batons[choose [ 0 .. bodies.Length - 1 ]].Release() |> ignore

        if not (over.Wait 10_000) then
            failwith "A schedule came to a standstill."

        for thread in threads do
            thread.Join()

        match error with
        | null -> List.ofSeq choices
        | caught -> raise (AggregateException caught)

    static member private Exhausted(made: struct (int * int)) =
        let struct (choice, width) = made
        choice + 1 = width

    /// Every schedule of the threads that `setup` makes; `check`, its second part, runs after each. The number of them.
    static member All(setup: unit -> (unit -> unit) list * (unit -> unit)) : int =
        let mutable count = 0
        let mutable next: int list option = Some []

        while next.IsSome do
            let bodies, check = setup ()
            let order: Schedule = new Schedule(next.Value, bodies)
            let made = order.Run()
            check ()
            count <- count + 1
            // the last choice that has an alternative not yet tried
            let tried: struct (int * int)[] = Array.ofList made
            let mutable last = tried.Length - 1

            while last >= 0 && Schedule.Exhausted tried[last] do
                last <- last - 1

            next <-
                if last < 0 then
                    None
                else
                    Some(
                        List.init (last + 1) (fun at ->
                            let struct (choice, _) = tried[at]
                            if at = last then choice + 1 else choice)
                    )

        count
