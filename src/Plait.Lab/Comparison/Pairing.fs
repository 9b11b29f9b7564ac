// Measuring one launch of a row in process: warm-up until CPU for a request is flat, then pairs against the base's
// process of the same launch.
module internal Plait.Lab.Pairing

open System.Collections.Generic
open System.Diagnostics

open Plait.Common
open Plait.Report

/// Milliseconds of a warming slice: shorter than the counted ones, and flatness is judged on groups of them.
let warmSlice = 30

/// A slice of one of our processes is a command, and the runtime compiles the code that answers commands twice more, each
/// time after 30 calls: 150 ms of compiling that would fall into the slices that count. So many short ones come first;
/// after 64 some was left.
let commands = 128

/// Runs `commands` slices of a millisecond, and then slices of `length` until the runtime compiles no more and CPU for a request
/// is flat, no shorter than the floor and no longer than the limit. True: flat. The floor is CPU time of the process. Floor and
/// compiler go before the limit, so that a process which other programs keep waiting gets it all the same: while code is
/// being compiled CPU is flat as well, at a higher level. Three times the limit is the end in any case.
let warmUp (context: Context) (commands: int) (length: int) (warmUp: WarmUp) (take: int -> Slice) : bool =
    let clock = Stopwatch.StartNew()

    let next milliseconds =
        context.Stop.ThrowIfCancellationRequested()
        take milliseconds

    let spent (slice: Slice) = slice.CpuMicroseconds / 1000.0
    let answering = Seq.init commands (fun _ -> spent (next 1)) |> Seq.sum

    let rec go history total =
        let slice = next length
        let history = history @ [ slice ]
        let total = total + spent slice
        let flat = history |> List.map _.CpuPerOperation |> SteadyState.isFlat

        let isOldEnough =
            total >= float warmUp.FloorMilliseconds && not (SteadyState.isCompiling history)

        let beyondLimit = clock.ElapsedMilliseconds / int64 warmUp.LimitMilliseconds

        if flat && isOldEnough then true
        elif beyondLimit >= 3L || (beyondLimit >= 1L && isOldEnough) then false
        else go history total

    go [] answering

let warmInProcess context (candidate: CandidateProcess) =
    warmUp context commands warmSlice context.Settings.WarmUp (fun milliseconds ->
        candidate.Run("warming up", milliseconds))

/// A slice of load in which something was answered. On a machine that is busy with other programs the shortest slices may end
/// before the first answer: they are taken again, twice as long each time, within the patience. `tolerates`: wrong statuses
/// are part of the experiment.
let answered (context: Context) (tolerates: bool) (milliseconds: int) (load: int -> Slice * 'T) =
    let rec go milliseconds =
        context.Stop.ThrowIfCancellationRequested()
        let slice, more = load milliseconds

        let isOnlyLate =
            slice.Errors.Total = (if tolerates then slice.Errors.Status else 0L)

        if
            slice.Operations = 0L
            && isOnlyLate
            && 2 * milliseconds <= context.Settings.PatienceMilliseconds
        then
            go (2 * milliseconds)
        else
            slice, more

    go milliseconds

/// Takes the pairs of one part of a launch; `take true` measures a slice of the candidate, `take false` one of the base.
/// A pair from which the hypervisor took time is dropped as a whole, counted, and taken again; a launch takes at most
/// twice as many pairs as it keeps. No pair is dropped because of its result.
let pairs
    (context: Context)
    (row: MeasuredRow)
    launch
    (part: Measure)
    (take: bool -> Slice)
    (into: Pair -> unit)
    =
    let random =
        Order.random context.Settings.Seed $"pairs {row.Plan.Id} {launch} {Word.ofCase part}"

    let wanted = context.Settings.Pairs
    let core = context.Placement.Server
    let mutable kept = 0

    for first in Order.pairs random (2 * wanted) do
        if kept < wanted then
            context.Stop.ThrowIfCancellationRequested()
            let before = Machine.ticksOf core

            let candidate, theBase =
                match first with
                | Order.CandidateFirst ->
                    let candidate = take true
                    candidate, take false
                | Order.BaseFirst ->
                    let theBase = take false
                    take true, theBase

            if Machine.isStolen context.Settings.StealLimit before (Machine.ticksOf core) then
                row.StolenPairs <- row.StolenPairs + 1
            else
                kept <- kept + 1
                into { Candidate = candidate; Base = theBase }

/// Keeps a pair. The base's row is made of its side of all pairs: against itself, its ratio is 1 by definition.
let keep (own: List<Pair>) (theBase: List<Pair>) pair =
    own.Add pair
    theBase.Add { pair with Candidate = pair.Base }

/// Notes and tells that a phase of a row came to its end, and with it the phase of the base that was measured beside it.
let finished
    (context: Context)
    launch
    (row: MeasuredRow)
    (own: LaunchPairs)
    (theBase: LaunchPairs)
    (phase: Measure)
    (pairs: List<Pair>)
    =
    own.Finished.Add phase

    if not (theBase.Finished.Contains phase) then
        theBase.Finished.Add phase

    let ratio =
        if pairs.Count = 0 then None else Some(pairs |> Seq.map _.CpuRatio |> Statistics.median)

    context.Tell(Did(row.Plan.Id, launch, Word.ofCase phase, ratio))

/// Pairs in process of a row that is not the base; the base's side goes to `into` as well.
let inProcess
    (context: Context)
    launch
    (row: MeasuredRow)
    (own: LaunchPairs)
    (candidate: CandidateProcess)
    (theBase: CandidateProcess)
    (into: LaunchPairs)
    : unit =
    let take isCandidate =
        (if isCandidate then candidate else theBase)
            .Run("measuring in process", context.Settings.SliceMilliseconds)

    pairs context row launch Measure.InProcess take (keep own.InProcess into.InProcess)
    finished context launch row own into Measure.InProcess own.InProcess
