// Pure: the clocks of the machines of several runs, compared with the clock of the first, and sentences on them. For `plait merge`.
module Plait.Load.MachineClocks

open System.Net

open Plait.Common

/// The server whose Dates a run has.
let private server (outcome: Outcome) : string =
    let authority = outcome.Plan.Requests.Head.Url.Authority

    match outcome.Plan.Connecting.UnixSocket, outcome.Plan.Connecting.ConnectTo with
    | Some place, _
    | _, Some place -> $"{authority} at {place}"
    | _ -> authority

/// The address is the machine's own (loopback or a Unix socket): on another machine it leads to another server.
let private isOwn (address: string) =
    match IPEndPoint.TryParse address with
    | true, place -> IPAddress.IsLoopback (nonNull place).Address
    // The path of a Unix socket.
    | _ -> true

/// The clock of a run's machine, compared with the clock of the first run's.
type ClockComparison =
    /// The bounds of the nanoseconds by which it is ahead.
    | OffsetWithin of ClockOffsets.Bounds
    /// Both runs loaded one server, and share no change of its Date.
    | NoCommonChange
    /// The run loaded another server than the first.
    | OtherServer of string
    /// The two runs reached the server at different addresses, or one of them at several.
    | OtherAddress of string
    /// Both loaded an own address of their machine; the two machines may be one.
    | OwnAddress
    /// The file of one of them does not have the address.
    | NoAddress

    member this.Bounds =
        match this with
        | OffsetWithin bounds -> Some bounds
        | NoCommonChange
        | OtherServer _
        | OtherAddress _
        | OwnAddress
        | NoAddress -> None

/// Compares the clock of a run's machine with the clock of the first run's.
let clock (first: Outcome) (outcome: Outcome) : ClockComparison =
    if server outcome <> server first then
        OtherServer(server outcome)
    else
        match first.Addresses, outcome.Addresses with
        | [], _
        | _, [] -> NoAddress
        | [ one ], [ other ] when one = other && isOwn one -> OwnAddress
        | [ one ], [ other ] when one = other ->
            match ClockOffsets.between first outcome with
            | Some bounds -> OffsetWithin bounds
            | None -> NoCommonChange
        | _, others -> OtherAddress(String.concat " and " others)

/// The nanoseconds to subtract from the times of a machine; 0: the two clocks may be equal, or their difference is not known well
/// enough.
let ahead (clock: ClockComparison) : int64 =
    match clock with
    | OffsetWithin bounds when bounds.Width <= ClockOffsets.maxWidth && not bounds.HasZero -> bounds.Middle
    | _ -> 0L

/// Nanoseconds by which clocks and starts may differ without a sentence for each.
let mostUnnamed = 100_000_000L

/// Sentences on the clocks of the other machines. `outcome`: the first run's; `first`: its name.
let sentences (outcome: Outcome) (first: string) (others: (string * ClockComparison) list) : string list =
    let server = server outcome
    let address = String.concat " and " outcome.Addresses
    let by = $"by the Date of {server}"
    // Behind a load balancer each machine may reach another server at one address.
    let ifOne = $"this holds if one server process answers at {address}"

    let within (bounds: ClockOffsets.Bounds) = max (abs bounds.Low) (abs bounds.High)

    let isAgreeing (bounds: ClockOffsets.Bounds) =
        bounds.Width <= ClockOffsets.maxWidth && (bounds.HasZero || within bounds <= mostUnnamed)

    let agreeing =
        others |> List.choose (fun (_, clock) -> clock.Bounds) |> List.filter isAgreeing

    [
        if not agreeing.IsEmpty then
            let which =
                if agreeing.Length = others.Length then
                    "the clocks of the machines agree"
                else
                    $"the clocks of {agreeing.Length} of the {others.Length} other machines agree"

            $"{by}, {which} with that of {first} within {agreeing |> List.map within |> List.max |> Duration.show}; {ifOne}"

        for name, clock in others do
            match clock with
            | OtherServer other ->
                $"the clock of {name} is not compared with that of {first}: it loaded another server ({other}), which has a clock of its own; its times stay unchanged"
            | OtherAddress other ->
                $"the clock of {name} is not compared with that of {first}: it reached {server} at {other}, and {first} at {address}, which may be another server with a clock of its own; its times stay unchanged"
            | OwnAddress ->
                $"the clock of {name} is not compared with that of {first}: both loaded {address}, an address of the machine itself, which may be another server on another machine; its times stay unchanged"
            | NoAddress ->
                let which = if outcome.Addresses.IsEmpty then first else name

                $"the clock of {name} is not compared with that of {first}: the file of {which} names no address of the server, which may be another one; its times stay unchanged"
            | NoCommonChange ->
                $"the clock of {name} is not compared with that of {first}: the responses show no common change of the Date of {server}; its times stay unchanged"
            | OffsetWithin bounds when bounds.Width > ClockOffsets.maxWidth ->
                $"{by}, the clock of {name} is between {Duration.show bounds.Low} and {Duration.show bounds.High} ahead of that of {first}, which is too wide to move its times: there were few requests, or several servers answer"
            | OffsetWithin bounds when isAgreeing bounds -> ()
            | OffsetWithin bounds ->
                let least, most = abs bounds.Low, abs bounds.High
                let way = if bounds.Low > 0L then "ahead of" else "behind"

                $"{by}, the clock of {name} is {Duration.show (min least most)} to {Duration.show (max least most)} {way} that of {first}; its times are moved by {Duration.show (abs bounds.Middle)}; {ifOne}"
    ]
