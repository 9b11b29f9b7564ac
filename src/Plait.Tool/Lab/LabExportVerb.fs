// The verb that writes a scenario for other tools, which run it on several machines.
module internal Plait.Tool.LabExportVerb

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Lab

let private scenario =
    Argument<string>(
        "SCENARIO",
        Description = "a file of a scenario (docs/own-scenario.md), or fizzbuzz, which is built in",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> "fizzbuzz")
    )

/// The tools that scenarios are written for.
type private Tool =
    | ForCrank
    | ForK6
    | ForVegeta
    | ForKubernetes

let private tools = "crank, k6, vegeta or kubernetes"

let private toTool =
    Options.choiceOr
        "write one of them"
        "--to"
        [ "crank", ForCrank; "k6", ForK6; "vegeta", ForVegeta; "kubernetes", ForKubernetes ]
        "the tool that will run the scenario"

let private out =
    Options.text "--out" "FILE" "write to this file; default: to stdout"

// Scheme and host. The scenario has the paths.
let private targetOf (text: string) : string =
    match Uri.TryCreate(text, UriKind.Absolute) with
    | true, url when
        ((nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps)
        && (nonNull url).PathAndQuery = "/"
        && (nonNull url).Fragment = ""
        ->
        // as it is written: .NET leaves the zone of an IPv6 address out
        text.Trim().TrimEnd '/'
    | _ ->
        raise (
            BadInput
                $"--target takes the address of a server like http://server:5000, not '{text}'; name the tool with --to: {tools}"
        )

let private target =
    Options.parsed
        "--target"
        []
        "URL"
        "with vegeta and kubernetes: where the server is (default for vegeta: http://127.0.0.1:5000)"
        targetOf

let private shares =
    Options.number
        "--shares"
        []
        "N"
        (1, 10_000)
        "with kubernetes and crank: the generators that load together, each with its share (default: 10 pods, 1 job)"

let private image =
    Options.text "--image" "IMAGE" "with kubernetes: the image that holds the tool (default: plait)"

let private startIn =
    Options.duration
        "--start-in"
        (30_000, 86_400_000)
        "with kubernetes: how long from now the counted part begins (default: 2m)"

let private candidates =
    LabOptions.candidates "with fizzbuzz: the folder that the candidates lie in"

let private read (parsed: ParseResult) : ScenarioFile =
    match parsed.GetRequiredValue scenario with
    | "fizzbuzz" when not (File.Exists "fizzbuzz") ->
        let folder = LabOptions.candidatesFolder parsed candidates
        Candidate.discover folder |> Portable.fizzBuzz (Path.GetFullPath folder)
    | path -> UserScenarioReader.read path (Files.text "a scenario" path)

/// The tool of the command line. Raises BadInput if it does not take --target.
let private toolOf (parsed: ParseResult) : Tool =
    match Options.value parsed toTool, Options.value parsed target with
    | None, _ -> raise (BadInput $"'export' needs --to, the tool that will run the scenario: {tools}")
    | Some ForKubernetes, None ->
        raise (
            BadInput
                "--to kubernetes needs --target: the address of the server in the cluster, like http://server:8080"
        )
    | Some(ForCrank | ForK6), Some _ ->
        raise (
            BadInput
                "--target goes with --to vegeta and --to kubernetes; leave it out: k6 reads it from the variable TARGET=http://server:5000, crank from the variables of its profile"
        )
    | Some tool, _ ->
        let isGiven = Options.isGiven parsed image || Options.isGiven parsed startIn

        if isGiven && tool <> ForKubernetes then
            raise (BadInput "--image and --start-in go with --to kubernetes; leave them out")

        if Options.isGiven parsed shares && tool <> ForKubernetes && tool <> ForCrank then
            raise (BadInput "--shares goes with --to crank and --to kubernetes; leave it out")

        tool

let private run (parsed: ParseResult) : int =
    let tool = toolOf parsed
    let file = read parsed
    let output = Options.value parsed out

    let text, hint =
        match tool with
        | ForCrank ->
            let folder = Path.TrimEndingDirectorySeparator AppContext.BaseDirectory
            let shares = Options.value parsed shares |> Option.filter (fun count -> count > 1)
            Crank.write folder shares file, Crank.command shares file
        | ForKubernetes ->
            let settings: Kubernetes.Settings =
                {
                    Shares = Options.valueOr 10 parsed shares
                    Target = Option.get (Options.value parsed target)
                    Image = Options.valueOr "plait" parsed image
                    StartAt = DateTime.UtcNow + Options.valueOr (TimeSpan.FromMinutes 2.) parsed startIn
                }

            Kubernetes.write settings file, "kubectl apply -f FILE"
        | ForK6 -> K6.write file, "TARGET=http://server:5000 k6 run FILE"
        | ForVegeta ->
            let target =
                Options.value parsed target
                |> Option.defaultValue $"http://127.0.0.1:{Portable.serverPort}"

            for note in Vegeta.notes file do
                Streams.say $"note: {note}"

            Vegeta.write target file, Vegeta.command file "FILE"

    match output with
    | None -> Console.Out.Write text
    | Some path ->
        Files.write path text
        Console.Out.WriteLine(hint.Replace("FILE", path))

    Endings.success

/// plait lab export
let command () : Command =
    Verb.make
        "export"
        "Write a scenario for a tool that runs it on several machines: a configuration of crank, a script of k6, targets of vegeta, or a Job of Kubernetes."
        [ scenario ]
        [ toTool; out; target; shares; image; startIn; candidates ]
        run
