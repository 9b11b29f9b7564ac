// FizzBoom: FizzBuzz that waits six times, one after the other, for a slow service. What it is told, and what may be
// expected of it.
namespace Plait.Lab.Scenarios

open System.IO
open System.Text.Json

/// How FizzBoom runs.
type FizzBoomSettings =
    {
        /// Milliseconds that the service takes for each wait.
        DelayMilliseconds: int
        /// Connections of the closed load.
        Connections: int
        /// Seconds of the load.
        Seconds: float
    }

module FizzBoom =
    /// The waits of a request.
    let waits = 6

    /// As published: a second each, 500 connections.
    let full = { DelayMilliseconds = 1000; Connections = 500; Seconds = 30.0 }

    /// A tenth of the wait, and less of everything.
    let quick = { DelayMilliseconds = 100; Connections = 200; Seconds = 3.0 }

    /// The range of the delay.
    let delays = (10, 5000)

    /// Seconds that a request takes at least.
    let leastSeconds (settings: FizzBoomSettings) : float =
        float (waits * settings.DelayMilliseconds) / 1000.0

    /// Requests a second that nobody can exceed: each connection waits for most of its time.
    let ceiling (settings: FizzBoomSettings) : float =
        float settings.Connections / leastSeconds settings

    /// Seconds that a candidate takes, about, with all that surrounds its load.
    let secondsEach (settings: FizzBoomSettings) : float =
        1.5 + 5.0 * leastSeconds settings + max settings.Seconds (2.0 * leastSeconds settings)

    /// Whether a candidate says of itself that waiting blocks a thread in it.
    let blocks (candidate: Candidate) : bool =
        let file =
            Path.Combine(string (Path.GetDirectoryName candidate.Assembly), "candidate.json")

        try
            use document = JsonDocument.Parse(File.ReadAllText file)

            match document.RootElement.TryGetProperty "blocks" with
            | true, value -> value.ValueKind = JsonValueKind.True
            | _ -> false
        with
        | :? IOException
        | :? JsonException -> false

    /// The rows that take part: candidates that wait, without factors, and the base, which blocks, as the negative control.
    let rowsOf (theBase: string) (rows: RowPlan list) : RowPlan list =
        rows
        |> List.filter (fun row ->
            not row.SyncFn
            && row.Candidate.Absence.IsNone
            && (row.Id = theBase || not (blocks row.Candidate)))
