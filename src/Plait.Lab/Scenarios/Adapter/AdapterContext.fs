// What the parts of a run of the adapter scenario share, and how a route is started.
namespace Plait.Lab.Scenarios

open System
open System.Threading

open Plait.Report

open Plait.Load
open Plait.Lab.Cards
open Plait.Lab.Measure

/// What the parts of a run share.
type internal AdapterContext =
    {
        Settings: AdapterSettings
        Request: Request
        Placement: Affinity.Placement
        /// The card service.
        Upstream: CandidateProcess
        /// Where it is.
        UpstreamUrl: string
        /// The load generator.
        Generator: AttackProcess
        Stop: CancellationToken
        Tell: Progress -> unit
    }

module internal AdapterContext =
    /// Starts a route on `core`, and makes sure of its answer. Returns where it is asked.
    let startRoute
        (context: AdapterContext)
        (settings: AdapterSettings)
        (row: RowPlan)
        core
        : CandidateProcess * string =
        let row = AdapterRoutes.configured settings context.UpstreamUrl row

        let started =
            CandidateProcess.Start(
                row.Id,
                row.Candidate.Assembly,
                row.Arguments,
                CandidateProcess.Variables,
                core,
                settings.Pairs.PatienceMilliseconds
            )

        try
            let expected = AdapterRoutes.body settings row.Candidate.Name
            let said = started.Body()

            if not (String.Equals(said, expected, StringComparison.Ordinal)) then
                raise (
                    WorkerFailed(
                        row.Id,
                        $"the answer of {row.Id} is wrong, so it is not timed: {AnswerCheck.difference expected said}"
                    )
                )

            started, $"http://127.0.0.1:{started.Serve 0}{AdapterRoutes.path settings.Pairs.Seed}"
        with _ ->
            (started :> IDisposable).Dispose()
            reraise ()
