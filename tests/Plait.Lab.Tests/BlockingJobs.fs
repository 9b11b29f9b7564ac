// The process in which jobs run, asked for real: every mode does its jobs, and what is watched is there.
module Plait.Lab.Tests.BlockingJobs

open System
open System.Threading
open Xunit

open Plait.Report

open Plait.Load
open Plait.Lab

let private watching () =
    {
        Worker = [ CandidateProcess.Host; Built.tool (); "blocking-jobs" ]
        SampleMilliseconds = 10
        ProbeMilliseconds = Some 5
        Processors = None
    }

let private few: Workload = { Scale = 0.012; SleepMilliseconds = 20 }

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

/// More jobs than cores, each longer than the limit: it cannot end.
let private stuck: Workload = { Scale = 0.05; SleepMilliseconds = 3000 }

[<Fact>]
let ``what does not end in its time is left, with what was seen and how long probes have waited`` () =
    let observation = run (watching ()) ThreadSleep stuck 1.0
    Assert.Equal(TimedOut 1.0, observation.Ending)
    Assert.Equal(0, observation.Done)
    Assert.NotEmpty observation.Moments
    // The jobs stand before them in the queue.
    Assert.Contains(observation.Probes, Predicate(fun probe -> not probe.Ran && probe.DelaySeconds > 0.5))
    Assert.True((List.last observation.Moments).Queue > 0L)

[<Fact>]
let ``a run that is told to stop keeps what it saw`` () =
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

[<Fact>]
let ``no probes are queued when none are wanted, and processors are what they are told to be`` () =
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
let ``the process answers what it does not understand with a sentence`` () =
    let answer (request: string) =
        let worker, _ =
            LineProcess.Start(
                {
                    Subject = "jobs"
                    File = CandidateProcess.Host
                    Arguments = [ Built.tool (); "blocking-jobs" ]
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
