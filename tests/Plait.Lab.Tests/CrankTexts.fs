// Texts in a configuration of crank come out as they were of all that reads them: YAML, Liquid (crank's own engine for it), the
// agent, and the splitting of a command line as .NET does it; and the words of the load job arrive at a server.
module Plait.Lab.Tests.CrankTexts

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Net
open System.Net.Sockets
open System.Text
open System.Threading.Tasks
open FsCheck
open FsCheck.FSharp
open Fluid
open Xunit
open YamlDotNet.Serialization

open Plait.Lab
open Plait.Tests.Support

let private parser = FluidParser()

/// What crank makes of a text: everything with a brace is a template, and one that is none stays as it is.
let private expand (variables: (string * string) list) (text: string) : string =
    let mutable template = Unchecked.defaultof<IFluidTemplate>

    if text.Contains '{' && parser.TryParse(text, &template) then
        let context = TemplateContext()

        for name, value in variables do
            context.SetValue(name, value) |> ignore

        template.Render context
    else
        text

/// How .NET splits the arguments of a process: spaces and tabs outside of quotes part words; a quote begins and ends quotes,
/// a second one behind it inside of them is one quote; backslashes count by halves before a quote, and an odd one makes it a
/// letter.
let private split (line: string) : string list =
    let words = List<string>()
    let mutable at = 0

    let skip (isSkipped: char -> bool) =
        let from = at

        while at < line.Length && isSkipped line[at] do
            at <- at + 1

        at - from

    let isBlank (letter: char) = letter = ' ' || letter = '\t'

    let isQuote index =
        index < line.Length && line[index] = '"'

    skip isBlank |> ignore

    while at < line.Length do
        let word = StringBuilder()
        let mutable quoted = false

        while at < line.Length && (quoted || not (isBlank line[at])) do
            let backslashes = skip (fun letter -> letter = '\\')

            if isQuote at then
                word.Append('\\', backslashes / 2) |> ignore

                if backslashes % 2 = 1 then
                    word.Append '"' |> ignore
                elif quoted && isQuote (at + 1) then
                    word.Append '"' |> ignore
                    at <- at + 1
                else
                    quoted <- not quoted

                at <- at + 1
            elif backslashes > 0 then
                word.Append('\\', backslashes) |> ignore
            else
                word.Append line[at] |> ignore
                at <- at + 1

        words.Add(word.ToString())
        skip isBlank |> ignore

    List.ofSeq words

/// The texts of a mapping in YAML, as crank reads it, by their keys: "jobs/load/arguments".
let private read (yaml: string) : Map<string, string> =
    let rec flat (path: string) (value: objnull) : (string * string) list =
        match value with
        | :? IDictionary<obj, obj> as map ->
            [
                for entry in map do
                    yield! flat (if path = "" then string entry.Key else $"{path}/{entry.Key}") entry.Value
            ]
        | other -> [ path, string other ]

    DeserializerBuilder().Build().Deserialize<obj> yaml |> flat "" |> Map.ofList

/// The words that a process is started with by a job of crank.
let private words variables (arguments: string) : string list =
    // The agent's own placeholder, which is none of Liquid's.
    (expand variables arguments).Replace("{{benchmarks-cli}}", "/the/dotnet") |> split

let private pieces =
    [
        "a"
        "Zz9"
        " "
        "\t"
        "\n"
        "\""
        "\"\""
        "'"
        "\\"
        "\\\\"
        "\\\""
        "{"
        "}"
        "{{"
        "}}"
        "{%"
        "%}"
        "{{-"
        "{{ job }}"
        "{% raw %}"
        "{% endraw %}"
        "{{benchmarks-cli}}"
        "{#"
        "$1"
        "`"
        "é"
        "纬"
        "🧵"
        "\u2028"
        "\u0085"
        "--"
        "="
        ":"
        "#"
        "|"
        "\u0007"
    ]

/// Texts of what YAML, Liquid and command lines trip over.
let private texts: Gen<string> =
    Gen.listOf (Gen.elements pieces) |> Gen.map (List.truncate 12 >> String.concat "")

let private same (expected: string list) (found: string list) =
    if expected <> found then
        failwith $"expected {expected}\nfound    {found}"

    true

[<Fact>]
let ``a command line is split as .NET splits it`` () =
    for line, expected in
        [
            "a  b\tc", [ "a"; "b"; "c" ]
            "\"a b\" c\"d e\"f", [ "a b"; "cd ef" ]
            "\"\" x", [ ""; "x" ]
            "\"a\"\"b\"", [ "a\"b" ]
            @"a\b\\c", [ @"a\b\\c" ]
            "a\\\"b \"c\\\\\" d", [ "a\"b"; "c\\"; "d" ]
        ] do
        Assert.Equal<string list>(expected, split line)

[<Fact>]
let ``the words of a command line survive YAML, Liquid, the agent and .NET`` () =
    let part =
        Gen.frequency [ 4, Gen.map CrankText.Literal texts; 1, Gen.constant (CrankText.Variable "some") ]

    let arguments =
        Gen.listOf (Gen.listOf part |> Gen.map (List.truncate 4)) |> Gen.map (List.truncate 5)

    Laws.forEach 3000 arguments (fun arguments ->
        let expected =
            arguments
            |> List.map (fun parts ->
                parts
                |> List.map (fun part ->
                    match part with
                    | CrankText.Literal text -> text
                    | CrankText.Variable _ -> "value")
                |> String.concat "")

        let yaml =
            Entries [ "arguments", Text(CrankText.commandLine arguments) ]
            |> Yaml.lines ""
            |> String.concat "\n"

        read yaml |> Map.find "arguments" |> words [ "some", "value" ] |> same expected)

let private cards =
    UserScenarioReader.read (Path.Combine(Built.root, "samples", "lab", "x.json")) ScenarioFiles.full

/// The scenario with one request.
let private asking path headers body : ScenarioFile =
    { cards with
        Requests = [ { Method = "PO'ST"; Path = "/" + path; Headers = headers; Body = body } ]
    }

let private argumentsOf (shares: int option) (file: ScenarioFile) : string =
    Crank.write "/the/tool" shares file |> read |> Map.find "jobs/load/arguments"

let private loadArguments (file: ScenarioFile) : string = argumentsOf None file

[<Fact>]
let ``path, headers and body of a scenario reach the generator unchanged`` () =
    let cases = Gen.map3 (fun path header body -> path, header, body) texts texts texts

    Laws.forEach 300 cases (fun (path, header, body) ->
        let body = "x" + body

        let found =
            asking path [ "X-One", header ] body
            |> loadArguments
            |> words [ "serverAddress", "server"; "serverPort", "5000" ]

        let behind option =
            found |> List.skipWhile ((<>) option) |> List.item 1

        same
            [ $"http://server:5000/{path}"; "PO'ST"; $"--header=X-One: {header}"; $"--body={body}" ]
            [
                found[2]
                behind "--method"
                found |> List.find _.StartsWith("--header=")
                found |> List.find _.StartsWith("--body=")
            ])

[<Fact>]
let ``arguments, variables, folders and readiness of a job are texts and no templates`` () =
    let cases = Gen.map3 (fun one two three -> one, two, three) texts texts texts

    Laws.forEach 300 cases (fun (one, two, three) ->
        let program =
            { cards.Candidates.Head with
                Arguments = [ one; "127.0.0.1:{port:upstream}" + two; "" ]
                Variables = [ "NAME", two + "http://localhost:{port:upstream}/" + three ]
                Folder = "/" + three
                Ready = Line("x" + one)
                Command = "/" + two
            }

        let jobs =
            Crank.write "/the/tool" None { cards with Candidates = [ program ]; Factors = [] } |> read

        let variables = [ "upstreamAddress", "up" ]

        let text key =
            expand variables jobs[$"jobs/old/{key}"]

        same [ one; "up:5001" + two; "" ] (words variables jobs["jobs/old/arguments"])
        && same
            [ two + "http://up:5001/" + three; "/" + three; "x" + one; "/" + two ]
            [
                text "environmentVariables/NAME"
                text "sources/old/localFolder"
                text "readyStateText"
                text "executable"
            ])

[<Fact>]
let ``a scenario that does not fit a command line is refused`` () =
    for request, words in
        [ asking "" [] "a\000b", "zero character"; asking "" [] "@file", "begins with an @" ] do
        let refused =
            Assert.Throws<Plait.Common.BadInput>(fun () -> Crank.write "/the/tool" None request |> ignore)

        Assert.Contains(words, refused.Message)

[<Fact>]
let ``a title with any characters is a comment`` () =
    let titled = { cards with Title = "one\ntwo: 2\u2028const x = {" }
    let yaml = Crank.write "/the/tool" None titled
    Assert.StartsWith("# one two: 2 const x = {, for crank.", yaml)

    Assert.Equal<string list>(
        [ "jobs"; "profiles"; "scenarios" ],
        [ for KeyValue(key, _) in read yaml -> (key.Split '/')[0] ] |> List.distinct
    )

    Assert.StartsWith("// one two: 2 const x = {, for k6.", K6.write titled)

/// The first request that comes to the listener, whole, and answered.
let private firstRequest (listener: TcpListener) =
    Task.Run(fun () ->
        use socket = listener.AcceptSocket()
        let buffer = Array.zeroCreate<byte> 65536
        let received = List<byte>()

        let rec whole () =
            let count = socket.Receive buffer
            received.AddRange(buffer.AsSpan(0, count).ToArray())
            let text = Encoding.UTF8.GetString(received.ToArray())
            let finish = text.IndexOf("\r\n\r\n", StringComparison.Ordinal)

            let length =
                text.Split "\r\n"
                |> Array.tryFind _.StartsWith("Content-Length: ")
                |> Option.map (fun line -> int (line.Substring 16))
                |> Option.defaultValue 0

            if count = 0 then text
            elif finish < 0 then whole ()
            elif Encoding.UTF8.GetByteCount(text.Substring(finish + 4)) < length then whole ()
            else text

        let text = whole ()
        socket.Send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"B) |> ignore
        text)

[<Fact; Trait("run", "more")>]
let ``a job of crank sends the bytes of the scenario`` () =
    let path = "a?b=\"{{c}}\"&d=\\%20{%e%}"
    let headers = [ "X-Quote", "say \"hi\" \\"; "X-Brace", "{{a}}{% b %}" ]

    for body in
        [
            "a \"b\" \\ {{serverAddress}} {% raw %} c\\\\\" {{benchmarks-cli}} \\"
            "--rate=5/s"
            "{\"a\":{\"b\":{\"c\":\"{{d}}\"}}}"
            " é🧵\n\t'"
        ] do
        use folder = new Built.Folder()
        use listener = new TcpListener(IPAddress.Loopback, 0)
        listener.Start()
        let request = firstRequest listener
        let port = (listener.LocalEndpoint :?> IPEndPoint).Port

        let variables =
            [
                "serverAddress", "127.0.0.1"
                "serverPort", string port
                "connections", "1"
                "rate", "1"
                "warmup", "0"
                "duration", "1"
            ]

        let arguments = asking path headers body |> loadArguments |> expand variables

        Assert.StartsWith("plait.dll ", arguments)

        let info =
            ProcessStartInfo(
                CandidateProcess.Host,
                $"\"{Built.tool ()}\" {arguments.Substring 10} --no-calibration",
                WorkingDirectory = folder.File "",
                RedirectStandardOutput = true,
                RedirectStandardError = true
            )

        use generator = nonNull (Process.Start info)
        let out = generator.StandardOutput.ReadToEndAsync()
        let err = generator.StandardError.ReadToEndAsync() |> Within.result "the generator"
        Assert.True(generator.WaitForExit Within.limit, err)
        Assert.Contains("#EndJobStatistics", Within.result "the statistics" out)
        let text = Within.result "the request" request
        Assert.StartsWith("PO'ST /a?b=%22%7B%7Bc%7D%7D%22&d=%5C%20%7B%e%%7D HTTP/1.1\r\n", text)

        for name, value in headers do
            Assert.Contains($"\r\n{name}: {value}\r\n", text)

        Assert.EndsWith($"\r\n\r\n{body}", text)

[<Fact; Trait("run", "more")>]
let ``the jobs of two shares load a server as one, and their files merge`` () =
    use folder = new Built.Folder()
    use server = LoadServer.sometimes Int64.MaxValue ""

    let file =
        { asking "" [] "" with
            Model = Plait.Load.Open(Plait.Load.Constant 200.0, 20)
            Checks = { cards.Checks with Status = [ 200 ]; Body = None }
        }

    let start = DateTimeOffset.UtcNow.AddSeconds(15.).ToUnixTimeSeconds()

    let jobs =
        [
            for share in 1..2 ->
                let words =
                    words
                        [
                            "serverAddress", "127.0.0.1"
                            "serverPort", string server.Server.Address.Port
                            "connections", "20"
                            "rate", "200"
                            "warmup", "0"
                            "duration", "1"
                            "share", string share
                            "startAt", string start
                        ]
                        (argumentsOf (Some 2) file)

                let info =
                    ProcessStartInfo(
                        CandidateProcess.Host,
                        Built.tool () :: words.Tail @ [ "--no-calibration" ],
                        WorkingDirectory = folder.Path,
                        RedirectStandardOutput = true
                    )

                nonNull (Process.Start info)
        ]

    for job in jobs do
        Assert.Contains("#EndJobStatistics", job.StandardOutput.ReadToEnd())
        Assert.True(job.WaitForExit Within.limit)
        job.Dispose()

    let merged =
        ToolRun.run
            [
                "merge"
                folder.File "load-1.json"
                folder.File "load-2.json"
                "--json"
                folder.File "whole.json"
            ]

    let whole =
        (Plait.Load.OutcomeJson.read "whole" (File.ReadAllText(folder.File "whole.json"))).Outcome

    Assert.Equal((200L, server.Sent), (whole.Requests, whole.Right))
    Assert.DoesNotContain("shares are missing", merged.Out)
