// Keeps a run within its time: when it is late, the rows to come are warmed shorter and measured in fewer pairs.
namespace Plait.Lab

open System
open System.Diagnostics

/// Keeps a run within its budget: tells before every row how much of the full effort there is time for.
type TimeBudget(budgetSeconds: float option, rows: int) =
    let clock = Stopwatch.StartNew()
    let mutable measured = 0
    let mutable shortened = 0

    /// The least share of the full effort: what is measured with less says nothing.
    static member Least = 0.4

    /// The share of the full effort, from 0.4 to 1, that `rows` steps have time for after `seconds`, when `measured` of
    /// them are done. The effort of a step is what steps have taken so far on average.
    static member Share(budget: float, rows: int, measured: int, seconds: float) : float =
        if measured = 0 || measured >= rows then
            1.0
        else
            let each = seconds / float measured
            let left = budget - seconds
            Math.Clamp(left / (each * float (rows - measured)), TimeBudget.Least, 1.0)

    /// Seconds for the rows, when counting bytes afterwards has its own.
    static member timed (settings: Settings) (rows: int) : float option =
        settings.BudgetSeconds
        |> Option.map (fun budget -> if settings.InProcess then budget - 0.5 * float rows else budget)

    /// Row launches that there are.
    member _.Rows = rows

    /// Row launches that were measured with less than the full effort.
    member _.Shortened = shortened

    /// The settings for the next row.
    member _.Next(settings: Settings) : Settings =
        let share =
            match budgetSeconds with
            | Some budget -> TimeBudget.Share(budget, rows, measured, clock.Elapsed.TotalSeconds)
            | None -> 1.0

        measured <- measured + 1

        if share > 0.97 then
            settings
        else
            shortened <- shortened + 1

            let least (warmUp: WarmUp) =
                { warmUp with
                    LimitMilliseconds =
                        max warmUp.FloorMilliseconds (int (share * float warmUp.LimitMilliseconds))
                }

            { settings with
                Pairs = max (min 3 settings.Pairs) (int (share * float settings.Pairs))
                WarmUp = least settings.WarmUp
                HttpWarmUp = least settings.HttpWarmUp
            }
