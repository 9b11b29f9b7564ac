// The processes of the adapter scenario: the card service, and a route that is up, right and warm.
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
    /// The subject of the card service's failures.
    let upstreamSubject = "the card service"

    /// Starts the card service on the client's core.
    let startUpstream (folder: string) (settings: AdapterSettings) core : CandidateProcess * string =
        let arguments =
            [
                string settings.Pairs.Seed
                Delay.show settings.Delay
                settings.ErrorRate.ToString Globalization.CultureInfo.InvariantCulture
            ]

        let upstream =
            CandidateProcess.Start(
                upstreamSubject,
                AdapterRoutes.assembly folder "Plait.Lab.CardService",
                arguments,
                Start.variables,
                core,
                settings.Pairs.PatienceMilliseconds
            )

        try
            upstream, $"http://127.0.0.1:{upstream.Serve 0}/"
        with _ ->
            (upstream :> IDisposable).Dispose()
            reraise ()

    /// Starts a route on `core`, and makes sure of its answer. Returns where it is asked.
    let startRoute
        (house: AdapterContext)
        (settings: AdapterSettings)
        (row: RowPlan)
        core
        : CandidateProcess * string =
        let row = AdapterRoutes.told settings house.UpstreamUrl row

        let started =
            CandidateProcess.Start(
                row.Id,
                row.Candidate.Assembly,
                row.Arguments,
                Start.variables,
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
