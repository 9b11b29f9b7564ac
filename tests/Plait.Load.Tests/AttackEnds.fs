// What the figures of a load run say where little happens: no response at the end, none at all, connections that are given
// up while requests wait for them, more connections than this machine has files for.
module Plait.Load.Tests.AttackEnds

open System
open System.Text
open System.Threading
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

[<Fact>]
let ``the rate counts the time in which requests were due, also if the last response came before its end``
    ()
    =
    use counting = sometimes Int64.MaxValue ""
    // The only request is due at the start.
    let outcome = plan $"{counting.Server.Url}/" (Open(Constant 1.0, 1)) 500 |> attack
    Assert.Equal(1L, outcome.Right)
    Assert.True(outcome.Elapsed >= outcome.Plan.Duration, $"it took {outcome.Elapsed}")
    Assert.True(outcome.RightPerSecond <= 2.0, $"{outcome.RightPerSecond} a second")
    Assert.True(outcome.RatePerSecond <= 2.0, $"{outcome.RatePerSecond} a second")

[<Fact>]
let ``a run that is stopped has the rate of the time until then`` () =
    use counting = sometimes Int64.MaxValue ""
    use stop = new CancellationTokenSource()

    let plan =
        { plan $"{counting.Server.Url}/" (Open(Constant 0.1, 1)) 60_000 with
            WarmUp = TimeSpan.Zero
        }

    let run () =
        Attack.run
            plan
            (fun second ->
                if second.At = 0 then
                    stop.Cancel())
            stop.Token

    let outcome = Tasks.Task.Run run |> Within.result "the load run"
    Assert.Equal((true, 1L), (outcome.Stopped, outcome.Right))
    Assert.True(outcome.Elapsed >= TimeSpan.FromSeconds 1., $"it took {outcome.Elapsed}")

[<Fact>]
let ``requests that were due before a stop are sent, and connections did not run out`` () =
    use stop = new CancellationTokenSource()

    let plan =
        { plan "http://127.0.0.1:1/" (Open(Constant 5000.0, 20_000)) 60_000 with
            WarmUp = TimeSpan.Zero
        }

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan (fun _ -> stop.Cancel()) stop.Token)
        |> Within.result "the load run"

    Assert.True(outcome.Requests >= 5000L, $"{outcome.Requests} requests were due in a second")
    Assert.Equal(outcome.Requests, count RequestResult.Refused outcome)
    Assert.DoesNotContain(outcome.Invalid, _.Contains("connections ran out"))

[<Theory; InlineData true; InlineData false>]
let ``a connection that the server resets at once is counted as made`` (isOpen: bool) =
    use counting = new Counting(fun _ connection -> connection.Reset())
    let model = if isOpen then Open(Constant 500.0, 50) else Closed 8
    let outcome = requests $"{counting.Server.Url}/" model 200L |> attack
    Assert.Equal(200L, count RequestResult.Reset outcome)
    Assert.Equal(int64 counting.Server.Connections, outcome.Counts.Connects.Count)

[<Fact>]
let ``connections that are open at the end without a request are counted as made`` () =
    for _ in 1..6 do
        use counting =
            new Counting(fun counting connection ->
                while connection.Request() do
                    Thread.Sleep 3
                    counting.Right(connection, Response.ok body))

        let outcome =
            requests $"{counting.Server.Url}/" (Open(Constant 1000.0, 100)) 60L |> attack

        Assert.Equal(60L, outcome.Right)

        Within.comes "the server has accepted all of them" (fun () ->
            int64 counting.Server.Connections >= outcome.Counts.Connects.Count)

        Assert.Equal(int64 counting.Server.Connections, outcome.Counts.Connects.Count)

[<Theory; InlineData true; InlineData false>]
let ``a run without an end in time makes its number of requests after the warm-up`` (isOpen: bool) =
    use counting = sometimes Int64.MaxValue ""

    let outcome =
        { requests $"{counting.Server.Url}/" (if isOpen then Open(Constant 200.0, 4) else Closed 2) 100L with
            Duration = Plan.endless
            // long enough for one request where other processes have the cores
            WarmUp = TimeSpan.FromSeconds 1.
        }
        |> attack

    wholly 100L 100L outcome
    Assert.True(counting.Sent > 100L)

[<Fact>]
let ``a waiting request is sent as soon as the one before it is given up`` () =
    use hanging =
        new Counting(fun _ connection ->
            while connection.Request() do
                ())

    // One connection, given up every 300 ms, while a hundred requests a second wait for it.
    let outcome =
        { plan $"{hanging.Server.Url}/" (Open(Constant 100.0, 1)) 1500 with
            Timeout = TimeSpan.FromMilliseconds 300.
        }
        |> attack

    Assert.True(count RequestResult.TimedOut outcome >= 3L)
    // Half of them, so that a machine that stands still now and then does not matter.
    let late = outcome.Counts.GeneratorLag.Percentile 50.0
    Assert.True(late < 10_000_000L, $"half were {late} ns late")

[<Fact>]
let ``bytes that were never sent are not counted`` () =
    let refused = requests "http://127.0.0.1:1/" (Open(Constant 50.0, 4)) 10L |> attack
    Assert.Equal(10L, count RequestResult.Refused refused)
    Assert.Equal(0L, refused.Counts.BytesOut)

    use counting = sometimes Int64.MaxValue ""
    let outcome = requests $"{counting.Server.Url}/" (Closed 2) 20L |> attack
    let one = Resolve.bytes true (get $"{counting.Server.Url}/") |> _.LongLength
    Assert.Equal((20L, 20L * one), (outcome.Requests, outcome.Counts.BytesOut))

[<Fact>]
let ``a name and a password in the URL are sent`` () =
    let head (url: string) headers =
        Resolve.bytes true { get url with Headers = headers } |> Encoding.UTF8.GetString

    let expected = Convert.ToBase64String "ann:p@ss"B
    Assert.Contains($"\r\nAuthorization: Basic {expected}\r\n", head "http://ann:p%40ss@h/" [])
    // A name alone has an empty password, and a colon that is written as %3A is part of the name (RFC 7617).
    for url, secret in [ "http://ann@h/", "ann:"; "http://an%3An@h/", "an:n:"; "http://:pw@h/", ":pw" ] do
        let expected = Convert.ToBase64String(Encoding.UTF8.GetBytes secret)
        Assert.Contains($"\r\nAuthorization: Basic {expected}\r\n", head url [])

    Assert.DoesNotContain("Basic", head "http://ann:b@h/" [ "authorization", "Bearer x" ])
    Assert.DoesNotContain("Authorization", head "http://h/" [])

[<Fact>]
let ``the zone of an IPv6 address is looked up, and not sent`` () =
    // The zone of a URL stands behind %25 (RFC 6874), and names an interface or its number.
    let interfaces =
        System.Net.NetworkInformation.NetworkInterface.GetAllNetworkInterfaces()

    let loopback =
        interfaces
        |> Array.find (fun one ->
            one.NetworkInterfaceType = System.Net.NetworkInformation.NetworkInterfaceType.Loopback)

    for zone in [ loopback.Name; string (loopback.GetIPProperties().GetIPv6Properties().Index) ] do
        let url = Uri $"http://[fe80::1%%25{zone}]:81/"
        let place = Resolve.address url
        Assert.Equal(int64 (loopback.GetIPProperties().GetIPv6Properties().Index), place.Address.ScopeId)
        Assert.Equal(81, place.Port)

        let head =
            Resolve.bytes true (get (string url.OriginalString)) |> Encoding.UTF8.GetString

        Assert.Contains("\r\nHost: [fe80::1]:81\r\n", head)

        let to' =
            { ConnectionOptions.Default with ConnectTo = Some $"[fe80::1%%25{zone}]:82" }

        let there =
            (Resolve.destination to' (Uri "http://h/")).EndPoint :?> System.Net.IPEndPoint

        Assert.Equal((place.Address, 82), (there.Address, there.Port))

[<Theory; InlineData ""; InlineData "%25no-such-interface">]
let ``a link-local address without an interface is refused, with the interfaces`` (zone: string) =
    let refused =
        Assert.Throws<BadInput>(fun () ->
            Resolve.destination ConnectionOptions.Default (Uri $"http://[fe80::1{zone}]/") |> ignore)

    let first =
        System.Net.NetworkInformation.NetworkInterface.GetAllNetworkInterfaces()[0]

    Assert.Contains("is a link-local address, which needs a zone", refused.Message)
    Assert.Contains(first.Name, refused.Message)

[<Fact>]
let ``the mean is between the shortest and the longest`` () =
    use counting = sometimes Int64.MaxValue ""
    let outcome = requests $"{counting.Server.Url}/" (Closed 1) 1L |> attack
    let histogram = Histogram()
    histogram.Record 13_623_457L

    let line =
        AttackText.write 120 { outcome with Counts.Intended = histogram }
        |> _.Split('\n')
        |> Array.find _.StartsWith("Latencies ")

    Assert.Contains("13.623ms, 13.623ms, 13.623ms", line)

[<Fact>]
let ``without right answers there are no figures, instead of zeros`` () =
    let outcome = requests "http://127.0.0.1:1/" (Open(Constant 50.0, 4)) 5L |> attack

    let table =
        RunComparison.table (Latencies.ofOutcome "run" outcome) |> String.concat "\n"

    Assert.Matches(@"(?m)^run +from send +0$", table)
