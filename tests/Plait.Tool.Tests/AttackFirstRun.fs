// The first runs of plait attack on a machine: a server that is not there yet, options of other programs, and the help.
module Plait.Tool.Tests.AttackFirstRun

open System
open System.IO
open System.Net
open System.Net.Sockets
open System.Text.Json
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

let private attack (url: string) (more: string list) =
    [ "attack"; url; "--no-calibration" ] @ more

[<Fact>]
let ``a run in which every request is refused ends after a second`` () =
    for model in [ [ "--rate"; "20" ]; [ "-c"; "2" ] ] do
        let ended =
            ToolRun.run (attack "http://127.0.0.1:1/" (model @ [ "--duration"; "10m" ]))

        ended
        |> ToolRun.endsBadly
            1
            [
                "no server takes connections: 127.0.0.1:1: "
                "ended after a second, and --wait 30s waits for the server"
            ]

        Assert.Contains("refused:", ended.Out)

/// At once, when a request has come, or with a part of the head.
[<Theory;
  Trait("run", "more");
  InlineData("", true);
  InlineData("", false);
  InlineData("request", false);
  InlineData("request, part", false)>]
let ``a run in which every connection ends before the head of a response ends too``
    (after: string, byReset: bool)
    =
    for model in [ [ "--rate"; "50" ]; [ "-c"; "8" ] ] do
        use counting =
            new Counting(fun _ connection ->
                if after.StartsWith "request" then
                    connection.Request() |> ignore

                if after.EndsWith "part" then
                    connection.Send "HTTP/1.1 2"

                if byReset then
                    connection.Reset())

        let ended =
            ToolRun.run (attack $"{counting.Server.Url}/" (model @ [ "--duration"; "10m" ]))

        ended
        |> ToolRun.endsBadly
            1
            [ "the server ended every connection before the head of a response"; "check the port" ]

        // Each of eight rests 10 ms, for five seconds at most.
        Assert.InRange(counting.Server.Connections, 10, 5000)

/// Four connections are served, in six seconds, and the server closes all others at once.
[<Fact; Trait("run", "more")>]
let ``a run in which requests are held goes on although all other connections end`` () =
    let mutable connections = 0

    use counting =
        new Counting(fun counting connection ->
            if Interlocked.Increment &connections <= 4 && connection.Request() then
                Thread.Sleep 6000
                counting.Right(connection, Response.ok body))

    let ended =
        ToolRun.run (attack $"{counting.Server.Url}/" [ "-c"; "10"; "--duration"; "7s"; "--json"; "-" ])

    Assert.DoesNotContain("ended every connection", ended.Err)
    Assert.Equal(4L, counting.Sent)

/// A response that breaks off is an answer.
[<Fact; Trait("run", "more")>]
let ``a run in which every response breaks off goes on`` () =
    use counting =
        new Counting(fun _ connection ->
            connection.Request() |> ignore
            connection.Send((Response.ok body).Substring(0, (Response.ok body).Length - 5)))

    let ended =
        ToolRun.run (attack $"{counting.Server.Url}/" [ "--rate"; "20"; "--duration"; "2s" ])

    ended |> ToolRun.endsBadly 1 [ "not one request of 40 succeeded" ]

[<Fact>]
let ``a server that begins to listen later is waited for`` () =
    let port = Ports.free ()
    let url = $"http://127.0.0.1:{port}/"

    let running =
        ToolRun.start (attack url [ "--wait"; "5m"; "-n"; "10"; "-c"; "1"; "--require"; "success>=100%" ])

    // It has been asked once at least.
    Task.Delay(500).Wait()
    use listener = new TcpListener(IPAddress.Loopback, port)
    listener.Start()

    let serve () =
        while true do
            use client = listener.AcceptTcpClient()
            use reader = new StreamReader(client.GetStream())
            let mutable line = reader.ReadLine()

            while not (isNull line) do
                if line = "" then
                    client.GetStream().Write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"B)

                line <- reader.ReadLine()

    let serving = Task.Run serve
    let ended = running.Wait()
    Assert.True((0 = ended.Code), ended.Err)
    Assert.False serving.IsCompletedSuccessfully

    ToolRun.run (attack "http://127.0.0.1:1/" [ "--wait"; "300ms" ])
    |> ToolRun.endsBadly 1 [ "127.0.0.1:1 takes no connections within the 300ms of --wait" ]

[<Fact>]
let ``a run without rules says how many requests failed`` () =
    // One of twenty is wrong.
    use counting = sometimes 20L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"

    let run more =
        ToolRun.run (attack $"{counting.Server.Url}/" ([ "-n"; "100"; "-c"; "1" ] @ more))

    let ended = run []
    Assert.True((0 = ended.Code), ended.Err)
    Assert.EndsWith("note: 5 of 100 requests failed: the status was 503", ended.Err.TrimEnd())
    Assert.DoesNotContain("requests failed", (run [ "--require"; "success>90%" ]).Err)

[<Fact>]
let ``the generator is idle for the rest of the interval of one request`` () =
    use counting = new Counting(fun _ _ -> ())

    let ended =
        ToolRun.run (attack $"{counting.Server.Url}/" [ "-n"; "1"; "--rate"; "20/m"; "--report"; "json" ])

    use json = JsonDocument.Parse ended.Out
    let outcome = json.RootElement.GetProperty "outcome"
    Assert.Equal(3.0, outcome.GetProperty("elapsedSeconds").GetDouble())
    // The first request of a process takes up to 0.2 s of CPU.
    let busy = outcome.GetProperty("busy").GetDouble()
    Assert.True(busy < 0.3, $"{busy}")

[<Fact>]
let ``options of other programs are named`` () =
    let url = "http://127.0.0.1:1/"

    for arguments, words in
        [
            [ url; "-d"; "10s" ], [ "'-d'"; "--duration"; "--body" ]
            [ "-z"; "10s"; url ], [ "'-z'"; "--duration is the time of the run" ]
            [ url; "--qps"; "5" ], [ "--rate" ]
            // No option of ours that only looks like it.
            [ url; "--for"; "10s" ], [ "'--for'"; "--duration is the time of the run" ]
            [ url; "-k" ], [ "--insecure" ]
            // Those that were taken for the URL, or whose value was.
            [ "--no-tui"; "-n"; "2"; url ], [ "'--no-tui'"; "--report none" ]
            [ "-I"; "-n"; "2" ], [ "'-I'"; "--method HEAD" ]
            [ "--redirect"; "2"; url ], [ "'--redirect'"; "did you mean --redirects" ]
            [ "-t2"; "-c10"; "-d1s"; url ], [ "'-t2'"; "--threads" ]
            [ url; "-d1s" ], [ "'-d1s'"; "--duration" ]
            [ "-targets=t.txt"; "-rate=10" ], [ "'-targets=t.txt'"; "it has two dashes: --targets" ]
            [ "-h2"; url ], [ "'-h2'"; "--http2" ]
            [ "-host"; "example.com"; url ], [ "'-host'"; "--header 'Host: NAME'" ]
            [ "--vus=2"; url ], [ "'--vus=2'"; "--connections" ]
            [ url; "-v" ], [ "--report json" ]
            // The option of ours that looks most like it does something else.
            [ url; "--form"; "a=b" ], [ "--body @FILE" ]
            // The option of ours that looks most like it is its contrary.
            [ url; "--keepalive" ], [ "connections are kept unless --no-keepalive is given" ]
            [ url; "-disable-redirects" ], [ "unless --redirects N is given" ]
            [ url; "--disable-compression" ], [ "Accept-Encoding" ]
            [ url; "http://127.0.0.1:2/" ], [ $"the URL is '{url}' already"; "--targets FILE" ]
        ] do
        ToolRun.run ("attack" :: arguments) |> ToolRun.endsBadly 2 ("'attack' has no " :: words)

[<Fact>]
let ``an unknown option is not taken for a file`` () =
    for arguments, words in
        [
            [ "report"; "--page"; "p.html" ], [ "'report' has no verb or option '--page'" ]
            [ "merge"; "a.json"; "--csv"; "x.csv" ], [ "'merge' has no verb or option '--csv'" ]
            [ "lab"; "export"; "--kubernetes" ], [ "'--kubernetes'"; "it is a value: --to kubernetes" ]
        ] do
        ToolRun.run arguments |> ToolRun.endsBadly 2 words

[<Fact>]
let ``a rate may be in thousands, and a body may come from standard input and go out in chunks`` () =
    use folder = new Built.Folder()
    let bodies = Collections.Concurrent.ConcurrentBag<string>()

    use server =
        new Loopback(fun connection ->
            while connection.Request() do
                // Its body has no length.
                let mutable rest = ""

                while not (rest.EndsWith "0\r\n\r\n") do
                    rest <- rest + connection.Rest()

                bodies.Add(connection.Head + rest)
                connection.Send(Response.ok body))

    let ended =
        ToolRun.runWith
            "from stdin"
            (attack
                $"{server.Url}/"
                [ "--rate"; "0.01k/s"; "-n"; "2"; "--body"; "@-"; "-H"; "Transfer-Encoding: chunked" ])

    Assert.True((0 = ended.Code), ended.Err)
    Assert.Equal(2, bodies.Count)

    for request in bodies do
        Assert.StartsWith("POST / HTTP/1.1\r\n", request)
        Assert.DoesNotContain("Content-Length", request)
        Assert.EndsWith("\r\n\r\na\r\nfrom stdin\r\n0\r\n\r\n", request)

[<Fact>]
let ``the help has examples, and each option once, in groups`` () =
    let ended = ToolRun.run [ "attack"; "--help" ]
    Assert.Equal((0, ""), (ended.Code, ended.Err))
    let lines = ended.Out.Split '\n' |> Array.map _.TrimEnd()
    Assert.All(lines, fun line -> Assert.True(line.Length <= 120, line))
    let examples = lines |> Array.filter _.StartsWith("  plait attack ")
    Assert.Equal(4, examples.Length)
    Assert.All(examples, fun line -> Assert.True(line.Length <= 80, line))

    Assert.Equal<string array>(
        [|
            "When requests are due:"
            "The requests:"
            "Connections:"
            "Right answers:"
            "The generator:"
            "Output:"
        |],
        lines |> Array.filter (fun line -> line.EndsWith ':' && not (line.StartsWith ' '))
    )

    let options =
        lines
        |> Array.filter _.StartsWith("  --")
        |> Array.map (fun line -> line.Trim().Split([| ' '; ',' |])[0])

    Assert.Equal<string array>(Array.distinct options, options)

    for option in [ "--rate"; "--require"; "--share"; "--wait"; "--out"; "--otlp" ] do
        Assert.Contains(option, options)

/// Variables, a URL, and the proxy of the note; "": there is no note.
let private proxies: ((string * string) list * string * string) list =
    let local = "http://127.0.0.1:1/"

    [
        [ "http_proxy", "http://me:hush@proxy:3128" ], local, "proxy:3128"
        [ "HTTP_PROXY", "http://proxy:3128" ], local, "proxy:3128"
        [ "all_proxy", "http://proxy:3128" ], local, "proxy:3128"
        [ "https_proxy", "http://proxy:3128" ], local, ""
        [ "https_proxy", "http://proxy:3128" ], "https://127.0.0.1:1/", "proxy:3128"
        [ "http_proxy", "http://proxy:3128"; "NO_PROXY", "127.0.0.1" ], local, ""
        [ "http_proxy", "http://proxy:3128"; "no_proxy", "example.org, 127.0.0.1" ], local, ""
        [ "http_proxy", "http://proxy:3128"; "no_proxy", "*" ], local, ""
        [ "http_proxy", "http://proxy:3128"; "no_proxy", "127.0.0.0/8" ], local, ""
        [ "http_proxy", "http://proxy:3128"; "no_proxy", "localhost" ], "http://a.localhost:1/", ""
        [ "http_proxy", "http://proxy:3128"; "no_proxy", "27.0.0.1,example.org" ], local, "proxy:3128"
    ]

[<Fact; Trait("run", "more")>]
let ``a note names the proxy of the environment that holds for the URL, and no other`` () =
    for variables, url, proxy in proxies do
        let variables =
            [
                for name in [ "http_proxy"; "https_proxy"; "all_proxy"; "no_proxy" ] do
                    name, ""
                    name.ToUpperInvariant(), ""
                yield! variables
            ]

        let ended =
            ToolRun.runIn
                variables
                [ "attack"; url; "--requests"; "1"; "--timeout"; "1s"; "--no-calibration" ]

        if proxy = "" then
            Assert.DoesNotContain("proxy", ended.Err)
        else
            Assert.Contains($"names the proxy {proxy} for ", ended.Err)
            Assert.DoesNotContain("hush", ended.Err)
