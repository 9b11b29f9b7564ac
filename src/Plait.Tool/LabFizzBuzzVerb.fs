// The verb that runs the comparison fizzbuzz: runs it, shows the table, writes the files.
module internal Plait.Tool.LabFizzBuzzVerb

open System
open System.CommandLine
open System.Globalization
open System.IO
open System.Net
open System.Net.Sockets

open Plait.Lab
open Plait.Lab.Report
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

let private outputFolder (parsed: ParseResult) (root: string) : Folder =
    match LabFizzBuzzOptions.outputFolder parsed with
    | Some path -> Folder.Create(Path.GetFullPath path, None)
    | None ->
        let lab = Path.Combine(root, "artifacts", "lab")
        let time = DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture)
        Folder.Create(Path.Combine(lab, $"fizzbuzz-{time}"), Some(Path.Combine(lab, "fizzbuzz-latest")))

let private writeAlso (file: string option) (results: Results) =
    match file with
    | None -> ()
    | Some file ->
        try
            File.WriteAllText(file, ResultsJson.write results)
        with
        | :? ArgumentException
        | :? IOException
        | :? UnauthorizedAccessException as trouble ->
            raise (RunFailed $"--json: {file} cannot be written: {trouble.Message.TrimEnd '.'}")

/// The sentence and the exit code that an ending deserves.
let private conclude (ending: Ending) (results: Results) : int =
    let broken =
        results.Rows
        // A package that cannot be had is a fact about the machine, and no error of the run.
        |> List.filter (fun row -> row.Status <> "measured" && row.Status <> "not available")
        |> List.map _.Id

    match ending with
    | Stopped ->
        Endings.complain "stopped; what was measured so far is in results.json"
        Endings.failure
    | Broken sentence ->
        Endings.complain $"{sentence.TrimEnd '.'}; what was measured so far is in results.json"
        Endings.failure
    | Completed when not broken.IsEmpty ->
        let names = String.concat ", " broken
        Endings.complain $"not wholly measured: {names}; the reasons are above and in results.json"
        Endings.failure
    | Completed -> Endings.success

let private run (parsed: ParseResult) : int =
    let asked = LabFizzBuzzOptions.settings parsed
    LabParts.check parsed asked
    let settings = LabParts.settings parsed asked
    let current = Directory.GetCurrentDirectory()

    let root =
        Candidate.repository AppContext.BaseDirectory
        |> Option.orElse (Candidate.repository current)
        |> Option.defaultValue current

    let choice =
        LabFizzBuzzOptions.choose [ scenario.Base; scenario.Control ] root parsed

    checkPorts settings
    let output = outputFolder parsed root
    use stop = new StopSignal.StopSignal()
    let rows = LabRivals.build root choice stop.Token

    let traces = Path.Combine(nonNull (Path.GetDirectoryName output.Json), "traces")
    let plan = LabParts.plan parsed root choice.Feed stop.Token traces scenario settings rows

    let request (part: LabParts.Part) =
        {
            Settings = part.Settings
            Rows = part.Rows
            LoadClient = CommandLine.self () @ [ CommandLine.loadClientVerb ]
            Command = CommandLine.shown (Environment.GetCommandLineArgs() |> Seq.skip 1)
            Repository = root
        }

    let ending, results =
        try
            if LabFizzBuzzOptions.isTraced parsed then
                Directory.CreateDirectory traces |> ignore

            LabParts.run plan request output.WriteJson stop.Token
        finally
            // A record of a hundred thousand calls is of no use to anybody.
            if Directory.Exists traces then
                Directory.Delete(traces, true)

    output.WriteData results

    let page =
        try
            output.WritePage results
            Ok $"page:    {output.Page}"
        with :? RunFailed as trouble ->
            Error trouble.Message

    output.CopyToLatest()

    LabTable.write
        results
        [
            $"results: {output.Json}"
            $"csv:     {output.Csv}"
            match page with
            | Ok path -> path
            | Error _ -> ()
            match output.Latest with
            | Some latest -> $"copy:    {latest}"
            | None -> ()
        ]

    // last, because its path is the user's: whatever is wrong with that, the results are shown and kept
    writeAlso (LabFizzBuzzOptions.jsonFile parsed) results
    let code = conclude ending results

    match page with
    | Ok _ -> code
    | Error sentence ->
        Endings.complain sentence
        Endings.failure

/// plait lab fizzbuzz
let command () : Command =
    let command =
        Command(
            "fizzbuzz",
            "Compare every way of writing async by an interpreter that runs FizzBuzz, in process and over HTTP. Each candidate is a process of its own, measured in pairs against the plain synchronous one; the result is a ratio with a 95 % interval."
        )

    for option in LabFizzBuzzOptions.all' do
        command.Options.Add option

    command.SetAction(fun (parsed: ParseResult) -> Endings.guard (fun () -> run parsed))
    command
