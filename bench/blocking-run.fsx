// 1,000 calls of Thread.Sleep 500 on blocking pools of two widths: until all are done, and how long a probe on the thread pool waits
// meanwhile. After `make build`: dotnet fsi bench/blocking-run.fsx
#r "../artifacts/bin/Plait/release_net10.0/Plait.dll"
#r "../artifacts/bin/Plait.ThreadPool/release_net10.0/Plait.ThreadPool.dll"

open System.Diagnostics
open System.Threading
open Plait

/// The longest that a work item waits for the thread pool while the body runs, in milliseconds.
let probed (body: unit -> unit) : float =
    let longest = ref 0.
    let isOver = ref false

    let prober =
        Thread(fun () ->
            while not isOver.Value do
                let sent = Stopwatch.GetTimestamp()
                use ran = new ManualResetEventSlim(false)

                ThreadPool.UnsafeQueueUserWorkItem(
                    (fun _ ->
                        longest.Value <- max longest.Value (Stopwatch.GetElapsedTime sent).TotalMilliseconds
                        ran.Set()),
                    null
                )
                |> ignore

                ran.Wait()
                Thread.Sleep 10)

    prober.Start()
    body ()
    isOver.Value <- true
    prober.Join()
    longest.Value

for width in [ 1_000; 100 ] do
    let pool =
        new BlockingPool($"width {width}", BlockingPoolSettings(MaxThreads = width))

    let watch = Stopwatch.StartNew()

    let longest =
        probed (fun () ->
            let calls =
                [|
                    for _ in 1..1_000 ->
                        Blocking.runOn pool CancellationToken.None (fun () -> Thread.Sleep 500)
                |]

            (Strand.whenAll calls).AsTask().Wait())

    printfn $"{width} threads: {watch.Elapsed.TotalSeconds:F2} s, the probe waited {longest:F1} ms at most"
    pool.Dispose()
