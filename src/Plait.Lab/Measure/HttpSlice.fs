// A slice of load on a candidate's server: what the load generator counted, and what the server used meanwhile.
module Plait.Lab.HttpSlice

open System
open System.Text

open Plait.Report
open Plait.Load

/// What did not count of an outcome, by kind.
let errors (outcome: Outcome) : ErrorCounts =
    let count fates =
        fates
        |> List.sumBy (fun fate -> outcome.Fates |> Map.tryFind fate |> Option.defaultValue 0L)

    {
        Status = count [ Fate.WrongStatus ]
        Length = count [ Fate.WrongBody; Fate.Garbage ]
        Connection = count [ Fate.Refused; Fate.Reset; Fate.Closed; Fate.Tls ]
        Timeout = count [ Fate.TimedOut; Fate.Unsent ]
    }

/// Connections to a candidate's server, which answers with status 200 and this body within half of `patience` milliseconds.
let connect (generator: AttackProcess) (url: string) (connections: int) (body: string) (patience: int) =
    generator.Open
        {
            Requests =
                [ { Method = "GET"; Url = Uri url; Headers = [ "Accept", "application/json" ]; Body = [||] } ]
            Model = Closed connections
            // That of a slice takes its place.
            Duration = TimeSpan.FromSeconds 1.
            WarmUp = TimeSpan.Zero
            Timeout = TimeSpan.FromMilliseconds(float patience / 2.0)
            ExpectStatus = [ 200 ]
            ExpectBody = Some(Encoding.UTF8.GetBytes body)
            Seed = 1
            Insecure = false
        }

/// Loads a server for `milliseconds`; `server` is the process behind it, whose CPU and bytes the slice reports. Also returns
/// what was wrong with a response, if one was.
let take (connections: AttackSlices) (server: CandidateProcess) (milliseconds: int) : Slice * string option =
    let before = server.Usage()
    let outcome = connections.Run milliseconds
    let after = server.Usage()

    {
        Operations = outcome.Right
        CpuMicroseconds = after.CpuMicroseconds - before.CpuMicroseconds
        WallMicroseconds = outcome.Elapsed.TotalMicroseconds
        AllocatedBytes = after.AllocatedBytes - before.AllocatedBytes
        Errors = errors outcome
        ClientBusy = outcome.Busy
        Counters = Map [ Slice.Compiling, after.CompilingMicroseconds - before.CompilingMicroseconds ]
    },
    Outcome.complaint outcome
