// Scenarios for other tools: crank's configuration by crank's own schema, k6's script by node, vegeta's targets; and the
// statistics block that a job of crank prints.
module Plait.Lab.Tests.Exports

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open System.Text.Json.Serialization
open Xunit
open YamlDotNet.Serialization
open k8s.Models

open Plait.Lab
open Plait.Load
open Plait.Tests.Support

let private folder = Path.Combine(Built.root, "samples", "lab")

let private cards =
    UserScenarioReader.read (Path.Combine(folder, "x.json")) ScenarioFiles.full

/// A mapping of YAML as JSON, with the kinds that its plain scalars have.
let rec private json (value: objnull) : JsonNode | null =
    match value with
    | :? IDictionary<obj, obj> as map ->
        let node = JsonObject()

        for entry in map do
            node[string entry.Key] <- json entry.Value

        node
    | :? IList<obj> as list ->
        let node = JsonArray()

        for item in list do
            node.Add(json item)

        node
    | null -> null
    | :? bool as flag -> JsonValue.Create flag
    | :? byte
    | :? int16
    | :? int
    | :? int64 -> JsonValue.Create(Convert.ToInt64 value)
    | other -> JsonValue.Create(string other)

let private parse (yaml: string) : JsonNode =
    DeserializerBuilder().WithAttemptingUnquotedStringTypeDeserialization().Build().Deserialize<obj> yaml
    |> json
    |> nonNull

let private at (path: string) (node: JsonNode) : JsonNode =
    path.Split '/'
    |> Array.fold
        (fun (node: JsonNode) part ->
            match node[part] with
            | null -> failwith $"There is no {part} of {path} in {node}."
            | child -> child)
        node

let private text path node = (at path node).ToString()

/// The items of a list.
let private items path (node: JsonNode) : JsonNode list =
    [ for item in (at path node).AsArray() -> nonNull item ]

let private crankSchema =
    lazy
        File.ReadAllText(
            Path.Combine(Built.root, "tests", "Plait.Lab.Tests", "crank", "benchmarks.schema.json")
        )

[<Fact>]
let ``the configuration of crank is valid by crank's schema`` () =
    Assert.Empty(SchemaCheck.validate crankSchema.Value (parse (Crank.write "/the/tool" None cards)))
    let candidates = Fleet.candidates.Value
    let file = Portable.fizzBuzz Built.candidatesFolder candidates
    Assert.Empty(SchemaCheck.validate crankSchema.Value (parse (Crank.write "/the/tool" None file)))

[<Fact>]
let ``the schema would refuse a configuration that is wrong`` () =
    let yaml = Crank.write "/the/tool" None cards

    for part, instead in
        [ "waitForExit: true", "waitForExit: 5"; "arguments: \"", "timeout: \"long\"\n    x: \"" ] do
        Assert.Contains(part, yaml)
        Assert.NotEmpty(SchemaCheck.validate crankSchema.Value (parse (yaml.Replace(part, instead))))

let private settings: Kubernetes.Settings =
    {
        Shares = 7
        Target = "http://server:8080"
        Image = "registry/plait"
        StartAt = DateTime(2026, 11, 21, 10, 0, 0, DateTimeKind.Utc)
    }

[<Fact>]
let ``a Job of Kubernetes has a pod for each share, which the tool reads as the scenario's load`` () =
    let yaml = Kubernetes.write settings cards
    let job = parse yaml
    Assert.Equal(("batch/v1", "Job"), (text "apiVersion" job, text "kind" job))

    for path, value in
        [
            "spec/completionMode", "Indexed"
            "spec/completions", "7"
            "spec/parallelism", "7"
            "spec/backoffLimit", "0"
            "spec/template/spec/restartPolicy", "Never"
        ] do
        Assert.Equal(value, text path job)

    let pod = at "spec/template/spec" job
    let container = items "containers" pod |> List.head
    Assert.Equal("registry/plait", text "image" container)

    Assert.Equal(
        text "name" (items "volumes" pod |> List.head),
        text "name" (items "volumeMounts" container |> List.head)
    )

    // Kubernetes makes one $ of two.
    let words (name: string) =
        items name container |> List.map (fun word -> (string word).Replace("$$", "$"))

    // As the shell of a pod runs it, with a tool that writes down its arguments.
    use here = new Built.Folder()
    let results = here.File "results"
    Directory.CreateDirectory results |> ignore

    File.WriteAllText(
        here.File "plait",
        "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; case \"$word\" in */results/*) cp /dev/stdin \"$word\" < /etc/hostname;; esac; done > \"$0.arguments\"\nexit 3\n"
    )

    File.SetUnixFileMode(here.File "plait", UnixFileMode.UserExecute ||| UnixFileMode.UserRead)

    let shell =
        words "command" |> List.map (fun word -> word.Replace("/results/", results + "/"))

    let codeOfPod () =
        let info = ProcessStartInfo(shell.Head, shell.Tail @ words "args")
        info.Environment["PATH"] <- $"{here.File String.Empty}:/usr/bin:/bin"
        info.Environment["JOB_COMPLETION_INDEX"] <- "2"
        use child = nonNull (Process.Start info)
        child.WaitForExit()
        child.ExitCode

    // Its file is there, whatever its verdict.
    Assert.Equal(0, codeOfPod ())
    let arguments = File.ReadAllLines(here.File "plait.arguments") |> List.ofArray
    Assert.Equal<string list>(words "args", arguments |> List.truncate (words "args").Length)

    Assert.Equal<string list>(
        [ "--share"; "3/7"; "--json"; $"{results}/share-2.json" ],
        arguments |> List.skip (words "args").Length
    )

    let behind (option: string) =
        arguments |> List.skipWhile ((<>) option) |> List.item 1

    Assert.Equal("2026-11-21T10:00:00Z", behind "--start-at")
    Assert.Contains("# The counted part begins at 2026-11-21T10:00:00Z, after 15s of warm-up", yaml)
    Assert.StartsWith("http://server:8080/", arguments[1])
    Assert.DoesNotContain("--require", arguments)

    for rule in cards.Rules do
        Assert.Contains($"--require '{Rule.text rule}'", yaml)

    // The file of the Job before does not stand for a pod that wrote none.
    File.Delete(here.File "plait")
    Assert.True(File.Exists(Path.Combine(results, "share-2.json")))
    Assert.NotEqual(0, codeOfPod ())

/// The Job by the model that Kubernetes' own client generates from the API's published description: a field that it does not have,
/// or one of another type, is an error.
let private published (yaml: string) : V1Job =
    let strict =
        JsonSerializerOptions(UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)

    nonNull (JsonSerializer.Deserialize<V1Job>((parse yaml).ToJsonString(), strict))

[<Fact>]
let ``a Job has the fields of Kubernetes' published API, and no others`` () =
    let yaml = Kubernetes.write settings cards
    let spec = (published yaml).Spec

    Assert.Equal(
        ("Indexed", Nullable 7, Nullable 7, Nullable 0),
        (spec.CompletionMode, spec.Completions, spec.Parallelism, spec.BackoffLimit)
    )

    // A day for the logs of its pods.
    Assert.Equal(Nullable 86_400, spec.TtlSecondsAfterFinished)

    // Each pod on another node while there are some, by the label that the pods have, and with a core of its own.
    let spread = Assert.Single spec.Template.Spec.TopologySpreadConstraints

    Assert.Equal(
        (1, "kubernetes.io/hostname", "ScheduleAnyway"),
        (spread.MaxSkew, spread.TopologyKey, spread.WhenUnsatisfiable)
    )

    let label = Assert.Single spread.LabelSelector.MatchLabels
    Assert.Equal(label, Assert.Single spec.Template.Metadata.Labels)
    let container = Assert.Single spec.Template.Spec.Containers
    Assert.Equal("1", string container.Resources.Requests["cpu"])
    Assert.Null container.Resources.Limits
    Assert.Equal("/results", (Assert.Single container.VolumeMounts).MountPath)
    Assert.Equal("attack", container.Args[0])

    Assert.Equal(Kubernetes.claim, (Assert.Single spec.Template.Spec.Volumes).PersistentVolumeClaim.ClaimName)

    for part, instead in
        [
            "completionMode:", "completionModes:"
            "backoffLimit: 0", "backoffLimit: none"
            "mountPath:", "mountpath:"
            "restartPolicy:", "restartPolicies:"
            "topologySpreadConstraints:", "topologySpreadConstraint:"
            "maxSkew: 1", "maxSkew: one"
            "ttlSecondsAfterFinished: 86400", "ttlSecondsAfterFinished: 1d"
        ] do
        Assert.Contains(part, yaml)

        Assert.ThrowsAny<Exception>(fun () -> published (yaml.Replace(part, instead)) |> ignore)
        |> ignore

[<Fact>]
let ``texts of a scenario are no variables of Kubernetes`` () =
    let request = { cards.Requests.Head with Body = "$(HOME) $$ $x" }
    let yaml = Kubernetes.write settings { cards with Requests = [ request ] }
    Assert.Contains("\"--body=$$(HOME) $$$$ $$x\"", yaml)

    let trouble =
        Assert.Throws<Plait.Common.BadInput>(
            Action(fun () ->
                Kubernetes.write settings { cards with Requests = [ request; request ] } |> ignore)
        )

    Assert.Contains("2 requests", trouble.Message)

[<Fact>]
let ``a Job keeps every character and every digit of a scenario`` () =
    let body = "a \" \\ \n \u0085 \\uD83D é 🧵"
    let request = { cards.Requests.Head with Body = body }

    let slow = Open(Poisson 0.0002, 10)

    let job =
        Kubernetes.write settings { cards with Requests = [ request ]; Model = slow } |> parse

    let arguments =
        (items "spec/template/spec/containers" job).Head |> items "args" |> List.map string

    Assert.Contains($"--body={body}", arguments)
    Assert.Contains("0.0002/s", arguments)

[<Fact>]
let ``a Job with more shares than the scenario has connections is refused`` () =
    let trouble =
        Assert.Throws<Plait.Common.BadInput>(
            Action(fun () ->
                Kubernetes.write { settings with Shares = 10 } { cards with Model = Closed 3 } |> ignore)
        )

    Assert.Contains("--shares 3 at most", trouble.Message)

[<Fact>]
let ``jobs of crank have command, ports, readiness, variables, core and counters`` () =
    let yaml = parse (Crank.write "/the/tool" None cards)
    let old = at "jobs/old" yaml
    Assert.Equal("dotnet", text "executable" old)
    Assert.Equal("old.dll --port 5000", text "arguments" old)
    Assert.Equal("listening", text "readyStateText" old)
    // What was this machine is the service's machine.
    Assert.Equal("http://{{upstreamAddress}}:5001/cards", text "environmentVariables/UPSTREAM" old)
    Assert.Equal("0", text "cpuSet" old)
    Assert.Equal("true", text "options/collectCounters" old)

    Assert.Equal(
        (folder, "."),
        (text "sources/old/localFolder" old, text "sources/old/destinationFolder" old)
    )
    // crank has a dotnet of its own, and no other program
    Assert.Contains("# upstream: crank looks for 'node'", Crank.write "/the/tool" None cards)
    let upstream = at "jobs/upstream" yaml
    Assert.Equal("up.mjs 5001", text "arguments" upstream)
    // A worker is told to serve on its command line, and says so.
    let fresh = at "jobs/new-no-pgo-server" yaml
    Assert.Equal("new.dll --server-gc --serve 0.0.0.0:5000", text "arguments" fresh)
    Assert.Equal("serving on", text "readyStateText" fresh)
    Assert.Equal("0", text "environmentVariables/DOTNET_TieredPGO" fresh)

[<Fact>]
let ``the load job runs the generator as the scenario loads`` () =
    let load = parse (Crank.write "/the/tool" None cards) |> at "jobs/load"
    let arguments = text "arguments" load

    for part in
        [
            "attack http://{{serverAddress}}:{{serverPort}}/cards --rate"
            "--rate {{rate}}/s --poisson --max-connections {{connections}}"
            "--timeout 2s"
            "--method POST"
            "\"--header=Accept: text/plain\""
            "--expect-status 200,201"
            "--hlog load.hlog --crank"
        ] do
        Assert.Contains(part, arguments)

    let checking = { cards with Checks = { cards.Checks with Body = Some "[\"a b\"]" } }

    Assert.Contains(
        "--expect-body=",
        parse (Crank.write "/the/tool" None checking) |> at "jobs/load" |> text "arguments"
    )

    Assert.Equal(("500", "15"), (text "variables/rate" load, text "variables/warmup" load))
    Assert.Equal("true", text "waitForExit" load)
    Assert.Equal("/the/tool", text "sources/plait/localFolder" load)
    Assert.Equal("load.hlog", (nonNull ((at "options/downloadFiles" load)[0])).ToString())

[<Fact>]
let ``a scenario of crank starts services, then the application, then the load`` () =
    let yaml = parse (Crank.write "/the/tool" None cards)

    match at "scenarios" yaml with
    | :? JsonObject as scenarios ->
        Assert.Equal(8, scenarios.Count)

        for scenario in scenarios do
            match scenario.Value with
            | :? JsonObject as jobs ->
                Assert.Equal<string list>(
                    [ "upstream"; "application"; "load" ],
                    [ for job in jobs -> job.Key ]
                )

                Assert.Equal(scenario.Key, text "application/job" jobs)
            | other -> Assert.Fail $"{other}"
    | other -> Assert.Fail $"{other}"

    Assert.Equal(
        "http://client:5010",
        (nonNull ((at "profiles/three-machines/jobs/load/endpoints" yaml)[0])).ToString()
    )

[<Fact>]
let ``several generators of crank are a job each, with its share of one load`` () =
    let ruled =
        { cards with Rules = [ Rule.parse "p99<200ms"; Rule.parse "success>99%" ] }

    let yaml = Crank.write "/the/tool" (Some 3) ruled
    let file = parse yaml
    Assert.Empty(SchemaCheck.validate crankSchema.Value file)

    for name in (at "scenarios" file).AsObject() |> Seq.map _.Key do
        let scenario = (at "scenarios" file).AsObject()[name] |> nonNull

        Assert.Equal<string list>(
            [ "upstream"; "application"; "load-1"; "load-2"; "load-3" ],
            [ for job in scenario.AsObject() -> job.Key ]
        )

        for share in 1..3 do
            let job = at $"load-{share}" scenario
            Assert.Equal(("load", string share), (text "job" job, text "variables/share" job))
            // Crank starts the next job when this one runs, and not when it has ended.
            Assert.Equal((if share = 3 then "true" else "false"), text "waitForExit" job)

    for share in 1..3 do
        Assert.Equal(
            $"http://client{share}:5010",
            string (items $"profiles/machines/jobs/load-{share}/endpoints" file |> List.exactlyOne)
        )

    let load = at "jobs/load" file
    // It runs as soon as it is started: it prints nothing that says so.
    Assert.Equal("true", text "isConsoleApp" load)

    Assert.EndsWith(
        " --share {{share}}/3 --start-at {{startAt}} --json load-{{share}}.json --crank",
        text "arguments" load
    )

    Assert.Equal("load-{{share}}.json", string (items "options/downloadFiles" load |> List.exactlyOne))
    // Rules are those of the whole.
    Assert.DoesNotContain("--require", text "arguments" load)
    let head = yaml.Split '\n' |> Array.filter _.StartsWith('#')
    Assert.Contains(Crank.command (Some 3) ruled, head[1])
    Assert.Contains("--profile machines --variable startAt=$(( $(date +%s) + 105 ))", head[1])


    Assert.Equal(
        "# Then: plait merge load-1.json load-2.json load-3.json --json whole.json --require 'p99<200ms' --require 'success>99%'",
        head[2]
    )

[<Fact>]
let ``crank stops a generator when it has ended by itself`` () =
    let script =
        parse (Crank.write "/the/tool" (Some 2) cards) |> at "jobs/load" |> text "stoppingScript"

    // As the agent starts it: the program is the first word.
    let words = script.Split(' ', 2)

    // Its sleep shows that it waits; the tail is that of busybox, which has no --pid.
    use folder = new Built.Folder()
    let waits = folder.File "waits"

    for name, text in [ "sleep", $"touch '{waits}'; exec /bin/sleep 0.05"; "tail", "exit 1" ] do
        let file = folder.File name
        File.WriteAllText(file, $"#!/bin/sh\n{text}\n")
        File.SetUnixFileMode(file, UnixFileMode.UserRead ||| UnixFileMode.UserExecute)

    use generator =
        nonNull (Process.Start(ProcessStartInfo("cat", RedirectStandardInput = true)))

    let info = ProcessStartInfo(words[0], words[1])
    info.Environment["CRANK_PROCESS_ID"] <- string generator.Id
    info.Environment["PATH"] <- folder.Path + ":" + string (Environment.GetEnvironmentVariable "PATH")
    use waiting = nonNull (Process.Start info)
    Within.comes "that it waits, or ends" (fun () -> File.Exists waits || waiting.HasExited)
    Assert.False waiting.HasExited
    generator.StandardInput.Close()
    generator.WaitForExit()
    Assert.True(waiting.WaitForExit Within.limit)
    Assert.Equal(0, waiting.ExitCode)

/// What node prints with these options before the file of the script.
let private node (options: string list) (script: string) : string =
    use folder = new Built.Folder()
    let file = folder.File "script.mjs"
    File.WriteAllText(file, script)

    let info =
        ProcessStartInfo(
            "node",
            options @ [ file ],
            RedirectStandardError = true,
            RedirectStandardOutput = true
        )

    use node = nonNull (Process.Start info)
    let printed = node.StandardOutput.ReadToEnd()
    let said = node.StandardError.ReadToEnd()
    node.WaitForExit()
    Assert.True((node.ExitCode = 0), said)
    printed

let private nodeChecks (script: string) = node [ "--check" ] script |> ignore

[<Fact>]
let ``the script of k6 is right JavaScript with the load of the scenario`` () =
    let script = K6.write cards
    nodeChecks script

    for part in
        [
            "executor: \"constant-arrival-rate\""
            "rate: 500"
            "timeUnit: \"1s\""
            "preAllocatedVUs: 20"
            "http.request(\"POST\", target + \"/cards\""
            "check(response, { \"right\": (r) => [200, 201].includes(r.status) && r.body === \"fine\" });"
            "no random arrivals"
            "const warmUp = __ENV.WARM_UP || \"15s\";"
            "\"cards-warm-up\": {\n      executor: \"constant-arrival-rate\",\n      rate: 500,\n      timeUnit: \"1s\",\n      duration: warmUp,"
            "startTime: warmUp,"
            "\"http_req_duration{scenario:cards}\": [],"
            "maxRedirects: 0,"
        ] do
        Assert.Contains(part, script)

    let closed = K6.write (ScenarioFiles.loaded "closed")
    nodeChecks closed
    Assert.Contains("executor: \"constant-vus\",\n      vus: 20", closed)
    let slow = K6.write (ScenarioFiles.loaded "constant 0.5")
    Assert.Contains("rate: 30,\n      timeUnit: \"1m\"", slow)
    let slower = K6.write (ScenarioFiles.loaded "constant 0.005")
    Assert.Contains("rate: 18,\n      timeUnit: \"1h\"", slower)

[<Fact>]
let ``a ramp is a stage of k6, an option of crank's load job, and refused for vegeta`` () =
    let ramp = ScenarioFiles.loaded "ramp 10:900"
    let script = K6.write ramp
    nodeChecks script
    Assert.Contains("executor: \"ramping-arrival-rate\",\n      startRate: 10,", script)
    Assert.Contains("stages: [{ target: 900, duration: duration }]", script)
    // It is warmed at the rate that it begins with.
    Assert.Contains("rate: 10,\n      timeUnit: \"1s\",\n      duration: warmUp,", script)
    let load = parse (Crank.write "/the/tool" None ramp) |> at "jobs/load"
    Assert.Equal("10:900", text "variables/ramp" load)
    Assert.Contains("--ramp {{ramp}} --max-connections {{connections}}", text "arguments" load)

    Assert.Throws<Plait.Common.BadInput>(fun () -> Vegeta.command ramp "t" |> ignore)
    |> ignore

[<Fact>]
let ``rates that are not whole are whole for k6 in a longer unit`` () =
    let ramp = K6.write (ScenarioFiles.loaded "ramp 0.5:2.5")
    nodeChecks ramp

    Assert.Contains(
        "startRate: 30,\n      timeUnit: \"1m\",\n      stages: [{ target: 150, duration: duration }]",
        ramp
    )

    let steps = K6.write (ScenarioFiles.loaded "steps 0.25,1x90s")
    Assert.Contains("startRate: 15,\n      timeUnit: \"1m\"", steps)
    Assert.Contains("{ target: 60, duration: \"90000ms\" }", steps)
    // A seventh of a request a second: there is no unit for it, and the longest is as good as exact.
    let odd = K6.write (ScenarioFiles.loaded "constant 0.142857142857")
    Assert.Contains("rate: 514286,\n      timeUnit: \"1000h\"", odd)

let private stepped = ScenarioFiles.loaded "steps 100,250x90s"

[<Fact>]
let ``steps are stages of k6, an option of crank's load job, and refused for vegeta`` () =
    let script = K6.write stepped
    nodeChecks script
    Assert.Contains("startRate: 100,", script)
    Assert.DoesNotContain("DURATION ||", script)

    Assert.Contains(
        "stages: [{ target: 100, duration: \"0s\" }, { target: 100, duration: \"90000ms\" }, { target: 250, duration: \"0s\" }, { target: 250, duration: \"90000ms\" }]",
        script
    )

    let load = parse (Crank.write "/the/tool" None stepped) |> at "jobs/load"
    Assert.Equal("100,250x1m30s", text "variables/steps" load)
    let arguments = text "arguments" load
    Assert.Contains("--steps {{steps}} --max-connections {{connections}} --warm-up {{warmup}}s", arguments)
    Assert.DoesNotContain("--duration", arguments)

    let refused =
        Assert.Throws<Plait.Common.BadInput>(fun () -> Vegeta.command stepped "t" |> ignore)

    Assert.Contains("rate changes", refused.Message)

/// What a script prints with k6's modules made up.
let private withoutK6 (script: string) (ask: string) : string =
    script.Replace(
        "import http from \"k6/http\";",
        "const http = { request: (m, u) => { sent.push(u); return { status: 200, body: \"fine\" }; } };"
    )
    |> _.Replace(
        "import { check } from \"k6\";",
        "const sent = []; const check = (r, all) => Object.values(all).every((one) => one(r));"
    )
    |> _.Replace(
        "import { Counter } from \"k6/metrics\";",
        "class Counter { constructor(name) { this.name = name; this.count = 0; } add(count) { this.count += count; } }"
    )
    |> _.Replace("import exec from \"k6/execution\";", "const exec = { scenario: { iterationInTest: 0 } };")
    |> _.Replace("__ENV.", "process.env.")
    |> _.Replace("export default function ()", "function once()")
    |> _.Replace("export const", "const")
    |> fun script -> (node [] (script + ask)).Trim()

let private ruled (rules: string list) (file: ScenarioFile) =
    { file with Rules = rules |> List.map Rule.parse }

[<Fact>]
let ``rules are thresholds of k6, options of crank's load job, and refused for vegeta`` () =
    let rules =
        [ "p99<200ms"; "p99.9<=1.5s"; "max<=2s"; "mean<20500us"; "success>=99.5%"; "rps>950" ]

    let thresholds file =
        withoutK6 (K6.write file) "console.log(JSON.stringify(options.thresholds));"
        |> JsonNode.Parse
        |> nonNull

    let found = thresholds (ruled rules cards)

    let all name =
        (at (name + "{scenario:cards}") found).ToJsonString().Replace("\\u003C", "<").Replace("\\u003E", ">")

    Assert.Equal("""["p(99)<200","p(99.9)<=1500","max<=2000","avg<20.5"]""", all "http_req_duration")
    Assert.Equal("""["rate>=0.995"]""", all "checks")
    // 60 seconds of them; or those of the steps.
    Assert.Equal("""["count>57000"]""", all "right")
    let steps = thresholds (ruled [ "rps>=100" ] { cards with Model = stepped.Model })

    Assert.Equal(
        """["count>=18000"]""",
        (at "right{scenario:cards}" steps).ToJsonString().Replace("\\u003E", ">")
    )

    let counted =
        withoutK6 (K6.write (ruled [ "rps>1" ] cards)) "once(); once(); console.log(right.count);"

    Assert.Equal("2", counted)

    let arguments =
        parse (Crank.write "/the/tool" None (ruled rules cards))
        |> at "jobs/load"
        |> text "arguments"

    Assert.Contains("--require \"p99<200ms\" --require \"p99.9<=1.5s\" --require \"max<=2s\"", arguments)
    Assert.Contains("--require \"success>=99.5%\" --require \"rps>950\"", arguments)

    let refused =
        Assert.Throws<Plait.Common.BadInput>(fun () ->
            Vegeta.write "http://s:1" (ruled [ "p99<200ms" ] cards) |> ignore)

    Assert.Contains("has rules (p99<200ms), and vegeta keeps none", refused.Message)

[<Fact>]
let ``requests that vary are for crank alone`` () =
    let varied =
        { cards with Requests = [ { cards.Requests.Head with Body = "{\"id\":\"{{uuid}}\"}" } ] }

    for tool, write in [ "k6", K6.write; "vegeta", Vegeta.write "http://s:1" ] do
        let refused = Assert.Throws<Plait.Common.BadInput>(fun () -> write varied |> ignore)
        Assert.Contains($"and {tool} would send them as they stand", refused.Message)

    Assert.Contains("{uuid}}", Crank.write "/the/tool" None varied)

[<Fact>]
let ``k6 sends one request of several in turn for each iteration, as the rate counts them`` () =
    let one path : ScenarioRequest =
        { Method = "GET"; Path = path; Headers = []; Body = "" }

    let script = K6.write { cards with Requests = [ one "/a"; one "/b"; one "/c" ] }
    nodeChecks script
    Assert.Contains("requests[exec.scenario.iterationInTest % requests.length]();", script)
    Assert.Equal(1, script.Split("export default").Length - 1)
    // What an iteration runs.
    let ask =
        "\nfor (let i = 0; i < 4; i++) { exec.scenario.iterationInTest = i; once(); }\nconsole.log(sent.map((u) => u.slice(-2)).join(\" \"));\n"

    Assert.Equal("/a /b /c /a", withoutK6 script ask)

[<Fact>]
let ``the targets of vegeta are its own format, or JSON where there are bodies`` () =
    let target = Vegeta.write "http://s:1" cards

    match JsonNode.Parse target with
    | null -> Assert.Fail "there is no target"
    | node ->
        Assert.Equal(("POST", "http://s:1/cards"), (text "method" node, text "url" node))
        Assert.Equal("a \"b\"", Text.Encoding.UTF8.GetString(Convert.FromBase64String(text "body" node)))
        Assert.Equal("text/plain", (nonNull ((at "header/Accept" node)[0])).ToString())

    let plain =
        { cards with
            Requests =
                [
                    { Method = "GET"; Path = "/a"; Headers = [ "X", "1" ]; Body = "" }
                    { Method = "GET"; Path = "/b"; Headers = []; Body = "" }
                ]
        }

    let targets = Vegeta.write "http://s:1" plain
    Assert.Equal("GET http://s:1/a\nX: 1\n\nGET http://s:1/b\n", targets)
    Assert.Contains("-rate=500/1s -max-connections=20", Vegeta.command plain "t")
    Assert.Contains("-rate=0 -max-workers=3", Vegeta.command { plain with Model = Closed 3 } "t")

    for rate, said in [ 0.005, "18/1h"; 0.01, "36/1h"; 1.5, "90/1m" ] do
        Assert.Contains($"-rate={said} ", Vegeta.command { plain with Model = Open(Constant rate, 20) } "t")

    let same =
        { plain with
            Model = Open(Constant 5.0, 20)
            Checks = { plain.Checks with Status = []; Body = None }
        }

    Assert.Empty(Vegeta.notes same)

    let other =
        { same with
            Model = Open(Poisson 5.0, 20)
            Checks = { same.Checks with Status = [ 404 ]; Body = Some "x" }
        }

    Assert.Equal(3, (Vegeta.notes other).Length)

    let settings =
        { plain.Settings with
            HttpWarmUp = { plain.Settings.HttpWarmUp with LimitMilliseconds = 20500 }
        }

    // An attack of the same kind comes first and is thrown away; no redirect is followed, and none is an error.
    let attack seconds =
        $"vegeta attack -targets=t -rate=500/1s -max-connections=20 -redirects=-1 -timeout=2000ms -duration={seconds}s"

    Assert.Equal(
        $"{attack 21} > /dev/null && {attack 60} | vegeta report",
        Vegeta.command { plain with Settings = settings } "t"
    )

    Assert.Equal<string list>(
        [ "http://s:1/a"; "http://s:1/b" ],
        [
            for line in targets.Split '\n' do
                if line.StartsWith "GET " then
                    line.Substring 4
        ]
    )

let private outcome: Outcome =
    let histogram = Histogram()

    for milliseconds in 1L .. 100L do
        histogram.Record(milliseconds * 1_000_000L)

    let plan =
        { Plan.ofRequests [] (Closed 1) with Duration = TimeSpan.FromSeconds 10. }

    { RandomOutcomes.idle plan with
        StartedUtc = DateTime(2026, 11, 21, 5, 0, 0, DateTimeKind.Utc)
        Elapsed = TimeSpan.FromSeconds 10.
        AttackTime = TimeSpan.FromSeconds 10.
        Results = Map [ RequestResult.Right, 100L; RequestResult.TimedOut, 3L ]
        Statuses = Map.empty
        Counts =
            { RunCounts.Zero with
                Connections = 64
                Intended = histogram
                Actual = histogram
                Lag = histogram
            }
    }

[<Fact>]
let ``the statistics of a job are between crank's marks, each with its description`` () =
    let block = CrankStatistics.write outcome
    let lines = block.TrimEnd('\n').Split '\n'
    Assert.Equal(("#StartJobStatistics", "#EndJobStatistics"), (lines[0], lines[lines.Length - 1]))

    let content =
        nonNull (JsonNode.Parse(String.Join("\n", lines[1 .. lines.Length - 2])))

    let items name =
        match at name content with
        | :? JsonArray as items -> [ for item in items -> nonNull item ]
        | other -> failwith $"{other}"

    let measured =
        Map [ for item in items "Measurements" -> text "name" item, (at "value" item).GetValue<float>() ]

    let reduces =
        Map [ for item in items "Metadata" -> text "name" item, text "reduce" item ]

    Assert.Equal<string list>(List.ofSeq measured.Keys, List.ofSeq reduces.Keys)

    Assert.Equal(
        (103.0, 3.0, 10.0),
        (measured["http/requests"], measured["http/requests/badresponses"], measured["http/rps/mean"])
    )

    Assert.InRange(measured["http/latency/99"], 98.9, 99.2)
    Assert.Equal(50.0, measured["plait/busy"])
    // Counts of several generators add up; their percentiles cannot be merged, and the largest is told.
    Assert.Equal(
        ("Sum", "Sum", "Max"),
        (reduces["http/requests"], reduces["http/rps/mean"], reduces["http/latency/99"])
    )

    Assert.All(
        items "Measurements",
        (fun item -> Assert.Equal("2026-11-21T05:00:10.000Z", text "timestamp" item))
    )

    for item in items "Metadata" do
        for name in [ "source"; "aggregate"; "format"; "longDescription"; "shortDescription" ] do
            Assert.NotEqual<string>("", text name item)

[<Fact>]
let ``a job without a right response has no latencies, instead of the best ones`` () =
    let block =
        CrankStatistics.write { outcome with Counts.Intended = Histogram(); Counts.Actual = Histogram() }

    Assert.DoesNotContain("latency/", block)
    Assert.Contains("http/requests/badresponses", block)

[<Fact>]
let ``the verb writes a script for each tool, and prints the command that runs it`` () =
    use folder = new Built.Folder()
    let file = folder.File "cards.json"
    File.WriteAllText(file, ScenarioFiles.full)

    for tool, words in
        [ "crank", "--profile three-machines"; "k6", "k6 run"; "vegeta", "vegeta attack -format=json" ] do
        let out = folder.File tool
        let ended = ToolRun.run [ "lab"; "export"; "--to"; tool; file; "--out"; out ]
        Assert.Equal(0, ended.Code)

        if tool = "vegeta" then
            Assert.StartsWith("note: vegeta sends evenly", ended.Err)
        else
            Assert.Equal("", ended.Err)

        Assert.Contains(words, ended.Out)
        Assert.NotEqual<string>("", File.ReadAllText out)

        // Crank looks for folders beside the file, wherever that is.
        if tool = "crank" then
            let generator =
                parse (File.ReadAllText out) |> at "jobs/load" |> text "sources/plait/localFolder"

            Assert.True(File.Exists(Path.Combine(generator, "plait.dll")), generator)

    ToolRun.run [ "lab"; "export"; "--to"; "jmeter"; file ]
    |> ToolRun.endsBadly 2 [ "--to takes crank, k6, vegeta or kubernetes, not 'jmeter'; write one of them" ]

    for wrong in
        [
            "nonsense"
            "server:5000"
            "ftp://server/"
            "http://server:5000/path"
            "http://server:5000#x"
            ""
        ] do
        for tool in [ []; [ "--to"; "vegeta" ]; [ "--to"; "k6" ] ] do
            ToolRun.run ([ "lab"; "export"; "--target"; wrong; file ] @ tool)
            |> ToolRun.endsBadly
                2
                [
                    $"--target takes the address of a server like http://server:5000, not '{wrong}'"
                    "--to: crank, k6, vegeta or kubernetes"
                ]

    ToolRun.run [ "lab"; "export"; "--to"; "k6"; "--target"; "http://server:5000"; file ]
    |> ToolRun.endsBadly 2 [ "--target goes with --to vegeta"; "TARGET=http://server:5000" ]

    let kubernetes more =
        ToolRun.run ([ "lab"; "export"; "--to"; "kubernetes"; file ] @ more)

    kubernetes [] |> ToolRun.endsBadly 2 [ "--to kubernetes needs --target" ]

    ToolRun.run [ "lab"; "export"; "--to"; "k6"; "--shares"; "3"; file ]
    |> ToolRun.endsBadly 2 [ "--shares goes with --to crank and --to kubernetes" ]

    ToolRun.run [ "lab"; "export"; "--to"; "crank"; "--start-in"; "1m"; file ]
    |> ToolRun.endsBadly 2 [ "--image and --start-in go with --to kubernetes" ]

    let shared =
        ToolRun.run
            [ "lab"; "export"; "--to"; "crank"; "--shares"; "2"; file; "--out"; folder.File "shares.yml" ]

    Assert.Contains("--profile machines --variable startAt=", shared.Out)

    Assert.Equal(
        "false",
        parse (File.ReadAllText(folder.File "shares.yml"))
        |> at "scenarios"
        |> fun all -> text "load-1/waitForExit" (nonNull (Seq.head (all.AsObject())).Value)
    )

    let ended = kubernetes [ "--target"; "http://server:8080"; "--shares"; "3" ]
    Assert.Equal((0, ""), (ended.Code, ended.Err))
    Assert.Equal("3", parse ended.Out |> text "spec/completions")

    // The zone of an address stays: .NET's URL does not have it.
    let ended =
        kubernetes [ "--target"; "http://[fe80::1%25eth0]:8080/"; "--shares"; "3" ]

    Assert.Equal((0, ""), (ended.Code, ended.Err))

    let url =
        (parse ended.Out |> items "spec/template/spec/containers").Head
        |> items "args"
        |> List.map string
        |> List.item 1

    Assert.StartsWith("http://[fe80::1%25eth0]:8080/", url)
    Assert.Equal("fe80::1%eth0", RequestUrl.host (Uri url))
