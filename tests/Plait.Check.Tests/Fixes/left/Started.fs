// Work that nobody awaits. Waiting for it would serve one client at a time, never end, or start what must not run.
module Started

open System.Threading
open System.Threading.Channels
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = task { do! Task.Delay 1 }
let later n = async { return n + 1 }

let plain () =
    task {
        save 3 |> ignore // left
        load 3 |> ignore // left
        let _ = load 5 // left
        let unused = save 4 // left
        later 4 |> ignore // left
        return 1
    }

let serve (accept: unit -> Task<int>) (handle: int -> Task) =
    task {
        while true do
            let! client = accept ()
            Task.Run(fun () -> handle client) |> ignore // left
    }

let serveByHand (accept: unit -> Task<int>) (handle: int -> Task) =
    task {
        while true do
            let! client = accept ()
            handle client |> ignore // left
    }

let rec serveAgain (accept: unit -> Task<int>) (handle: int -> Task) : Task<unit> =
    task {
        let! client = accept ()
        Task.Factory.StartNew(fun () -> handle client) |> ignore // left
        return! serveAgain accept handle
    }

let serveInAsync (accept: Async<int>) (handle: int -> Async<unit>) =
    async {
        while true do
            let! client = accept
            Async.StartAsTask(handle client) |> ignore // left
    }

let serveEach (clients: int list) (handle: int -> Task) =
    task {
        for client in clients do
            handle client |> ignore // left
    }

let runBeside (token: CancellationToken) (job: Task) =
    task {
        let loop () =
            task {
                while not token.IsCancellationRequested do
                    do! Task.Delay 1000
            }

        loop () |> ignore // left
        do! job
    }

let private pump () : Task =
    task {
        while true do
            do! Task.Delay 1000
    }

let rec private poll (n: int) : Task<int> =
    task {
        do! Task.Delay 1000
        return! poll (n + 1)
    }

type Server() =
    member _.Start() : Task = pump ()
    member _.Listen() : Task = pump ()

let endless (server: Server) =
    task {
        pump () |> ignore // left
        poll 0 |> ignore // left
        server.Start() |> ignore // left
        let _ = server.Listen() // left
        return 1
    }

let private heartbeat () =
    async {
        while true do
            do! Async.Sleep 1000
    }

let neverRun () =
    async {
        heartbeat () |> ignore // left
        Async.StartChild(heartbeat ()) |> ignore // left
        return 1
    }

// the channel is full until the loop below reads from it
let fill (channel: Channel<int>) : Task =
    task {
        for n in 1..100 do
            do! channel.Writer.WriteAsync n

        channel.Writer.Complete()
    }

let fillAndDrain () =
    task {
        let channel = Channel.CreateBounded<int> 1
        fill channel |> ignore // left
        let mutable sum = 0

        while not channel.Reader.Completion.IsCompleted do
            let! n = channel.Reader.ReadAsync()
            sum <- sum + n

        return sum
    }
