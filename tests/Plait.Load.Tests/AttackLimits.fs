// What the generator itself has not enough of: connections, local ports, files. It is named as the generator's own.
module Plait.Load.Tests.AttackLimits

open System
open System.Diagnostics
open System.Net.Sockets
open System.Text.RegularExpressions
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

/// A server that answers each request so late.
let private answeringAfter (milliseconds: int) =
    new Counting(fun counting connection ->
        while connection.Request() do
            Thread.Sleep milliseconds
            counting.Right(connection, Response.ok body))

[<Fact>]
let ``connections grow with the requests in flight`` () =
    use counting = answeringAfter 300
    // Ninety are in flight.
    let outcome =
        plan $"{counting.Server.Url}/" (Open(Constant 300.0, 5000)) 1000 |> attack

    wholly 300L 300L outcome
    Assert.InRange(outcome.Counts.Connections, 80, 300)
    Assert.Equal(0L, outcome.Counts.Waited.Count)
    Assert.Equal(300L, outcome.Counts.Intended.Count)

[<Fact>]
let ``the default number of connections is enough for a server that answers nothing`` () =
    use counting =
        new Counting(fun _ connection ->
            while connection.Request() do
                ())

    let timeout = TimeSpan.FromSeconds 1.
    let connections, bound = MachineLimits.connections 100.0 timeout
    Assert.True bound.IsNone

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 100.0, connections)) 1500 with
            Timeout = timeout
        }
        |> attack

    Assert.Equal(150L, count RequestResult.TimedOut outcome)
    Assert.Equal(0L, outcome.Counts.Waited.Count)

[<Fact>]
let ``a run whose connections ran out is invalid, and latencies have the waits of requests`` () =
    use counting = answeringAfter 100
    // Forty can be answered a second, two hundred are due.
    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 200.0, 4)) 1000 with
            Connecting = { ConnectionOptions.Default with Grows = false }
        }
        |> attack

    Assert.Equal(200L, outcome.Requests)
    Assert.True(count RequestResult.Unsent outcome > 100L)
    // Those that waited, also those that were never sent.
    Assert.InRange(outcome.Counts.Waited.Count, count RequestResult.Unsent outcome, 200L)
    Assert.Equal(outcome.Right, outcome.Counts.Intended.Count)
    Assert.True(outcome.Counts.Intended.Percentile 50.0 > outcome.Counts.Actual.Percentile 50.0)
    Assert.Contains("connections ran out", outcome.Invalid |> List.head)
    Assert.Contains("raise --connections", outcome.Invalid |> List.head)

/// What a shell says, and its exit code; None: this machine does not let it.
let private shell (script: string) : (int * string) option =
    let info =
        ProcessStartInfo(
            "bash",
            [ "-c"; script ],
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    use child = nonNull (Process.Start info)
    let errors = child.StandardError.ReadToEndAsync()
    let output = child.StandardOutput.ReadToEnd()
    let text = output + errors.GetAwaiter().GetResult()
    child.WaitForExit()
    if child.ExitCode = 77 then None else Some(child.ExitCode, text)

[<Fact>]
let ``files that ran out are named as the generator's own limit`` () =
    use counting = answeringAfter 400

    let script =
        $"ulimit -n 120; exec {Built.dotnet} {Built.tool ()} attack {counting.Server.Url}/ --rate 400 --duration 1s --max-connections 300 --no-calibration"

    match shell script with
    | None -> Assert.Fail "bash ended with 77."
    | Some(code, text) ->
        Assert.Equal(1, code)
        Assert.Contains("no descriptor", text)
        Assert.Contains("INVALID: ", text)
        Assert.Contains("could not open a file for their connection: this process's limit", text)
        Assert.DoesNotContain("refused", text)

[<Fact>]
let ``a process that may open too few files ends with that reason`` () =
    let plait (arguments: string) =
        match shell $"ulimit -n 100; exec {Built.dotnet} {Built.tool ()} {arguments}" with
        | None -> failwith "bash ended with 77."
        | Some result -> result

    let code, text = plait "attack http://127.0.0.1:9/"
    Assert.Equal(2, code)

    Assert.Contains(
        "may open 100 files, and needs 120 at least; raise the limit, as by 'ulimit -n 1024'",
        text
    )

    Assert.Equal(0, fst (plait "attack --help"))
    Assert.Equal(0, fst (plait "--version"))

[<Theory; Trait("run", "more"); InlineData false; InlineData true>]
let ``the null server goes on after it had no file left for a connection`` (isTls: bool) =
    let option = if isTls then " --tls" else ""

    let info =
        ProcessStartInfo(
            "bash",
            [ "-c"; $"ulimit -n 150; exec {Built.dotnet} {Built.tool ()} null-server{option}" ],
            RedirectStandardInput = true,
            RedirectStandardOutput = true
        )

    use child = nonNull (Process.Start info)

    // The last number of its next line; -1: it has ended.
    let number () =
        match Within.result "a line of the null server" (child.StandardOutput.ReadLineAsync()) with
        | null -> -1
        | line -> int (Regex.Match(line, @"(\d+)}").Groups[1].Value)

    let port = number ()
    let idle = [ for _ in 1..200 -> new TcpClient("127.0.0.1", port) ]

    // As many as it has files for.
    Within.comes "connections of the null server" (fun () ->
        child.StandardInput.WriteLine()
        let count = number ()
        Assert.NotEqual(-1, count)
        count >= 5)

    for client in idle do
        client.Dispose()

    let scheme = if isTls then "https" else "http"

    let outcome =
        { requests $"{scheme}://127.0.0.1:{port}/" (Closed 1) 10L with ExpectBody = None }
        |> connecting (fun usual -> { usual with Insecure = true })
        |> attack

    Assert.Equal(10L, outcome.Right)
    child.StandardInput.Close()
    Assert.True(child.WaitForExit Within.limit)
    Assert.Equal(0, child.ExitCode)

[<Fact>]
let ``the limit of open files caps the connections by default, and a run that needs more names that limit``
    ()
    =
    use counting = answeringAfter 1000

    let script =
        $"ulimit -n 220; exec {Built.dotnet} {Built.tool ()} attack {counting.Server.Url}/ --rate 400 --duration 1s --no-calibration"

    match shell script with
    | None -> Assert.Fail "bash ended with 77."
    | Some(code, text) ->
        Assert.Equal(1, code)
        let allowed = Regex.Match(text, @"\[open, allowed, made\] +(\d+), (\d+)")
        Assert.Equal(allowed.Groups[2].Value, allowed.Groups[1].Value)
        Assert.InRange(int allowed.Groups[2].Value, 40, 140)
        Assert.DoesNotContain("no descriptor", text)
        let text = Regex.Replace(text, @"\s+", " ")
        Assert.Contains("because this process may have 220 files open (ulimit -n); raise that", text)
        Assert.DoesNotContain("raise --max-connections", text)

/// Runs a script in a network of its own with sixty ports, where a null server serves and `$attack` attacks it, and gives its
/// code and what it said.
let private withSixtyPorts (script: string) : int * string =
    let tool = $"{Built.dotnet} {Built.tool ()}"

    let around =
        $$"""
        unshare -rn true 2>/dev/null || exit 77
        unshare -rn bash -c '
          ip link set lo up || exit 77
          echo "3000 3059" > /proc/sys/net/ipv4/ip_local_port_range || exit 77
          coproc NULL { {{tool}} null-server; }
          read -r ready <&${NULL[0]}
          port=$(sed "s/.*port\":\([0-9]*\).*/\1/" <<<"$ready")
          attack="{{tool}} attack http://127.0.0.1:$port/"
          {{script}}
        '
        """

    let said = shell around
    Assert.SkipWhen(said.IsNone, "this machine gives no network of one's own (unshare, ip)")
    said.Value

[<Fact; Trait("run", "more")>]
let ``few local ports do not count as a low capacity`` () =
    let code, text =
        withSixtyPorts
            """
          $attack --rate 50/s --duration 1s
          $attack --rate 200/s --duration 1s --no-keepalive
          exit $?
            """

    Assert.Equal(1, code)
    Assert.DoesNotContain("more than half", text)
    // The first may have as many connections as there are ports, but for those of others.
    Assert.Matches(@"\[open, allowed, made\] +\d+, 57", text)
    Assert.Contains("right:50", text)
    Assert.Contains("this machine has only 60 local ports", text)
    Assert.Contains("found no local port for their connection: this machine's limit", text)

[<Fact>]
let ``local ports that ran out are named as the generator's own limit, and do not break the null server`` () =
    let code, text =
        withSixtyPorts
            """
          $attack --connections 100 --duration 1s --no-calibration
          code=$?
          $attack --rate 200 --duration 1s --no-keepalive 2>&1 | grep -v "^\["
          exit $code
            """

    Assert.Equal(1, code)
    Assert.Contains("no local port", text)
    Assert.Contains("found no local port for their connection: this machine's limit", text)
    Assert.DoesNotContain("refused", text)
    Assert.DoesNotContain("Unhandled", text)
    Assert.DoesNotContain("Exception", text)
