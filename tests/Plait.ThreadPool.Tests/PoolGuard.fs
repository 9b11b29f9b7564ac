// Under test: the guard of the thread pool: the kinds of waits that it sees, and what it does not call a wait. The tests are
// awaited, because one that waits would be seen itself.
namespace Plait.ThreadPool.Tests

open System
open System.Diagnostics
open System.Net
open System.Net.Sockets
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait

[<Collection("alone")>]
module PoolGuard =
    let private long = 400

    let private spin () =
        let watch = Stopwatch.StartNew()

        while watch.ElapsedMilliseconds < int64 long do
            ()

    let private readFromSilence () =
        let listener = new TcpListener(IPAddress.Loopback, 0)
        listener.Start()

        try
            use client = new TcpClient()
            client.Connect(listener.LocalEndpoint :?> IPEndPoint)
            client.ReceiveTimeout <- long
            use _ = listener.AcceptSocket()

            try
                client.GetStream().ReadByte() |> ignore
            with :? IO.IOException ->
                ()
        finally
            listener.Stop()

    let private heldLock () =
        let held = obj ()
        use isHeld = new ManualResetEventSlim(false)

        let holder =
            Thread(fun () ->
                lock held (fun () ->
                    isHeld.Set()
                    Thread.Sleep long))

        holder.Start()
        isHeld.Wait()
        lock held ignore

    let private waits: (string * (BlockedWaitKind * (unit -> unit))) list =
        [
            "Task.Wait", (BlockedWaitKind.TaskWait, (fun () -> (Task.Delay long).Wait()))
            "GetResult", (BlockedWaitKind.TaskWait, (fun () -> (Task.Delay long).GetAwaiter().GetResult()))
            "Thread.Sleep", (BlockedWaitKind.OffProcessor, (fun () -> Thread.Sleep long))
            "a socket", (BlockedWaitKind.OffProcessor, readFromSilence)
            "RunSynchronously",
            (BlockedWaitKind.WaitHandle, (fun () -> Async.RunSynchronously(Async.Sleep long)))
            "a lock", (BlockedWaitKind.WaitHandle, heldLock)
            "SemaphoreSlim",
            (BlockedWaitKind.WaitHandle, (fun () -> (new SemaphoreSlim(0)).Wait long |> ignore))
            "Thread.Join",
            // the runtime 11 has no event for it
            ((if Environment.Version.Major < 11 then
                  BlockedWaitKind.WaitHandle
              else
                  BlockedWaitKind.OffProcessor),
             (fun () ->
                 let thread = Thread(fun () -> Thread.Sleep long)
                 thread.Start()
                 thread.Join()))
            "Process.WaitForExit",
            (BlockedWaitKind.WaitHandle,
             (fun () ->
                 use started = Process.Start("sleep", "0.4")
                 started.WaitForExit()))
        ]

    let waitNames = TheoryData<string>(List.map fst waits)

    [<Theory; MemberData(nameof waitNames)>]
    let ``a wait on a thread of the pool fails the check, with its kind`` (name: string) : Task =
        task {
            let kind, wait = waits |> List.find (fun (other, _) -> other = name) |> snd
            let watch = Stopwatch.StartNew()
            let mutable seen: BlockedWait option = None

            // where other processes take the processors, one wait may go unseen
            while seen.IsNone && watch.Elapsed < TimeSpan.FromMinutes 2. do
                let guard = ThreadPoolGuard.Start()
                do! Task.Run wait

                try
                    guard.Check()
                with :? BlockedThreadPoolException as error ->
                    seen <- error.Waits |> Seq.tryFind (fun wait -> wait.Kind = kind)

                // it is told once
                guard.Dispose()

            Assert.True(seen.IsSome, "It was not seen within 2 minutes.")

            if kind = BlockedWaitKind.TaskWait then
                let stack = seen.Value.Stack
                Assert.Contains("PoolGuard", string stack)
                Assert.DoesNotContain("System.Threading", string stack)
        }

    let private healthy: (string * (unit -> Task)) list =
        [
            "work that runs", (fun () -> Task.Run spin)
            "more work than processors", (fun () -> Task.WhenAll [ for _ in 1..6 -> Task.Run spin ])
            "delays", (fun () -> Task.WhenAll [ for _ in 1..500 -> Task.Delay long ])
            "yields",
            (fun () ->
                task {
                    let watch = Stopwatch.StartNew()

                    while watch.ElapsedMilliseconds < int64 long do
                        do! Task.Yield()
                })
            "a wait on a thread of a blocking pool",
            (fun () -> (Blocking.run (fun () -> Thread.Sleep long)).AsTask())
        ]

    let healthyNames = TheoryData<string>(List.map fst healthy)

    [<Theory; MemberData(nameof healthyNames)>]
    let ``code that blocks no thread of the pool passes`` (name: string) : Task =
        task {
            let work = healthy |> List.find (fun (other, _) -> other = name) |> snd
            // a short wait of the runtime's own takes long where other processes take the processors
            use guard = ThreadPoolGuard.Start(TimeSpan.FromMilliseconds 300.)
            do! work ()
            guard.Check()
        }

    [<Fact>]
    let ``a wait that has not ended is reported`` () : Task =
        task {
            let guard = ThreadPoolGuard.Start()
            let gate = TaskCompletionSource()
            let waiting = Task.Run(fun () -> gate.Task.Wait())
            do! Task.Delay 500
            let error = Assert.Throws<BlockedThreadPoolException>(fun () -> guard.Dispose())
            Assert.Contains(error.Waits, fun seen -> seen.Kind = BlockedWaitKind.TaskWait)
            Assert.Contains("Threads of the pool blocked while a guard was on", error.Message)
            gate.SetResult()
            do! waiting
        }

    [<Fact>]
    let ``waits shorter than the threshold pass`` () : Task =
        task {
            use guard = ThreadPoolGuard.Start(TimeSpan.FromMinutes 1.)
            do! Task.Run(fun () -> Thread.Sleep long)
            do! Task.Run(fun () -> (Task.Delay long).Wait())
            guard.Check()
        }

    [<Fact>]
    let ``a threshold of zero is refused`` () =
        Assert.Throws<ArgumentOutOfRangeException>(fun () -> ThreadPoolGuard.Start(TimeSpan.Zero) |> ignore)
        |> ignore
