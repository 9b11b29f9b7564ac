// What the launches of a run share, and how a process of a row is started.
namespace Plait.Lab.Scenarios

open System
open System.Collections.Generic
open System.Threading

open Plait.Lab
open Plait.Lab.Measure

/// What all launches share.
type internal Context =
    {
        Scenario: Scenario
        Settings: Settings
        Pace: Pace
        Placement: Affinity.Placement
        Load: LoadProcess option
        /// A load client on the server's core, for rows that differ in that from the base.
        LoadBeside: LoadProcess option
        Stop: CancellationToken
        Tell: Progress -> unit
        /// Shares of the client's core in use, over all HTTP slices.
        ClientBusy: List<float>
    }

/// A process that is up, right and warm.
type internal Live = { Process: CandidateProcess; Url: string option }

module internal Start =
    /// What every candidate's process is started with. The runtime waits ten times as long before it compiles hot code
    /// again when a process has only one core; a server with more does not wait so, and binding ours to one must not
    /// lengthen its warm-up. It changes when code is compiled, not how.
    let variables = [ "DOTNET_TC_DelaySingleProcMultiplier", "1" ]

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
