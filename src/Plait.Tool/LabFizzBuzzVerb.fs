// The verb that runs the comparison fizzbuzz: runs it, shows the table, writes the files.
module internal Plait.Tool.LabFizzBuzzVerb

open System
open System.CommandLine
open System.IO
open System.Net
open System.Net.Sockets

open Plait.Report

open Plait.Lab.Scenarios

let private scenario = FizzBuzz.scenario

/// Ports that were asked for must be free before anything is measured.
let private checkPorts (settings: Settings) =
    if settings.Http && settings.Port > 0 then
        for port in [ settings.Port; settings.Port + 1 ] do
            try
                let listener = new TcpListener(IPAddress.Loopback, port)
                listener.Start()
                listener.Stop()
            with :? SocketException as trouble ->
                raise (
                    BadInput
                        $"--port: port {port} on 127.0.0.1 cannot be used ({trouble.Message}); name another, or leave --port out for ports of the system's choice"
                )

let private measuresNothing (settings: Settings) =
    not settings.InProcess && not settings.Http

/// What the comparison is asked when FizzBoom comes behind it: its time goes off the budget, and where nothing else is to
/// be measured there is only the base, whose answer is looked at.
let private compared (request: Request) (boom: FizzBoomSettings option) : Request =
    match boom with
    | None -> request
    | Some boom ->
        let count = (FizzBoom.rowsOf scenario.Base request.Rows).Length
        let off = float count * FizzBoom.secondsEach boom

        { request with
            Rows =
                if measuresNothing request.Settings then
                    request.Rows |> List.filter (fun row -> row.Id = scenario.Base)
                else
                    request.Rows
            Settings =
                { request.Settings with
                    BudgetSeconds =
                        request.Settings.BudgetSeconds |> Option.map (fun budget -> max 60.0 (budget - off))
                    Launches = if measuresNothing request.Settings then 1 else request.Settings.Launches
                    Width = if measuresNothing request.Settings then None else request.Settings.Width
                }
        }

let private withFizzBoom (parsed: ParseResult) boom (request: Request) tell stop (ending, results: Results) =
    let results =
        if measuresNothing request.Settings then
            { results with
                Title = FizzBoomPanels.title
                Rows = []
                Published = []
                Panels = []
                Settings = { results.Settings with Launches = 0; Pairs = 0 }
                Stopping = None
            }
        else
            results

    match ending with
    | Stopped
    | Broken _ -> ending, results
    | Completed ->
        let ending, boomed =
            FizzBoomRun.run
                boom
                (LabCandidateOptions.folder parsed)
                (FizzBoom.rowsOf scenario.Base request.Rows)
                request
                (CommandLine.selfAs CommandLine.attackWorkerVerb)
                tell
                stop

        ending,
        { FizzBoomPanels.into boom boomed results with
            Complete = (ending = Completed)
            EndedUtc = Results.Stamp DateTime.UtcNow
        }

let private run (parsed: ParseResult) : int =
    let asked = LabFizzBuzzOptions.settings parsed
    LabParts.check parsed asked
    let settings = LabParts.settings parsed asked
    let boom = LabFizzBuzzOptions.fizzBoom parsed
    LabFiles.check "--json" (LabSwitchOptions.jsonFile parsed)
    let root = LabOutput.root ()

    let choice =
        LabCandidateOptions.choose [ scenario.Base; scenario.Control ] root parsed

    checkPorts settings

    let output =
        LabOutput.folder scenario.Name (LabFizzBuzzOptions.outputFolder parsed) root

    use stop = new StopSignal.StopSignal()
    let rows = LabRivals.build root choice stop.Token

    let traces = Path.Combine(nonNull (Path.GetDirectoryName output.Json), "traces")

    let plan =
        LabParts.plan parsed root choice.Feed stop.Token traces scenario settings rows

    let request (part: LabPart.Part) =
        {
            Settings = part.Settings
            Rows = part.Rows
            Generator = CommandLine.selfAs CommandLine.attackWorkerVerb
            Command = CommandLine.given ()
            Repository = root
        }

    let ending, results =
        try
            if LabSwitchOptions.isTraced parsed then
                Directory.CreateDirectory traces |> ignore

            let compared =
                LabPart.run plan (fun part -> compared (request part) boom) output.WriteJson stop.Token

            match boom with
            | Some boom ->
                LabProgress.run (fun tell ->
                    let request = request plan.Parts.Head
                    tell (Began (FizzBoom.rowsOf scenario.Base request.Rows).Length)
                    withFizzBoom parsed boom request tell stop.Token compared)
            | None -> compared
        finally
            // A record of a hundred thousand calls is of no use to anybody.
            if Directory.Exists traces then
                Directory.Delete(traces, true)

    LabOutput.finish output (LabSwitchOptions.jsonFile parsed) ending results

/// plait lab fizzbuzz
let command () : Command =
    Verb.make
        "fizzbuzz"
        "Compare every way of writing async by an interpreter that runs FizzBuzz, in process and over HTTP. Each candidate is a process of its own, measured in pairs against the plain synchronous one; the result is a ratio with a 95 % interval."
        []
        LabFizzBuzzOptions.all'
        run
