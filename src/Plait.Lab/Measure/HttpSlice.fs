// A slice of load on a candidate's server: the counts of the load generator, and the server's CPU and memory meanwhile.
module Plait.Lab.HttpSlice

open System

open Plait.Report
open Plait.Load

/// The requests of an outcome that did not count, by kind.
let errors (outcome: Outcome) : ErrorCounts =
    let count results =
        results
        |> List.sumBy (fun result -> outcome.Results |> Map.tryFind result |> Option.defaultValue 0L)

    {
        Status = count [ RequestResult.WrongStatus ]
        Length = count [ RequestResult.WrongBody; RequestResult.Garbage; RequestResult.HeadTooLong ]
        // A server that leaves its connections is not as good as one that keeps them, though the request was sent again.
        Connection =
            outcome.Counts.Retried
            + count
                [
                    RequestResult.Refused
                    RequestResult.Reset
                    RequestResult.Closed
                    RequestResult.Tls
                    RequestResult.StaleConnection
                    RequestResult.NoLocalPort
                    RequestResult.NoDescriptor
                    RequestResult.GoAway
                    RequestResult.StreamReset
                    RequestResult.StreamRefused
                ]
        Timeout = count [ RequestResult.TimedOut; RequestResult.Unsent ]
    }

/// Connections to a candidate's server, which answers with status 200 and this body within half of `patience` milliseconds.
let connect (generator: AttackProcess) (url: string) (connections: int) (body: string) (patience: int) =
    let request =
        { HttpRequest.Get url with Headers = [ "Accept", "application/json" ] }

    generator.Open
        { Plan.ofOne request body (Closed connections) with
            Timeout = TimeSpan.FromMilliseconds(float patience / 2.0)
        }

/// A slice of load; `used` reads the CPU and memory that the server's process has used since its start.
let take (used: unit -> Usage) (load: unit -> Outcome) : Slice * Outcome =
    let before = used ()
    let outcome = load ()
    let after = used ()

    {
        Operations = outcome.Right
        CpuMicroseconds = after.CpuMicroseconds - before.CpuMicroseconds
        WallMicroseconds = outcome.Elapsed.TotalMicroseconds
        AllocatedBytes = after.AllocatedBytes - before.AllocatedBytes
        Errors = errors outcome
        ClientBusy = outcome.Busy
        Counters = Map [ Slice.Compiling, after.CompilingMicroseconds - before.CompilingMicroseconds ]
    },
    outcome
