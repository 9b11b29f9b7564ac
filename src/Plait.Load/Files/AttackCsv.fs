// The requests of a load run one by one, as CSV.
module Plait.Load.AttackCsv

open System
open System.IO

open Plait.Report

/// Nanoseconds since 1970 at which the counted part began.
let private epoch (outcome: Outcome) =
    (outcome.StartedUtc - DateTime.UnixEpoch).Ticks * 100L

let private ordered (outcome: Outcome) =
    outcome.Samples |> Array.sortBy (fun (sample: Sample) -> sample.Intended)

/// A line for each request that was kept, in the order of their intended starts, with both clocks: all times in
/// nanoseconds. A column that an unsent request lacks is empty; so is the step, counted from 1, where the arrivals
/// have none. The last column is 1 where the request waited for a connection, so that its latency is not the
/// server's.
let write (target: TextWriter) (outcome: Outcome) : unit =
    target.Write
        "seq,timestampNanoseconds,intendedNanoseconds,sentNanoseconds,doneNanoseconds,latencyNanoseconds,fromSendNanoseconds,lagNanoseconds,status,result,step,waited\n"

    let start = epoch outcome
    let ordered = ordered outcome

    let step =
        if outcome.Steps.IsEmpty then
            fun _ -> ""
        else
            let clock = StepClock outcome.Plan.Model
            fun (sample: Sample) -> string (clock.At sample.Intended + 1)

    for at in 0 .. ordered.Length - 1 do
        let one = ordered[at]

        let times =
            if one.Result = RequestResult.Unsent then
                ",,,,"
            else
                $"{one.Sent},{one.Done},{one.Done - one.Intended},{one.Done - one.Sent},{one.Sent - one.Intended}"

        target.Write
            $"{at},{start + one.Intended},{one.Intended},{times},{one.Status},{Outcome.resultName one.Result},{step one},{if one.HasWaited then 1 else 0}\n"

/// A line for each request that was kept, in the twelve columns of vegeta's CSV, so that 'vegeta report' and 'vegeta plot'
/// read it: time, status, latency from the intended start (`intended`) or from the sending, the bytes of both bodies, the
/// result as the error, the plan's name, method and URL. An unsent request has failed, with its time until the end of the run
/// as its latency, because vegeta's percentiles are of all requests. Vegeta judges by the status alone: a request that failed with a status of success gets the status 0, as
/// vegeta writes it for a body that breaks off.
let writeVegeta (target: TextWriter) (intended: bool) (name: string) (outcome: Outcome) : unit =
    let start = epoch outcome
    let ordered = ordered outcome

    let requests = List.toArray outcome.Plan.Requests
    let urls = requests |> Array.map (_.Url >> RequestUrl.shown >> Csv.field)
    let name = Csv.field name

    for at in 0 .. ordered.Length - 1 do
        let one = ordered[at]
        let isUnsent = one.Result = RequestResult.Unsent

        let from = if isUnsent || intended then one.Intended else one.Sent

        let error =
            if one.Result = RequestResult.Right then "" else Outcome.resultName one.Result

        let request = requests[one.Request]
        let succeeds = one.Status >= 200 && one.Status < 400
        let status = if error <> "" && succeeds then 0 else one.Status

        target.Write
            $"{start + from},{status},{one.Done - from},{one.BodySent},{one.BodyBytes},{error},,{name},{at},{request.Method},{urls[one.Request]},\n"
