// Readings of the memory of a running process, which changes meanwhile: a failed reading is repeated, and a fact holds if several
// readings in a row agree. Only Contexts uses it.
module internal Plait.Doctor.MemoryReading

open System
open System.Diagnostics
open System.Globalization
open System.Threading

/// The memory cannot be read, for the reason in this clause.
exception Unreadable of reason: string

/// The most attempts at one reading; the number of moments at which a fact must hold.
let private attempts, private times = 3, 3

/// The time in which moments that differ are followed by further ones: on a busy machine a moment takes half a second, and a
/// garbage collection that moves the objects meanwhile spoils it.
let private patience = TimeSpan.FromSeconds 5.0

/// The time between two attempts or moments: a dispatcher takes up its work in between.
let private pause = TimeSpan.FromMilliseconds 50.0

let private reason (error: exn) : string =
    match error with
    | Unreadable reason -> reason
    | :? UnauthorizedAccessException -> "the system does not permit it"
    | error ->
        let lines = error.Message.Split '\n'
        lines[0].Trim().TrimEnd '.'

/// The result of `read`, which gets a new attempt, a few times within the limit, if it raises an exception: a value may be
/// half-written. Error: the reason of the last failure, in a clause.
let tried (limit: TimeSpan) (read: unit -> 'T) : Result<'T, string> =
    let clock = Stopwatch.StartNew()

    let rec attempt (number: int) (last: string option) =
        let left = limit - clock.Elapsed

        let result =
            try
                TimeLimit.one "reads memory" left read |> Option.map Ok
            with error ->
                Some(Error(reason error))

        match result, last with
        | Some(Error reason), _ when number < attempts && clock.Elapsed + pause < limit ->
            Thread.Sleep pause
            attempt (number + 1) (Some reason)
        | Some result, _ -> result
        // a thread that is left behind still reads: no further one
        | None, Some reason -> Error reason
        | None, None ->
            let seconds = limit.TotalSeconds.ToString("0.##", CultureInfo.InvariantCulture)
            Error $"it took longer than {seconds} s"

    attempt 1 None

/// The facts at the last of several moments that hold at all of them; `both`: the common part of two. If the moments differ, as
/// they do if one of them lacks a thread, further ones are read, up to twice as many, unless they take long.
let lasting (read: unit -> Map<int, 'T>) (both: 'T -> 'T -> 'T option) : Map<int, 'T> =
    let clock = Stopwatch.StartNew()

    let rec moments (read': Map<int, 'T> list) =
        let last = List.truncate times read'

        let isEnough =
            last.Length = times
            && (last |> List.forall ((=) last.Head)
                || read'.Length >= 2 * times
                || clock.Elapsed > patience)

        if isEnough then
            List.rev last
        else
            if not read'.IsEmpty then
                Thread.Sleep pause

            moments (read () :: read')

    moments []
    |> List.reduce (fun before after ->
        Map.ofSeq
            [
                for thread, now in Map.toSeq after do
                    match Map.tryFind thread before |> Option.bind (fun before -> both before now) with
                    | Some kept -> thread, kept
                    | None -> ()
            ])
