// Which comparisons a run of fizzbuzz consists of: one as a rule, over runtimes if they are named, with a second and a third
// behind it where the effect of switches is asked for.
module internal Plait.Tool.LabParts

open System.CommandLine

open Plait.Report

open Plait.Lab.Scenarios

/// Contradictions among the options, before anything is built.
let check (parsed: ParseResult) (settings: Settings) : unit =
    let runtimes = LabFizzBuzzOptions.runtimesOf parsed
    let anySwitch = LabSwitchOptions.isAny parsed

    if anySwitch && not runtimes.IsEmpty then
        raise (
            BadInput
                "--runtimes and the switches of --as-published are two questions; measure them in two runs"
        )

    if anySwitch && not settings.Http then
        raise (
            BadInput
                "--no-http leaves nothing of the switches of --as-published: what they do is done by servers; leave it out"
        )

/// The settings of the first comparison.
let settings (parsed: ParseResult) (settings: Settings) : Settings =
    let quick = LabFizzBuzzOptions.isQuick parsed

    // A short run shares its time with what comes behind it; a time that the user gives is left alone.
    let within seconds =
        if quick && not (LabFizzBuzzOptions.isTimed parsed) then
            settings.BudgetSeconds |> Option.map (fun _ -> seconds)
        else
            settings.BudgetSeconds

    if quick && not (LabFizzBuzzOptions.runtimesOf parsed).IsEmpty then
        // Three times the rows in the same time.
        { settings with Http = false; InProcess = true; BudgetSeconds = within 100.0 }
    elif LabSwitchOptions.isAsPublished parsed then
        { settings with InProcess = false; BudgetSeconds = within 85.0 }
    elif LabSwitchOptions.isAny parsed then
        { settings with BudgetSeconds = within 110.0 }
    else
        settings

/// The comparisons that the options ask for. `folder`: where a trace may be written; `feed`: a folder of packages.
let plan
    parsed
    root
    feed
    stop
    (folder: string)
    (scenario: Scenario)
    (settings: Settings)
    (rows: RowPlan list)
    : LabPart.Parts =
    if not (LabFizzBuzzOptions.runtimesOf parsed).IsEmpty then
        LabRuntimeParts.make parsed root feed stop scenario settings rows
    elif LabSwitchOptions.isAny parsed then
        LabSwitchParts.make parsed folder scenario settings rows
    else
        LabPart.alone scenario settings rows
