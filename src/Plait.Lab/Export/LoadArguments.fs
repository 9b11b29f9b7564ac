// Pure: the request and the right answers of a scenario as arguments of plait attack, for tools that run it.
module internal Plait.Lab.LoadArguments

open System.Globalization

open Plait.Load
open Plait.Common

/// A rate, a time or another number as it is written in arguments and in rules of other tools.
let number (value: float) : string =
    value.ToString("0.#########", CultureInfo.InvariantCulture)

let private content (tool: string) (what: string) (option: string) (text: string) : string =
    if text.StartsWith '@' then
        raise (
            BadInput
                $"the {what} begins with an @, so plait attack reads a file of that name; a job of {tool} does not have the file"
        )

    $"{option}={text}"

/// The arguments of the first request and of its right answers. `tool`: the tool that the scenario is written for. Raises
/// BadInput for a body that the command line cannot have.
let ofRequest (tool: string) (file: ScenarioFile) : string list =
    let request = file.Requests.Head

    [
        "--timeout"
        $"{number file.TimeoutSeconds}s"

        if request.Method <> "GET" then
            "--method"
            request.Method

        // Behind an equals sign, because they may begin with a dash.
        for name, value in request.Headers do
            $"--header={name}: {value}"

        if request.Body <> "" then
            content tool "body" "--body" request.Body

        if not file.Checks.Status.IsEmpty then
            "--expect-status"
            file.Checks.Status |> List.map string |> String.concat ","

        match file.Checks.Body with
        | Some right -> content tool "right body" "--expect-body" right
        | None -> ()
    ]

/// The command that makes one run of the files of several generators, and judges the rules for it.
let merge (files: string) (file: ScenarioFile) : string =
    let rules =
        file.Rules |> List.map (fun rule -> $" --require '{Rule.text rule}'") |> String.concat ""

    $"plait merge {files} --json whole.json{rules}"

/// The arguments of the model.
let ofModel (file: ScenarioFile) : string list =
    match file.Model with
    | Closed connections -> [ "--connections"; string connections ]
    | Open(arrivals, connections) ->
        let given = Arrivals.arguments number arrivals

        [
            $"--{given.Option}"
            given.Value + given.Suffix
            yield! given.Flags
            "--max-connections"
            string connections
        ]
