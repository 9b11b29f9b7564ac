// The options that turn defects of the published benchmark on, each alone or all at once.
module internal Plait.Tool.LabSwitchOptions

open System.CommandLine

open Plait.Report

open Plait.Lab.Scenarios

// One option with two meanings: a word is the form of the answers, all else is a file.
let private json =
    Options.texts
        "--json"
        "FILE"
        "write results.json to this file as well; the words indented and compact are the form of the answers instead"

let private asPublished =
    Options.flag
        "--as-published"
        "measure with the defects of the published benchmark (the five switches below), and what each of them does"

let private logging =
    Options.flag "--logging" "switch: every server logs to the console at level Debug"

let private table =
    Options.text "--fn-table" "per-request|once" "switch: when the table of functions is made"

let private beside =
    Options.flag "--client-on-server-cores" "switch: the load client shares the core of the server"

let private traced =
    Options.flag
        "--traced"
        "switch: functions that only compute are recorded call by call in a file (measured alone, on the base)"

/// The form of the answers, or a file for the results.
let form: System.CommandLine.Option = json

/// The other switches, and all of them at once.
let all': System.CommandLine.Option list =
    [ asPublished; logging; table; beside; traced ]

/// Whether every defect was asked for at once.
let isAsPublished (parsed: ParseResult) : bool = Options.value parsed asPublished

/// Whether the trace store is to be measured.
let isTraced (parsed: ParseResult) : bool =
    Options.value parsed traced || isAsPublished parsed

let private forms = [ "indented"; "compact" ]

/// The defects that every row has. Raises BadInput for a word that is none.
let switches (parsed: ParseResult) : Switches =
    let all = if isAsPublished parsed then FizzBuzzSwitches.asPublished else Switches.none

    let perRequest =
        match Options.value parsed table with
        | None -> all.TablePerRequest
        | Some "per-request" -> true
        | Some "once" -> false
        | Some other ->
            raise (
                BadInput
                    $"--fn-table takes per-request or once, and '{other}' is neither; leave it out for once"
            )

    let indented =
        match Options.value parsed json |> List.filter (fun word -> List.contains word forms) with
        | [] -> all.Indented
        | words -> List.last words = "indented"

    { all with
        Logging = all.Logging || Options.value parsed logging
        TablePerRequest = perRequest
        Indented = indented
        ClientOnServer = all.ClientOnServer || Options.value parsed beside
    }

/// Whether any defect is on.
let isAny (parsed: ParseResult) : bool =
    switches parsed <> Switches.none || isTraced parsed

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option =
    Options.value parsed json
    |> List.filter (fun word -> not (List.contains word forms))
    |> List.tryLast
