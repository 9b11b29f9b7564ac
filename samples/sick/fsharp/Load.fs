// The load of these programs: orders come in, whether the pool keeps up with them or not. Every program may use it.
module Sick.Load

open System.Threading

/// Does this over and over on a thread of its own, which is not the pool's.
let forever (name: string) (work: unit -> unit) : unit =
    let loop () =
        while true do
            work ()

    Thread(loop, IsBackground = true, Name = name).Start()

/// Gives the pool another order whenever fewer than a thousand work items wait for it.
let backlog (handle: int -> unit) : unit =
    let last = ref 0

    forever "orders" (fun () ->
        while ThreadPool.PendingWorkItemCount < 1000L do
            let order = Interlocked.Increment last
            ThreadPool.QueueUserWorkItem(fun _ -> handle order) |> ignore

        Thread.Sleep 20)

/// Gives the pool two hundred orders a second.
let steady (handle: int -> unit) : unit =
    let last = ref 0

    forever "orders" (fun () ->
        for _ in 1..4 do
            let order = Interlocked.Increment last
            ThreadPool.QueueUserWorkItem(fun _ -> handle order) |> ignore

        Thread.Sleep 20)
