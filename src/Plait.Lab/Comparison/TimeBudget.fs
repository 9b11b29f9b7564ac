// Keeps a run within its time: when it is late, the rows to come are warmed shorter and measured in fewer pairs.
namespace Plait.Lab

open System
open System.Diagnostics

/// Keeps a run within its budget: tells before every row how much of the full effort there is time for.
type TimeBudget(budgetSeconds: float option, rows: int) =
    let clock = Stopwatch.StartNew()
    let mutable measured = 0
    let mutable shortened = 0

    /// The least share of the full effort: figures with less are of no use.
    static member Least = 0.4

    /// The share of the full effort, from 0.4 to 1, that `rows` steps have time for after `seconds`, when `measured` of
    /// them are done. The effort of a step is the average of the steps so far.
    static member Share(budget: float, rows: int, measured: int, seconds: float) : float =
        if measured = 0 || measured >= rows then
            1.0
        else
            let each = seconds / float measured
            let left = budget - seconds
            Math.Clamp(left / (each * float (rows - measured)), TimeBudget.Least, 1.0)

    // The settings of a step when there is time for such a share of the full effort.
    static member private Lessened(settings: Settings, share: float) : Settings =
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

    /// Seconds that launches of these rows and the base take at least: with a width one launch, otherwise all that were asked
    /// for, with the least effort. A process takes half a second to start and to answer, and is warm at its limit.
    static member LeastSeconds(settings: Settings, others: RowPlan list) : float =
        let launches, settings =
            match settings.Width with
            | Some _ -> 1, settings
            | None -> settings.Launches, TimeBudget.Lessened(settings, TimeBudget.Least)

        let starting = 500
        let pairs = 2 * settings.Pairs * settings.SliceMilliseconds

        let row (row: RowPlan) =
            [
                starting
                if settings.InProcess then
                    settings.WarmUp.LimitMilliseconds + pairs
                if Settings.isLoaded settings row then
                    settings.HttpWarmUp.LimitMilliseconds + pairs
            ]

        let theBase =
            [
                if settings.InProcess then
                    starting + settings.WarmUp.LimitMilliseconds
                if settings.Http then
                    starting + settings.HttpWarmUp.LimitMilliseconds
            ]

        float (launches * List.sum (theBase @ List.collect row others)) / 1000.0

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
            TimeBudget.Lessened(settings, share)
