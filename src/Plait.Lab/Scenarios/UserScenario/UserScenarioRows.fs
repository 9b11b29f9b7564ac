// The rows of a user's scenario: every candidate with every combination of factors, and the base once more.
module Plait.Lab.UserScenarioRows

open System

open Plait.Report

/// The plan of one row.
type internal Variant = { Program: ScenarioProgram; More: FactorValue list }

/// Every way to choose a value of each factor, with the names of the factors and of their values, for the values that are not
/// the first of their factor.
let internal combinations (factors: Factor list) : (FactorValue list * (string * string) list) list =
    let rec choose (factors: Factor list) : FactorValue list list =
        match factors with
        | [] -> [ [] ]
        | factor :: rest ->
            [
                for value in factor.Values do
                    for others in choose rest do
                        value :: others
            ]

    [
        for values in choose factors do
            let changed =
                List.zip factors values
                |> List.filter (fun (factor, value) -> factor.Values.Head.Name <> value.Name)
                |> List.map (fun (factor, value) -> factor.Name, value.Name)

            values, changed
    ]

let private plan
    id
    (label: string)
    (factors: (string * string) list)
    family
    order
    (program: ScenarioProgram)
    : RowPlan =
    {
        Id = id
        Factors = factors
        Candidate =
            {
                Name = program.Name
                Label = label
                Family = family
                Library = None
                Factors = []
                Blocks = false
                Order = order
                Published = []
                Description = ""
                Assembly = program.Command
                Arguments = program.Arguments
                Absence = None
            }
        Switches = Switches.none
        SkipsHttp = false
    }

/// The id of the control of a scenario.
let control (file: ScenarioFile) : string = file.Base + "-again"

/// The rows, in the order of the file.
let internal variants (file: ScenarioFile) : (RowPlan * Variant) list =
    [
        for order, program in Seq.indexed file.Candidates do
            for more, changed in combinations file.Factors do
                let id = String.Join("+", program.Name :: List.map snd changed)
                let isBase = program.Name = file.Base && changed.IsEmpty
                // A base with another factor is a row like any other.
                let family =
                    if program.Family = Family.Base && not isBase then Family.FSharp else program.Family

                plan id program.Label changed family order program, { Program = program; More = more }

                if isBase then
                    plan (control file) (program.Label + ", again") [] Family.Control order program,
                    { Program = program; More = more }
    ]

/// The ids of the rows that a scenario has.
let rows (file: ScenarioFile) : string list =
    variants file |> List.map (fun (plan, _) -> plan.Id)
