// Plans and runs of the load engine against the servers of LoadServer, for tests.
module Plait.Tests.Support.AttackServer

open System
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support.LoadServer

/// A GET.
let get (url: string) : HttpRequest = HttpRequest.Get url

/// A plan that holds for `milliseconds`: 200 and the body of LoadServer are right.
let plan (url: string) (model: Model) (milliseconds: int) : Plan =
    { Plan.ofOne (get url) body model with
        Duration = TimeSpan.FromMilliseconds(float milliseconds)
        Timeout = TimeSpan.FromMinutes 5.
    }

/// The plan with other options of connecting.
let connecting (change: ConnectionOptions -> ConnectionOptions) (plan: Plan) : Plan =
    { plan with Connecting = change plan.Connecting }

/// Over HTTP/2, with so many streams a connection.
let over (streams: int) : Plan -> Plan =
    connecting (fun usual -> { usual with Protocol = Http2 streams })

/// A plan that ends with this request, however long the machine takes for all of them.
let requests (url: string) (model: Model) (count: int64) : Plan =
    { plan url model 600_000 with MaxRequests = Some count }

/// 300 requests of the closed model: few enough for servers that break connections off, each of which takes one of this machine's
/// ports for a minute.
let briefly (url: string) (connections: int) : Plan = requests url (Closed connections) 300L

/// An outcome whose counts fit together, as those of each run must, or its file could not be read.
let consistent (outcome: Outcome) : Outcome =
    Assert.Equal(None, OutcomeCounts.contradiction outcome)
    outcome

/// Runs a plan, with a time limit.
let attack (plan: Plan) : Outcome =
    let run () =
        Attack.run plan ignore CancellationToken.None

    Tasks.Task.Run run |> Within.result "the load run" |> consistent

/// How many requests had this result.
let count (result: RequestResult) (outcome: Outcome) : int64 =
    outcome.Results |> Map.tryFind result |> Option.defaultValue 0L

/// So many were due, and `served` of them were answered rightly; the rest found every connection in use until the end, which
/// a machine that stands still for a moment brings about.
let wholly (due: int64) (served: int64) (outcome: Outcome) : unit =
    Assert.Equal((due, served), (outcome.Requests, outcome.Right))
    Assert.Equal(due - served, count RequestResult.Unsent outcome)
