// The shared parts of the launches of a run, and the start of a process of a row.
namespace Plait.Lab

open System
open System.Collections.Generic
open System.Threading

open Plait.Common
open Plait.Report

open Plait.Load

/// The load generators of a run: on the client's core and, for rows that ask for it, on the server's. Each is started when it
/// is first needed.
type internal Generators(command: string list, placement: Affinity.Placement, patienceMilliseconds) =
    let on core =
        lazy (AttackProcess.Start(command, core, patienceMilliseconds))

    let apart = on placement.Client
    let beside = on placement.Server

    /// The generator that loads a row.
    member _.Of(plan: RowPlan) : AttackProcess =
        (if plan.Switches.Has Switch.ClientOnServer then beside else apart).Value

    interface IDisposable with
        member _.Dispose() =
            for generator in [ apart; beside ] do
                if generator.IsValueCreated then
                    (generator.Value :> IDisposable).Dispose()

/// The shared parts of all launches.
type internal Context =
    {
        Scenario: Scenario
        Settings: Settings
        TimeBudget: TimeBudget
        Placement: Affinity.Placement
        /// The measures of this round, among those of the settings.
        Measures: Measure list
        /// None: nothing is measured over HTTP.
        Load: Generators option
        Stop: CancellationToken
        Tell: Progress -> unit
        /// Shares of the client's core in use, over all HTTP slices.
        ClientBusy: List<float>
    }

/// A server of a row that is under load.
type internal LoadedServer =
    {
        Row: MeasuredRow
        /// Loads it for so many milliseconds.
        Take: int -> Slice * Outcome
        /// Ends the processes that were started for it.
        Close: unit -> unit
    }

    interface IDisposable with
        member this.Dispose() = this.Close()

/// The base of one round, warm, which all rows of the round are compared with: a process for the measure in
/// process, and one for the measure over HTTP, because a process that serves spends more on collecting its garbage.
/// The connections stay open, because a server whose connections are new spends more on a request for seconds.
type internal RunningBase =
    {
        InProcess: CandidateProcess option
        OverHttp: LoadedServer option
        Run: LaunchPairs
    }

    interface IDisposable with
        member this.Dispose() =
            for started in Option.toList this.InProcess do
                (started :> IDisposable).Dispose()

            for served in Option.toList this.OverHttp do
                (served :> IDisposable).Dispose()

module internal Start =
    /// Starts the process of a row, and compares the name that it gives with the candidate's. `variables`: of its environment.
    let row (patience: int) (plan: RowPlan) variables core =
        let started =
            CandidateProcess.Start(
                plan.Id,
                plan.Candidate.Assembly,
                plan.Arguments,
                variables,
                core,
                patience
            )

        let said = started.Introduction.Candidate

        if said <> plan.Candidate.Name then
            (started :> IDisposable).Dispose()

            raise (
                WorkerFailed(
                    plan.Id,
                    $"{plan.Candidate.Assembly} gives its name as '{said}' instead of '{plan.Candidate.Name}'; build the candidates again"
                )
            )

        started
