// Work that gets a thread of its own: it may block that, and would go on elsewhere behind an await.
module OwnThreads

open System
open System.Threading
open System.Threading.Tasks

let poll (work: unit -> unit) =
    Task.Run(fun () ->
        task {
            while true do
                Thread.Sleep 1000 // left
                work ()
        }
        :> Task)

let private loop (work: unit -> unit) =
    task {
        while true do
            Thread.Sleep 1000 // left
            work ()
    }

let started (work: unit -> unit) = Task.Run(fun () -> loop work :> Task)

let private own (work: unit -> unit) : Task<unit> =
    task {
        while true do
            Thread.Sleep 1000 // left
            work ()
    }

let private wait (work: unit -> unit) = (own work).Wait()

let onAThread (work: unit -> unit) =
    let thread = Thread((fun () -> wait work), Name = "poller", IsBackground = false)
    thread.Start()

let private step (work: unit -> unit) : Task<unit> =
    task {
        Thread.Sleep 1000 // left
        work ()
    }

let stepping (work: unit -> unit) =
    Thread(fun () ->
        let all =
            task {
                while true do
                    do! step work
            }

        all.Wait())
        .Start()

let longRunning (work: unit -> unit) =
    Task.Factory.StartNew(
        (fun () ->
            task {
                Thread.Sleep 1000 // left
                work ()
            }),
        TaskCreationOptions.LongRunning
    )

let queued (work: unit -> unit) =
    ThreadPool.QueueUserWorkItem(fun _ ->
        let all =
            task {
                Thread.Sleep 1000 // left
                work ()
            }

        all.Wait())
    |> ignore

let localLoop (work: unit -> unit) =
    let beat () =
        task {
            while true do
                Thread.Sleep 1000 // left
                work ()
        }

    Task.Run(fun () -> beat () :> Task)

let localFunction (work: unit -> unit) =
    let beat () : Task =
        task {
            Thread.Sleep 1000 // left
            work ()
        }

    Task.Run beat

let private forever () : Task<unit> =
    task {
        while true do
            Thread.Sleep 1000 // left
    }

let byName () =
    Thread(ThreadStart(forever >> ignore)).Start()

let byMethod () = Task.Run<unit>(Func<Task<unit>> forever)

let cold (work: unit -> unit) =
    let one =
        Task(fun () ->
            let all =
                task {
                    Thread.Sleep 1000 // left
                    work ()
                }

            all.Wait())

    one.Start()
