// A control that misses is met by measuring on: launches of the measure that needs them, within the time that is left.
module Plait.Lab.Tests.MeasuredOn

open System.Collections.Generic
open System.Threading
open Xunit

open Plait.Lab
open Plait.Report
open Plait.Lab.Tests.MadeSlices

let private candidate family =
    { Candidate.parse "/c/x/candidate.json" """{"name":"x","family":"plait","order":1}""" with
        Family = family
    }

let private row id family =
    MeasuredRow { RowPlan.ofCandidate (candidate family) with Id = id }

let private pairs ratio =
    List.replicate 3 { Candidate = slice 10L (1000.0 * ratio); Base = slice 10L 1000.0 }

/// What launches share in a run of these settings on any core, without a load generator.
let internal context (settings: Settings) (tell: Progress -> unit) : Context =
    {
        Scenario = FizzBuzz.scenario
        Settings = settings
        TimeBudget = TimeBudget(None, 1)
        Placement = { Server = None; Client = None; Description = ""; Warning = None }
        Measures = [ Measure.InProcess; Measure.OverHttp ]
        Load = None
        Stop = CancellationToken.None
        Tell = tell
        ClientBusy = List()
    }

/// A run of these settings whose control comes out over HTTP as `httpOf` says of a launch. What each launch measured, what
/// was told, and how it ended.
let private run (settings: Settings) (httpOf: int -> float) =
    let control, strand = row "sync-again" Family.Control, row "strand" Family.Plait
    let told = List<Progress>()
    let rounds = List<Measure list>()
    let mutable ended = StopRule.goingOn

    Rounds.run
        (context settings told.Add)
        [ control; strand ]
        (List.sumBy List.length)
        (fun how -> ended <- how)
        (fun context launch ->
            rounds.Add context.Measures

            for row in [ control; strand ] do
                let run = row.Launch context.Measures

                for place in context.Measures do
                    let isControl = row.Plan.Id = "sync-again"
                    let cost = if isControl then 1.0 else 1.3

                    match place with
                    | Measure.InProcess -> run.InProcess.AddRange(pairs cost)
                    | Measure.OverHttp ->
                        run.Http.AddRange(pairs (if isControl then httpOf launch else cost))

                    run.Finished.Add place)

    List.ofSeq rounds, List.ofSeq told, ended, [ control; strand ]

let private settings =
    { Settings.quick with Launches = 3; Pairs = 3; Width = None; BudgetSeconds = Some 1000.0 }

let private both = [ Measure.InProcess; Measure.OverHttp ]
let private http = [ Measure.OverHttp ]

// Off in the first two launches, right in all others: with five launches the median is right, and with seven the interval.
let private late launch = if launch <= 2 then 1.2 else 1.0

[<Fact>]
let ``a measure whose control missed is given launches until it holds, and no other measure is`` () =
    let rounds, told, ended, rows =
        run settings (fun launch -> if launch <= 1 then 1.05 else 1.0)

    Assert.Equal<Measure list list>([ both; both; both ], rounds)
    Assert.Empty ended.Added

    let rounds, told', ended', rows' = run settings late
    Assert.Equal<Measure list list>([ both; both; both ] @ ended'.Added, rounds)
    Assert.NotEmpty ended'.Added
    Assert.All(ended'.Added, fun measures -> Assert.Equal<Measure list>(http, measures))

    // It says so while it runs, and in the results.
    let notes =
        told'
        |> List.choose (function
            | Noticed sentence -> Some sentence
            | _ -> None)

    Assert.Equal(ended'.Added.Length, notes.Length)
    Assert.Contains("the A/A control came out 1.20", notes.Head)
    Assert.EndsWith("another launch over HTTP", notes.Head)
    let reason = (StopRule.result settings rows' ended').Reason
    Assert.Contains($"{ended'.Added.Length} more over HTTP, because the A/A control missed", reason)

    Assert.Equal(
        (0, ended'.Added.Length),
        (StopRule.added ended' Measure.InProcess, StopRule.added ended' Measure.OverHttp)
    )
    // What a row was not asked for in a launch it does not lack.
    Assert.All(rows', fun row -> Assert.Equal((Status.Measured, None), RowFigures.status settings row))

    // The steps that were announced are those that were taken.
    let announced =
        told'
        |> List.choose (function
            | Began steps -> Some steps
            | _ -> None)

    Assert.Equal(rounds |> List.sumBy List.length, List.last announced)
    Assert.DoesNotContain(told, fun message -> message.IsNoticed)
    Assert.All(rows, fun row -> Assert.Equal(3, row.Launches.Count))

[<Fact>]
let ``a control that misses for ever ends after as many launches again`` () =
    let rounds, _, ended, _ = run settings (fun _ -> 1.2)
    Assert.Equal(6, rounds.Length)
    Assert.Equal(3, StopRule.added ended Measure.OverHttp)

[<Fact>]
let ``--launches without a time gives exactly that number`` () =
    let rounds, _, _, _ = run { settings with BudgetSeconds = None } (fun _ -> 1.2)
    Assert.Equal(3, rounds.Length)

[<Fact>]
let ``no launch is added that would end after the time limit`` () =
    let ended = { StopRule.goingOn with Reason = "enough" }

    let asks (settings: Settings) rows launches ended seconds next =
        StopRule.measuresOn settings rows launches ended seconds next

    let noBytes = { settings with InProcess = false }
    Assert.True(asks noBytes 9 3 ended 900.0 100.0)
    Assert.False(asks noBytes 9 3 ended 900.0 101.0)
    // Bytes that are counted afterwards have their time.
    Assert.False(asks settings 9 3 ended 900.0 100.0)
    Assert.False(asks noBytes 9 3 { ended with ByBudget = true } 10.0 10.0)
    Assert.False(asks noBytes 9 3 { ended with Added = List.replicate 3 http } 10.0 10.0)
