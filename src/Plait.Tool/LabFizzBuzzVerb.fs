// The verb that runs the comparison fizzbuzz: runs it, shows the table, writes the files.
module internal Plait.Tool.LabFizzBuzzVerb

open System
open System.CommandLine
open System.Net
open System.Net.Sockets

open Plait.Lab
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

let private run (parsed: ParseResult) : int =
    let settings = LabFizzBuzzOptions.settings parsed
    let rows = LabFizzBuzzOptions.rows [ scenario.Base; scenario.Control ] parsed
    checkPorts settings
    let root = LabOutput.root ()

    let output =
        LabOutput.folder scenario.Name (LabFizzBuzzOptions.outputFolder parsed) root

    use stop = new StopSignal.StopSignal()

    let request =
        {
            Settings = settings
            Rows = rows
            LoadClient = CommandLine.self () @ [ CommandLine.loadClientVerb ]
            Command = CommandLine.shown (Environment.GetCommandLineArgs() |> Seq.skip 1)
            Repository = root
        }

    let ending, results =
        LabProgress.run (fun tell -> Comparison.run scenario request tell output.WriteJson stop.Token)

    LabOutput.finish output (LabFizzBuzzOptions.jsonFile parsed) ending results

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
