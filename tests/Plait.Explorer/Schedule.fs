// The explorer: runs a few logical threads one at a time, each on a worker of its own that waits for the baton, and does so
// once for every order of their atomic operations. Owns the rule that a schedule is replayed exactly: a thread goes on only
// where the schedule says so.
namespace Plait.Explorer

open System
open System.Collections.Generic
open System.Threading

/// A schedule broke an invariant.
exception Broken of message: string

/// Ends a thread of a schedule that has failed already.
exception private Abandoned

/// What is explored: the threads, and what must hold behind them.
[<Struct; NoEquality; NoComparison>]
type World =
    {
        Threads: (unit -> unit)[]
        /// The core that a thread is on.
        Core: int -> int
        /// Whether there is a thread pool: one thread more.
        HasPool: bool
        Check: unit -> unit
    }

/// What one thread waits for and another one hands over. Without spinning: there are more threads than cores. An event takes a third of
/// the processor time of a monitor.
[<Sealed>]
type private Baton() =
    let handed = new AutoResetEvent false

    member _.Release() = handed.Set() |> ignore

    member _.Wait() = handed.WaitOne() |> ignore

/// Runs worlds of at most `width` threads, on the thread that asks.
[<Sealed; AllowNullLiteral>]
type Explorer private (width: int) =
    [<ThreadStatic; DefaultValue>]
    static val mutable private running: Explorer

    [<ThreadStatic; DefaultValue>]
    static val mutable private self: int

    // also of a thread that sets up or checks
    [<ThreadStatic; DefaultValue>]
    static val mutable private owner: Explorer

    // a thread that takes more steps than this turns in circles
    static let patience = 5_000

    let batons = Array.init width (fun _ -> Baton())
    let over = Baton()
    let mutable threads: (unit -> unit)[] = [||]
    let alive: bool[] = Array.create width false
    let waits: (unit -> bool)[] = Array.create width Unchecked.defaultof<_>

    // the path through the tree of choices: what was chosen at each fork, out of how many
    let chosen = List<int>()
    let forks = List<int>()
    let mutable depth = 0
    let mutable preemptions = 0
    let mutable allowed = 0
    let mutable steps = 0
    let mutable error: exn = null
    let mutable closing = false
    let mutable core: int -> int = id
    let queue = Queue<IThreadPoolWorkItem>()
    let belongings = Dictionary<Type, obj>()
    let candidates = List<int>()

    let ready index =
        alive[index] && (obj.ReferenceEquals(waits[index], null) || waits[index]())

    // who goes on; the one that runs now comes first. -1: nobody can
    let choose (me: int) =
        candidates.Clear()

        if me >= 0 && ready me then
            candidates.Add me

        let mine = candidates.Count = 1

        if not mine || preemptions < allowed then
            for index in 0 .. threads.Length - 1 do
                if index <> me && ready index then
                    candidates.Add index

        match candidates.Count with
        | 0 -> -1
        | 1 -> candidates[0]
        | width ->
            if depth = chosen.Count then
                chosen.Add 0
                forks.Add width

            let next = candidates[chosen[depth]]
            depth <- depth + 1

            if mine && next <> me then
                preemptions <- preemptions + 1

            next

    let fail (caught: exn) =
        if isNull error then
            error <- caught

    // a thread that can go on no more is let go on to its end
    let abandon () =
        fail (Broken "A thread waits for a store that nobody will make.")

        for index in 0 .. threads.Length - 1 do
            waits[index] <- Unchecked.defaultof<_>

    member private explorer.Work(me: int) =
        Explorer.owner <- explorer
        batons[me].Wait()

        while not closing do
            Explorer.running <- explorer
            Explorer.self <- me

            try
                threads[me]()
            with
            | Abandoned -> ()
            | caught -> fail caught

            alive[me] <- false
            Explorer.running <- null
            steps <- steps + 1

            if Array.contains true alive then
                let mutable next = choose -1

                if next < 0 then
                    abandon ()
                    next <- choose -1

                batons[next].Release()
            else
                over.Release()

            batons[me].Wait()

    member private _.Switch(me: int) =
        steps <- steps + 1

        if steps > patience then
            fail (Broken "A schedule has no end.")

        if not (isNull error) then
            raise Abandoned

        let mutable next = choose me

        if next < 0 then
            abandon ()
            raise Abandoned

        if next <> me then
            batons[next].Release()
            batons[me].Wait()

            if not (isNull error) then
                raise Abandoned

    /// An explorer with its workers, until it is disposed.
    static member Start(width: int) : Explorer =
        let explorer = new Explorer(width)

        for me in 0 .. width - 1 do
            Thread((fun () -> explorer.Work me), 256 * 1024, IsBackground = true).UnsafeStart()

        explorer

    /// The explorer that runs the calling thread; null: none.
    static member Running = Explorer.running

    /// A place where another thread may go on.
    static member Point() =
        match Explorer.running with
        | null -> ()
        | explorer ->
            if not explorer.Undivided then
                explorer.Switch Explorer.self

    /// While a thread has a lock, what it does is one step: nothing that it changes there is seen from outside the lock
    /// before it is whole.
    member val Undivided = false with get, set

    /// A place where this thread goes on only once something is so.
    static member Await(condition: unit -> bool) =
        match Explorer.running with
        | null -> ()
        | explorer -> explorer.Wait(Explorer.self, condition)

    member private explorer.Wait(me: int, condition: unit -> bool) =
        waits[me] <- condition
        explorer.Switch me
        waits[me] <- Unchecked.defaultof<_>

    /// Has the item run by the thread of the pool.
    member _.Queue(item: IThreadPoolWorkItem) = queue.Enqueue item

    // runs what is queued, until nobody can queue any more
    member private _.Pool (me: int) () =
        let othersEnded () =
            not (Seq.exists (fun index -> index <> me && alive[index]) (seq { 0 .. threads.Length - 1 }))

        let mutable working = true

        while working do
            Explorer.Await(fun () -> queue.Count > 0 || othersEnded ())

            match queue.TryDequeue() with
            | true, item -> item.Execute()
            | _ -> working <- false

    /// The core of the calling thread.
    member _.Core = core Explorer.self

    /// The explorer that the calling thread belongs to.
    static member Owner = Explorer.owner

    /// What a world has one of, made at first use.
    member _.Own<'Thing>(make: unit -> 'Thing) : 'Thing =
        match belongings.TryGetValue typeof<'Thing> with
        | true, thing -> unbox thing
        | _ ->
            let thing = make ()
            belongings[typeof<'Thing>] <- box thing
            thing

    /// The atomic steps of this schedule so far: it grows with each.
    member _.Steps = steps

    member private explorer.Run(world: World) =
        threads <-
            if world.HasPool then
                Array.append world.Threads [| explorer.Pool world.Threads.Length |]
            else
                world.Threads

        core <- world.Core
        queue.Clear()
        explorer.Undivided <- false
        depth <- 0
        preemptions <- 0
        steps <- 0
        error <- null

        for index in 0 .. threads.Length - 1 do
            alive[index] <- true
            waits[index] <- Unchecked.defaultof<_>

        batons[choose -1].Release()
        over.Wait()

        if not (isNull error) then
            raise error

        world.Check()

    /// Every schedule of the world that `setup` makes, which is made anew for each, in which threads that could go on are
    /// interrupted at most so many times. The number of them. Broken, with the choices that led there, where a thread or the
    /// check throws.
    member explorer.All(setup: unit -> World, interruptions: int) : int =
        let mutable count = 0
        allowed <- interruptions
        let mutable left = true
        chosen.Clear()
        forks.Clear()
        Explorer.owner <- explorer

        while left do
            belongings.Clear()

            try
                explorer.Run(setup ())
            with error ->
                let path = String.Join(' ', chosen)
                raise (Broken $"{error.Message} In the schedule {path}.")

            count <- count + 1

            // the last fork that has a way not yet gone
            while chosen.Count > 0 && chosen[chosen.Count - 1] + 1 = forks[chosen.Count - 1] do
                chosen.RemoveAt(chosen.Count - 1)
                forks.RemoveAt(forks.Count - 1)

            if chosen.Count = 0 then
                left <- false
            else
                chosen[chosen.Count - 1] <- chosen[chosen.Count - 1] + 1

        count

    interface IDisposable with
        member _.Dispose() =
            closing <- true

            for baton in batons do
                baton.Release()
