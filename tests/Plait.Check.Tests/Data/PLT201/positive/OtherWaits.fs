// Handles, monitors, processes, agents and sockets.
module PLT201.Positive.OtherWaits

open System.Diagnostics
open System.IO
open System.Net
open System.Net.Sockets
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let runSynchronously () =
    async {
        let n = later "a" |> Async.RunSynchronously // PLT201 warning
        return n + 1
    }

let runSynchronouslyInTask () =
    task {
        let n = Async.RunSynchronously(later "a", 1000) // PLT201 warning
        let! m = count "a"
        return n + m
    }

let handle (opened: ManualResetEvent) =
    task {
        opened.WaitOne() |> ignore // PLT201 warning
        return 1
    }

let autoHandle (opened: AutoResetEvent) =
    async {
        if opened.WaitOne 1000 then // PLT201 warning
            return 1
        else
            return 0
    }

let handles (all: WaitHandle[]) =
    async {
        let index = WaitHandle.WaitAny all // PLT201 warning
        return index
    }

let slimEvent (opened: ManualResetEventSlim) =
    task {
        opened.Wait() // PLT201 warning
        return 1
    }

let monitor (gate: obj) =
    task {
        lock gate (fun () ->
            Monitor.Wait gate |> ignore) // PLT201 warning

        return 1
    }

let semaphore (slots: SemaphoreSlim) =
    task {
        slots.Wait() // PLT201 warning

        try
            let! n = count "a"
            return n
        finally
            slots.Release() |> ignore
    }

let semaphoreInAsync (slots: SemaphoreSlim) (token: CancellationToken) =
    async {
        slots.Wait token // PLT201 warning
        let! n = later "a"
        slots.Release() |> ignore
        return n
    }

let thread (worker: Thread) =
    async {
        worker.Join() // PLT201 warning
        return 1
    }

let externalProgram (name: string) =
    task {
        use started = Process.Start name
        started.WaitForExit() // PLT201 warning
        return started.ExitCode
    }

let externalProgramInAsync (started: Process) =
    async {
        started.WaitForExit 1000 |> ignore // PLT201 warning
        return started.HasExited
    }

let agent (mailbox: MailboxProcessor<AsyncReplyChannel<int>>) =
    async {
        let reply = mailbox.PostAndReply id // PLT201 warning
        return reply + 1
    }

let accept (listener: TcpListener) =
    task {
        listener.Start()
        use client = listener.AcceptTcpClient() // PLT201 warning
        let! _ = client.GetStream().ReadAsync(Array.zeroCreate 16, 0, 16)
        return client.Available
    }

let acceptSocket (socket: Socket) =
    async {
        let client = socket.Accept() // PLT201 warning
        return client
    }

type Once() =
    let mutable table: int[] = Unchecked.defaultof<_>
    let mutable isMade = false
    let mutable gate = obj ()

    member _.WithALock() =
        task {
            return
                LazyInitializer.EnsureInitialized(
                    &table,
                    &gate,
                    fun () ->
                        Thread.Sleep 10 // PLT201 warning
                        [| 1 |]
                )
        }

    member _.WithATest() =
        task {
            return
                LazyInitializer.EnsureInitialized(
                    &table,
                    &isMade,
                    &gate,
                    fun () ->
                        Thread.Sleep 10 // PLT201 warning
                        [| 1 |]
                )
        }
