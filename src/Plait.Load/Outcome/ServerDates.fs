// The times at which a run received each Date header of its server, the clock that all generators of one server share. The engine
// notes them, and merging compares the clocks of the machines by them.
namespace Plait.Load

open System
open System.Collections.Generic

/// The responses with the same Date. Times are nanoseconds from the start of the counted part.
type ServerDate =
    {
        /// The Date, in seconds since 1970.
        Unix: int64
        /// When the first of them was there.
        FirstDone: int64
        /// When the request of the last of them was sent.
        LastSent: int64
    }

/// Notes and sums of them.
module ServerDate =
    /// The most Dates that a run keeps: those of ten minutes, which show a difference of clocks as well as those of an hour.
    let most = 600

    let private joined (one: ServerDate) (other: ServerDate) : ServerDate =
        { one with
            FirstDone = min one.FirstDone other.FirstDone
            LastSent = max one.LastSent other.LastSent
        }

    /// The Dates of several runs by the same clock.
    let sum (parts: ServerDate list list) : ServerDate list =
        parts
        |> List.concat
        |> List.groupBy _.Unix
        |> List.sortBy fst
        |> List.map (snd >> List.reduce joined)
        |> List.truncate most

    /// The same Dates by a clock whose zero is earlier by so many nanoseconds.
    let moved (nanoseconds: int64) (dates: ServerDate list) : ServerDate list =
        dates
        |> List.map (fun date ->
            { date with
                FirstDone = date.FirstDone + nanoseconds
                LastSent = date.LastSent + nanoseconds
            })

/// Notes the Dates of a run. For one thread; allocates once for each Date.
type internal ServerDates() =
    let places = Dictionary<int64, int>()
    let dates = List<ServerDate>()
    // The Date of the last response, and the last time at which one of its requests was sent, which is not in the list yet.
    let mutable current = -1
    let mutable unix = Int64.MinValue
    let mutable lastSent = 0L

    let keep () =
        if current >= 0 then
            dates[current] <- { dates[current] with LastSent = lastSent }

    /// A response with this Date is there.
    member _.Note(date: int64, sent: int64, finished: int64) : unit =
        if date = unix then
            lastSent <- max lastSent sent
        else
            keep ()
            unix <- date

            match places.TryGetValue date with
            | true, place ->
                current <- place
                lastSent <- max dates[place].LastSent sent
            | _ when dates.Count < ServerDate.most ->
                current <- dates.Count
                places[date] <- current
                dates.Add { Unix = date; FirstDone = finished; LastSent = sent }
                lastSent <- sent
            | _ -> current <- -1

    /// All of them, in their order.
    member _.ToList() : ServerDate list =
        keep ()
        dates |> Seq.sortBy _.Unix |> List.ofSeq
