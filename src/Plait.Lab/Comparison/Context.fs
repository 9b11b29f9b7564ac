// What the launches of a run share, and how a process of a row is started.
namespace Plait.Lab.Scenarios

open System
open System.Collections.Generic
open System.Threading

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

/// What all launches share.
type internal Context =
    {
        Scenario: Scenario
        Settings: Settings
        Pace: Pace
        Placement: Affinity.Placement
        Load: AttackProcess option
        /// A load generator on the server's core, for rows that differ in that from the base.
        LoadBeside: AttackProcess option
        Stop: CancellationToken
        Tell: Progress -> unit
        /// Shares of the client's core in use, over all HTTP slices.
        ClientBusy: List<float>
    }

/// A process that is up, right and warm.
type internal Live = { Process: CandidateProcess; Url: string option }

module internal Start =
    /// What every candidate's process is started with. The runtime counts the calls of a method, and compiles hot ones
    /// again, only after nothing new was compiled for 100 ms, and ten times as long on one core: a server under load is
    /// put off by that for seconds. Without the delay it is warm after a third of the time, as fast as it ever gets.
    /// It changes when code is compiled, not how.
    let variables = [ "DOTNET_TC_CallCountingDelayMs", "0" ]

    /// Starts the process of a row, and makes sure that it is who it should be.
    /// `more`: variables besides those.
    let row (context: Context) (plan: RowPlan) more core =
        let settings = context.Settings

        let started =
            CandidateProcess.Start(
                plan.Id,
                plan.Candidate.Assembly,
                plan.Arguments,
                variables @ more,
                core,
                settings.PatienceMilliseconds
            )

        let said = started.Introduction.Candidate

        if said <> plan.Candidate.Name then
            (started :> IDisposable).Dispose()

            raise (
                WorkerFailed(
                    plan.Id,
                    $"{plan.Candidate.Assembly} says that it is the candidate '{said}', and not '{plan.Candidate.Name}'; build the candidates again"
                )
            )

        started
