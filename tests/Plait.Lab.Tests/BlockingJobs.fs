// The process in which jobs run, asked for real: every mode does its jobs, and what is watched is there.
[<Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.BlockingJobs

open System
open System.Threading
open Xunit

open Plait.Common
open Plait.Load
open Plait.Lab
open Plait.Tests.Support

let private watching () =
    {
        Worker = Blocking.worker Built.candidatesFolder
        SampleMilliseconds = 10
        ProbeMilliseconds = Some 5
        Processors = None
        Examine = None
    }

let private few: Workload = { Scale = 0.012; SleepMilliseconds = 20 }

/// More jobs than cores, each longer than the limit: it cannot end.
let private stuck: Workload = { Scale = 0.05; SleepMilliseconds = 3000 }

let private run watching mode load limit =
    use jobs = JobProcess.Start("jobs", watching)
    jobs.Run(mode, load, limit, ignore, CancellationToken.None)

let modes = TheoryData<string>(Mode.all |> List.map _.Name)

[<Theory; MemberData(nameof modes)>]
let ``every mode does all jobs and is watched from start to end`` (name: string) =
    let observation = run (watching ()) (Mode.find name |> Option.get) few 60.0

    match observation.Ending with
    | Ended seconds ->
        Assert.True(seconds >= Mode.floor few.Jobs few.SleepMilliseconds observation.AtOnce * 0.9)
    | other -> Assert.Fail $"{name}: {other}"

    Assert.Equal(few.Jobs, observation.Done)
    Assert.InRange(observation.AtOnce, 1, few.Jobs)
    Assert.NotEmpty observation.Probes
    Assert.All(observation.Probes, fun probe -> Assert.True(probe.Ran, "a probe never ran"))
    Assert.True(observation.Moments.Length >= 2)
    Assert.Equal<Moment list>(observation.Moments |> List.sortBy _.Seconds, observation.Moments)
    Assert.Equal(few.Jobs, (List.last observation.Moments).Ended)
    Assert.All(observation.Moments, fun moment -> Assert.True(moment.Threads > moment.PoolThreads))

[<Fact>]
let ``a run that exceeds its time is abandoned, and keeps its samples and the waits of its probes`` () =
    let observation = run (watching ()) ThreadSleep stuck 1.0
    Assert.Equal(TimedOut 1.0, observation.Ending)
    Assert.Equal(0, observation.Done)
    Assert.NotEmpty observation.Moments
    // The jobs stand before them in the queue.
    Assert.Contains(observation.Probes, Predicate(fun probe -> not probe.Ran && probe.DelaySeconds > 0.5))
    Assert.True((List.last observation.Moments).Queue > 0L)

[<Fact>]
let ``a stopped run keeps its samples`` () =
    use jobs = JobProcess.Start("jobs", watching ())
    use stop = new CancellationTokenSource()
    let seen = ResizeArray<Moment>()

    let observation =
        jobs.Run(
            ThreadSleep,
            stuck,
            60.0,
            (fun moment ->
                seen.Add moment
                stop.Cancel()),
            stop.Token
        )

    Assert.Equal(Interrupted, observation.Ending)
    Assert.NotEmpty seen
    Assert.NotEmpty observation.Moments

// The sleep is long enough for all threads to come before the first ends, on a machine with much else to do.
[<Theory; InlineData("blocking-run-100", 10, 300); InlineData("blocking-run-1000", 100, 5000)>]
let ``Blocking.run lets as many jobs wait at once as it has threads, and holds none of the pool's``
    (name: string)
    (threads: int)
    (sleep: int)
    =
    let load: Workload = { Scale = 0.1; SleepMilliseconds = sleep }
    let observation = run (watching ()) (Mode.find name |> Option.get) load 60.0
    Assert.Equal(load.Jobs, observation.Done)
    // More than the thread pool has, and never more than it is told.
    Assert.InRange(observation.AtOnce, threads / 2, threads)

    let most (count: Moment -> int) =
        observation.Moments |> List.map count |> List.max

    Assert.InRange(most _.Threads - most _.PoolThreads, threads / 2, threads + 40)

    let waited =
        observation.Probes
        |> List.map _.DelaySeconds
        |> List.sort
        |> List.item (observation.Probes.Length / 2)

    // A sleep, which every second probe would wait for at least if jobs held the threads of the pool.
    Assert.True(waited < float sleep / 1000.0, $"the median of the probes waited {waited} s")

/// Runs the jobs in a process that `examine` looks at. Returns the observation, and the process ids that it was given.
let private examined (examine: int -> PoolDiagnosis) mode load limit =
    let pids = System.Collections.Concurrent.ConcurrentQueue<int>()

    let watching =
        { watching () with
            Examine =
                Some(fun pid ->
                    pids.Enqueue pid
                    examine pid)
        }

    run watching mode load limit, List.ofSeq pids

[<Fact>]
let ``the process is looked at once while its jobs run, and jobs that end do not end the look`` () =
    let commandOf (pid: int) =
        use jobs = System.Diagnostics.Process.GetProcessById pid
        // The jobs end meanwhile.
        Thread.Sleep 1500
        Assert.False(jobs.HasExited, "the process was gone before the look at it had ended")
        { Verdict = "FINE"; Line = Some "a line"; Workers = 3 }

    let observation, pids = examined commandOf AsyncSleep few 60.0
    Assert.Equal(few.Jobs, observation.Done)
    Assert.NotEqual(Environment.ProcessId, List.exactlyOne pids)
    let examination = Option.get observation.Examination
    Assert.Equal(Ok { Verdict = "FINE"; Line = Some "a line"; Workers = 3 }, examination.Found)
    Assert.True(examination.ToSeconds >= examination.FromSeconds + 1.4)

[<Fact>]
let ``a pool that has had no time to fill is looked at later`` () =
    let observation, pids =
        examined (fun _ -> { Verdict = "FINE"; Line = None; Workers = 0 }) ThreadSleep stuck 2.0

    Assert.Equal(TimedOut 2.0, observation.Ending)
    Assert.Single pids |> ignore
    Assert.True(observation.Examination.Value.FromSeconds >= 0.99)

[<Fact>]
let ``a look that fails adds a sentence and does not change the run`` () =
    let observation, _ =
        examined (fun pid -> invalidOp $"process {pid} hides") AsyncSleep few 60.0

    Assert.Equal(few.Jobs, observation.Done)

    match observation.Examination with
    | Some { Found = Error sentence } -> Assert.EndsWith(" hides", sentence)
    | other -> Assert.Fail $"{other}"

[<Fact>]
let ``the doctor does not look at jobs that end before its time`` () =
    let examine (_: int) : PoolDiagnosis = invalidOp "somebody looked"
    let examination = DelayedLook(examine, Environment.ProcessId, 3600.0).Finish()
    Assert.Equal(Error "its jobs were over before that", examination.Found)

[<Fact>]
let ``no probes are queued without a probe interval, and the number of processors is the requested one`` () =
    let watching = { watching () with ProbeMilliseconds = None; Processors = Some 8 }
    use jobs = JobProcess.Start("jobs", watching)
    Assert.Equal(8, jobs.Cores)

    let first = jobs.Run(ThreadSleep, few, 60.0, ignore, CancellationToken.None)

    // The same process again: as the publication did.
    let second = jobs.Run(AsyncSleep, few, 60.0, ignore, CancellationToken.None)

    for observation in [ first; second ] do
        Assert.Equal(few.Jobs, observation.Done)
        Assert.Empty observation.Probes

[<Fact>]
let ``the process answers an unknown line with an error of one sentence`` () =
    let answer (request: string) =
        let worker, _ =
            LineProcess.Start(
                {
                    Subject = "jobs"
                    File = CandidateProcess.Host
                    Arguments = Blocking.worker Built.candidatesFolder |> List.tail
                    Variables = []
                    Core = None
                },
                60000
            )

        use worker = worker

        Assert
            .Throws<WorkerFailed>(Action(fun () -> worker.Ask("being tested", request, 60000) |> ignore))
            .Message

    Assert.Contains("none of \"start\", \"look\", \"rest\"", answer "\"dance\"")
    Assert.Contains("nothing was started", answer "\"look\"")

    Assert.Contains(
        "'dance' is none of",
        answer """{"kind":"start","mode":"dance","load":{"scale":1,"sleepMilliseconds":1},"sample":50}"""
    )
