// Several generators that load one server together: what each of them sends, and their runs as one.
module Plait.Load.Tests.Shares

open System
open System.Collections.Concurrent
open System.IO
open Xunit

open Plait.Common
open Plait.Http2
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private shared (count: int) (plan: Plan) : Plan list =
    [ for index in 0 .. count - 1 -> { plan with Share = { Index = index; Of = count } } ]

let private intended (outcome: Outcome) =
    outcome.Samples |> Array.map (fun sample -> sample.Intended) |> Array.sort |> List.ofArray

let private refusal (action: unit -> 'T) : string =
    Assert.Throws<BadInput>(Action(action >> ignore)).Message

[<Theory; InlineData(1, 3); InlineData(2, 2)>]
let ``shares divide the requests of one schedule, each once`` (threads: int, count: int) =
    use counting = sometimes Int64.MaxValue ""

    for arrivals in
        [
            Constant 200.0
            Poisson 200.0
            Ramp(50.0, 350.0)
            Steps([ 100.0; 300.0 ], TimeSpan.FromMilliseconds 150.)
        ] do
        let plan =
            { plan $"{counting.Server.Url}/" (Open(arrivals, 60)) 300 with Threads = threads }

        let whole = attack plan
        let parts = shared count plan |> List.map attack
        Assert.Equal<int64 list>(intended whole, parts |> List.collect intended |> List.sort)
        Assert.All(parts, fun part -> Assert.InRange(part.Requests, 10L, whole.Requests / 2L + 2L))
        Assert.All(parts, fun part -> Assert.Equal(60 / count, part.MaxConnections))

        for step in whole.Steps do
            let same =
                parts |> List.map (fun part -> part.Steps[List.findIndex ((=) step) whole.Steps])

            Assert.Equal(step.Due, same |> List.sumBy _.Due)
            Assert.Equal(step.PerSecond, same |> List.sumBy _.PerSecond, 6)

[<Theory; InlineData 1; InlineData 2>]
let ``shares divide the rows of the data and the numbers of requests, each once`` (threads: int) =
    let seen = ConcurrentBag<string>()

    use server =
        new Loopback(fun connection ->
            while connection.Request() do
                seen.Add(connection.Head.Split(' ')[1])
                connection.Send(Response.ok body))

    use folder = new Built.Folder()
    let rows = folder.File "rows.csv"
    File.WriteAllText(rows, "id\n" + String.concat "\n" [ for row in 0..16 -> string row ] + "\n")

    let plan =
        { plan $"{server.Url}/{{{{id}}}}/{{{{seq}}}}" (Closed 12) 60_000 with
            Duration = Plan.endless
            Data = Some { File = rows; Order = Once }
            Threads = threads
        }

    let requests = shared 3 plan |> List.map (attack >> _.Requests)
    Assert.Equal<int64 list>([ 6L; 6L; 5L ], requests)

    Assert.Equal<string list>(
        [ for row in 0..16 -> $"/{row}/{row}" ] |> List.sort,
        List.ofSeq seen |> List.sort
    )

[<Theory; InlineData(1, 3); InlineData(2, 2); InlineData(3, 1)>]
let ``a number of requests after a warm-up leaves no number out, over threads and shares``
    (threads: int, count: int)
    =
    for arrivals in [ Constant 200.0; Poisson 200.0 ] do
        let seen = ConcurrentBag<int>()

        use server =
            new Loopback(fun connection ->
                while connection.Request() do
                    let path = connection.Head.Split(' ')[1]
                    seen.Add(int (path.Substring 1))
                    connection.Send(Response.ok body))

        // 25 requests come before the 17 that count.
        let plan =
            { plan $"{server.Url}/{{{{seq}}}}" (Open(arrivals, 60)) 60_000 with
                MaxRequests = Some 17L
                WarmUp = TimeSpan.FromMilliseconds 125.
                Threads = threads
            }

        let outcomes = shared count plan |> List.map attack
        Assert.Equal(17L, outcomes |> List.sumBy _.Requests)
        Assert.Equal<int list>([ 0 .. seen.Count - 1 ], List.ofSeq seen |> List.sort)

        if arrivals = Constant 200.0 then
            Assert.Equal(25 + 17, seen.Count)

[<Fact>]
let ``an empty share is refused`` () =
    let plan = plan "http://h/" (Closed 4) 100

    let of' index count plan =
        { plan with Share = { Index = index; Of = count } }

    PlanCheck.check (plan |> of' 3 4)

    Assert.Contains(
        "share 5 of 5 would have no connection",
        refusal (fun () -> PlanCheck.check (plan |> of' 4 5))
    )

    Assert.Contains(
        "share 3 of 4 would have no request",
        refusal (fun () -> PlanCheck.check ({ plan with MaxRequests = Some 2L } |> of' 2 4))
    )

    use folder = new Built.Folder()
    let rows = folder.File "rows.csv"
    File.WriteAllText(rows, "id\n1\n2\n")

    let ofData =
        { plan with
            Requests = [ get "http://127.0.0.1/{{id}}" ]
            Data = Some { File = rows; Order = Once }
        }

    Attack.find (ofData |> of' 1 4)

    Assert.Contains(
        "share 3 of 4 would have no request, because the data has 2 rows",
        refusal (fun () -> Attack.find (ofData |> of' 2 4))
    )

    Assert.Contains(
        "2 threads cannot share 1 connections",
        refusal (fun () -> PlanCheck.check ({ plan with Threads = 2 } |> of' 1 4))
    )

[<Theory; InlineData 1; InlineData 2>]
let ``the counted part begins at its time, after the warm-up`` (threads: int) =
    use counting = sometimes Int64.MaxValue ""
    let warmUp = TimeSpan.FromSeconds 2.
    let time = DateTime.UtcNow + TimeSpan.FromSeconds 3.

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 50.0, 8)) 200 with
            StartAt = Some time
            WarmUp = warmUp
            Threads = threads
        }
        |> attack

    Assert.Equal(10L, outcome.Requests)
    // A busy machine may begin late; by the length of the warm-up it would be the other end of it.
    Assert.InRange(outcome.StartedUtc, time - warmUp / 2., time + warmUp / 2.)

// Runs as one.

let private named (outcomes: Outcome list) : (string * Recording) list =
    outcomes
    |> List.mapi (fun at outcome ->
        $"m{at + 1}", { RandomOutcomes.plain "run" 1 with Name = "run"; Warnings = []; Outcome = outcome })

let private whole (rules: string list) (runs: (string * Recording) list) : Recording =
    match WholeRun.ofRuns (rules |> List.map Rule.parse) "plait merge" runs with
    | Ok recording -> recording
    | Error why -> failwith why

/// A share of 300/s whose requests took 1 to `count` ms.
let private part (index: int) (count: int) : Outcome =
    let outcome = (RandomOutcomes.plain "run" count).Outcome

    { outcome with
        Plan = { outcome.Plan with Model = Open(Constant 300.0, 30); Share = { Index = index; Of = 3 } }
    }

let private parts = [ part 0 100; part 1 50; part 2 30 ]

[<Fact>]
let ``the shares of a load are one run of it, with the percentiles of all requests`` () =
    let recording = whole [] (named parts)
    let outcome = recording.Outcome
    Assert.Equal<string list>([], outcome.Invalid)

    Assert.Equal(
        { parts.Head.Plan with Share = Share.Whole; Threads = 3 * parts.Head.Plan.Threads },
        outcome.Plan
    )

    Assert.Equal((180L, 180L), (outcome.Requests, outcome.Right))

    for read in [ (fun (counts: RunCounts) -> counts.Intended); _.Actual; _.GeneratorLag; _.Connects ] do
        let sum = parts |> List.map (fun part -> read part.Counts) |> Histogram.Sum
        Assert.Equal(RandomHistograms.content sum, RandomHistograms.content (read outcome.Counts))

    Assert.Equal(180L, outcome.Seconds |> List.sumBy _.Right)
    Assert.Equal(180, outcome.Samples.Length)
    // It is a run like others.
    let again = OutcomeJson.read "x" (OutcomeJson.write recording)
    Assert.Equal(outcome.Requests, again.Outcome.Requests)
    Assert.Equal<string list>(outcome.Invalid, again.Outcome.Invalid)

[<Fact>]
let ``whole runs with other options are added, and a note names the options`` () =
    let one = (RandomOutcomes.plain "run" 10).Outcome

    let merged (change: Plan -> Plan) =
        let other = { one with Plan = change one.Plan }
        let recording = whole [] (named [ one; other ])
        Assert.Equal<string list>([], recording.Outcome.Invalid)
        Assert.Equal(20L, recording.Outcome.Requests)
        recording.Warnings |> List.filter _.Contains("differ in")

    Assert.Equal<string list>(
        [ "m1 and m2 differ in --timeout, --no-keepalive; the whole has the requests of both" ],
        merged (fun plan ->
            { plan with
                Timeout = plan.Timeout + TimeSpan.FromSeconds 1.
                Connecting = { plan.Connecting with KeepsAlive = not plan.Connecting.KeepsAlive }
            })
        |> List.map (fun words -> words.Replace("--no-keepalive, --timeout", "--timeout, --no-keepalive"))
    )

    Assert.Contains(
        "requests (URL, --method, --header, --body, --targets)",
        merged (fun plan -> { plan with Requests = [ { plan.Requests.Head with Method = "DELETE" } ] })
        |> Assert.Single
    )

    // Each has a load of its own.
    Assert.Empty(merged id)

    Assert.Empty(
        merged (fun plan ->
            { plan with Model = Open(Constant 7.0, 3); Seed = plan.Seed + 1; MaxRequests = Some 10L })
    )

[<Fact>]
let ``seconds are joined by the clocks of the machines`` () =
    let parts = parts |> List.map (fun part -> { part with Dates = [] })

    let late (seconds: float) (outcome: Outcome) =
        { outcome with StartedUtc = outcome.StartedUtc + TimeSpan.FromSeconds seconds }

    let recording = whole [] (named [ late 1.0 parts[0]; parts[1]; late 0.04 parts[2] ])
    let outcome = recording.Outcome
    Assert.Equal(parts[1].StartedUtc, outcome.StartedUtc)
    Assert.Equal(parts[0].Elapsed + TimeSpan.FromSeconds 1., outcome.Elapsed)
    Assert.Contains(recording.Warnings, fun (warning: string) -> warning.StartsWith "m1 began 1s after m2")
    // Their server sent no Date.
    Assert.Equal(
        2,
        recording.Warnings
        |> List.filter _.Contains("is not compared with that of m1")
        |> List.length
    )

    let rights (outcome: Outcome) =
        outcome.Seconds |> List.map (fun second -> second.At, second.Right)

    let moved = rights parts[0] |> List.map (fun (at, right) -> at + 1, right)

    let expected =
        moved @ rights parts[1] @ rights parts[2]
        |> List.groupBy fst
        |> List.map (fun (at, all) -> at, List.sumBy snd all)
        |> List.sort

    Assert.Equal<(int * int64) list>(expected, rights outcome)
    let first = parts[0].Samples |> Array.map _.Intended |> Array.min
    Assert.Contains(first + 1_000_000_000L, outcome.Samples |> Array.map _.Intended)

    // A run of more than two hours has joined seconds: all are joined to as many.
    let joined =
        { parts[1] with Seconds = [ { parts[1].Seconds.Head with At = 0; Seconds = 4 } ] }

    let mixed = (whole [] (named [ parts[0]; joined; parts[2] ])).Outcome

    Assert.Equal<(int * int) list>(
        [ 0, 4 ],
        mixed.Seconds |> List.map (fun second -> second.At, second.Seconds)
    )

    Assert.Equal(100L + joined.Seconds.Head.Right + 30L, mixed.Seconds |> List.sumBy _.Right)

/// Runs of `count` machines on one server whose Date changes as it likes: of each request its start by the true time, and how long
/// it took, lossy links among them. `skews`: how far each machine's clock is ahead, in nanoseconds.
let private skewed (seed: int) (skews: int64 list) : Sample list list * Outcome list =
    let random = Random seed
    let ms = 1_000_000L

    let machines =
        [
            for index in 0 .. skews.Length - 1 do
                [
                    for at in 0L .. 199L do
                        let due = (at * int64 skews.Length + int64 index) * 10L * ms
                        let isLost = index = 1 && random.Next 20 = 0
                        let took = int64 (random.Next(1, 8)) * ms + (if isLost then 200L * ms else 0L)
                        RandomOutcomes.rightSample due due (due + took)
                ]
        ]

    let outcomes =
        List.zip machines skews
        |> List.mapi (fun index (samples, skew) ->
            let part = part index 1

            let recorded =
                RandomOutcomes.ofSamples { part.Plan with Duration = TimeSpan.FromSeconds 60. } samples

            let dates = ServerDates()

            for sample in samples |> List.sortBy _.Done do
                // Its Date is that of a moment while it was out, 0.7 s behind the machines' true time.
                let asked = (sample.Sent + sample.Done) / 2L + 700L * ms
                dates.Note(1_795_255_200L + asked / 1_000_000_000L, sample.Sent, sample.Done)

            { recorded with
                Elapsed = TimeSpan.FromSeconds 7.
                AttackTime = TimeSpan.FromSeconds 6.
                StartedUtc = recorded.StartedUtc + TimeSpan.FromTicks(skew / 100L)
                Dates = dates.ToList()
            })

    machines, outcomes

[<Theory; InlineData 1; InlineData 2; InlineData 3>]
let ``clocks are compared by the server's Date, and the sum of runs with skewed clocks equals that with equal clocks``
    (seed: int)
    =
    let second = 1_000_000_000L

    for skews in
        [
            [ 0L; 0L; 0L ]
            [ 0L; 3L * second; -2L * second / 5L ]
            [ -second; 40L * second; -49L * second / 50L ]
        ] do
        let machines, outcomes = skewed seed skews
        let recording = whole [ "p99<1s" ] (named outcomes)

        for index in 1..2 do
            let true' = skews[index] - skews[0]

            match ClockOffsets.between outcomes[0] outcomes[index] with
            | None -> Assert.Fail "the Dates show the difference"
            | Some bounds ->
                Assert.InRange(true', bounds.Low, bounds.High)
                // As precise as the requests are close together.
                Assert.InRange(bounds.Width, 0L, second / 5L)

        // Percentiles are those of one histogram of all requests, to the class, whatever the clocks are.
        let one =
            List.concat machines
            |> List.map (fun sample -> sample.Done - sample.Intended)
            |> RandomHistograms.record

        Assert.Equal(RandomHistograms.content one, RandomHistograms.content recording.Outcome.Counts.Intended)

        // The seconds are those of machines with equal clocks.
        let rights (outcome: Outcome) =
            outcome.Seconds |> List.map (fun second -> second.At, second.Right)

        let _, equal = skewed seed [ 0L; 0L; 0L ]
        Assert.Equal<(int * int64) list>(rights (whole [] (named equal)).Outcome, rights recording.Outcome)
        Assert.InRange((recording.Outcome.StartedUtc - outcomes[0].StartedUtc).TotalSeconds, -0.1, 0.1)

        let says (words: string) =
            recording.Warnings |> List.exists _.Contains(words)

        // Runs that reached different servers behind one name look the same.
        for warning in recording.Warnings |> List.filter _.Contains(" that of m1") do
            Assert.StartsWith($"by the Date of {outcomes[0].Plan.Requests.Head.Url.Authority}, ", warning)
            Assert.EndsWith("; this holds if one server process answers at 10.0.0.7:8080", warning)

        Assert.Equal(skews[1] <> skews[0], says "the clock of m2 is")
        Assert.Equal(skews[1] <> skews[0], says "ahead of that of m1; its times are moved by")
        Assert.Equal(skews[1] = skews[0], says "the clocks of the machines agree with that of m1 within ")

[<Fact>]
let ``clocks that the Dates do not separate stay unchanged, with the bounds in a note`` () =
    let _, outcomes = skewed 1 [ 0L; 5_000_000_000L; 0L ]

    let merged (change: Outcome -> Outcome) =
        whole [] (named [ outcomes[0]; change outcomes[1]; outcomes[2] ])

    let without =
        merged (fun outcome -> { outcome with Dates = outcome.Dates |> List.truncate 1 })

    Assert.Contains(without.Warnings, fun (words: string) -> words.Contains "the clock of m2 is not compared")
    Assert.Contains(without.Warnings, fun (words: string) -> words.StartsWith "m2 began 5s after m1")

    Assert.Contains(
        without.Warnings,
        fun (words: string) -> words.Contains "the clocks of 1 of the 2 other machines agree"
    )

    // Another server's clock says nothing.
    let elsewhere =
        merged (fun outcome ->
            { outcome with Plan = { outcome.Plan with Requests = [ get "http://h.elsewhere/" ] } })

    Assert.Contains(
        elsewhere.Warnings,
        fun (words: string) ->
            words.Contains "the clock of m2 is not compared"
            && words.Contains "it loaded another server (h.elsewhere), which has a clock of its own"
    )

    // Nor do those of two addresses behind one name, of which even one run may find both.
    for first, second, words in
        [
            [ "10.0.0.7:80" ],
            [ "10.0.0.8:80" ],
            "at 10.0.0.8:80, and m1 at 10.0.0.7:80, which may be another server"
            [ "10.0.0.7:80" ],
            [ "10.0.0.7:80"; "10.0.0.8:80" ],
            "at 10.0.0.7:80 and 10.0.0.8:80, and m1 at 10.0.0.7:80"
            [ "10.0.0.7:80"; "10.0.0.8:80" ],
            [ "10.0.0.7:80"; "10.0.0.8:80" ],
            "at 10.0.0.7:80 and 10.0.0.8:80, and m1 at 10.0.0.7:80 and 10.0.0.8:80"
            [ "127.0.0.1:80" ],
            [ "127.0.0.1:80" ],
            "both loaded 127.0.0.1:80, an address of the machine itself"
            [ "[::1]:80" ], [ "[::1]:80" ], "both loaded [::1]:80"
            [ "/run/s.sock" ], [ "/run/s.sock" ], "both loaded /run/s.sock"
            // A file whose list of addresses is empty.
            [], [ "10.0.0.7:80" ], "the file of m1 names no address of the server"
            [ "10.0.0.7:80" ], [], "the file of m2 names no address of the server"
        ] do
        let recording =
            whole
                []
                (named
                    [
                        { outcomes[0] with Addresses = first }
                        { outcomes[1] with Addresses = second }
                        { outcomes[2] with Addresses = first }
                    ])

        Assert.Contains(
            recording.Warnings,
            fun (sentence: string) ->
                sentence.StartsWith "the clock of m2 is not compared with that of m1: "
                && sentence.Contains words
        )

        Assert.DoesNotContain(
            recording.Warnings,
            fun (sentence: string) -> sentence.Contains "its times are moved"
        )

        Assert.Contains(
            recording.Warnings,
            fun (sentence: string) -> sentence.StartsWith "m2 began 5s after m1"
        )

    // Two servers behind one name whose clocks are far apart.
    let contrary =
        merged (fun outcome ->
            { outcome with
                Dates =
                    outcome.Dates
                    |> List.map (fun date -> { date with FirstDone = date.FirstDone - 3_000_000_000L })
            })

    Assert.Contains(contrary.Warnings, fun (words: string) -> words.Contains "too wide to move its times")

[<Fact>]
let ``a run notes the Dates of its server, over HTTP 1.1, and a file keeps them`` () =
    let dates = [| "Thu, 26 Nov 2026 10:00:00 GMT"; "Thu, 26 Nov 2026 10:00:01 GMT" |]
    let mutable count = 0

    use server =
        new Loopback(fun connection ->
            while connection.Request() do
                let at = if Threading.Interlocked.Increment &count <= 5 then 0 else 1
                connection.Send $"HTTP/1.1 200 OK\r\nDate: {dates[at]}\r\nContent-Length: 2\r\n\r\nhi")

    let outcome =
        { plan $"{server.Url}/" (Closed 1) 60_000 with MaxRequests = Some 9L; ExpectBody = None }
        |> attack

    Assert.Equal<int64 list>([ 1_795_687_200L; 1_795_687_201L ], outcome.Dates |> List.map _.Unix)
    let before, after = outcome.Dates[0], outcome.Dates[1]
    let samples = outcome.Samples |> Array.sortBy (fun sample -> sample.Sent)
    Assert.Equal((samples[0].Done, samples[4].Sent), (before.FirstDone, before.LastSent))
    Assert.Equal((samples[5].Done, samples[8].Sent), (after.FirstDone, after.LastSent))

    let recording = { RandomOutcomes.plain "run" 1 with Outcome = outcome }

    Assert.Equal<ServerDate list>(
        outcome.Dates,
        (OutcomeJson.read "x" (OutcomeJson.write recording)).Outcome.Dates
    )

    // And where they came from.
    Assert.Equal<string list>(
        [ string server.Address ],
        (OutcomeJson.read "x" (OutcomeJson.write recording)).Outcome.Addresses
    )

[<Fact>]
let ``a run notes the Dates of its server over HTTP 2, plain and in the Huffman code`` () =
    // "date" is entry 33 of the static table. These are the same 29 letters, plain and coded.
    let coded (text: string) =
        [|
            yield! [| 0x88uy; 0x0fuy; 0x12uy; 0x80uy ||| byte (text.Length / 2) |]
            yield! Convert.FromHexString text
        |]

    let plain (text: string) =
        [|
            yield! [| 0x88uy; 0x0fuy; 0x12uy; byte text.Length |]
            yield! Text.Encoding.ASCII.GetBytes text
        |]

    let first = "df3dbf4a09c5349fba82009c5020b8005c0014c5a37f"
    let second = "df3dbf4a09c5349fba82009c5020b8005c0054c5a37f"

    let blocks =
        [|
            coded first
            coded first
            plain "Thu, 26 Nov 2026 10:00:00 GMT"
            plain "yesterday"
            coded second
            plain "Thu, 26 Nov 2026 10:00:01 GMT"
            coded second
        |]

    use server =
        new FrameServer(fun _ peer ->
            peer.Greet []
            let mutable next = peer.Request()
            let mutable at = 0

            while next.IsSome do
                peer.Frame(FrameType.Headers, FrameFlag.endHeaders, next.Value, blocks[at])
                peer.Data(next.Value, body, true)
                peer.Flush()
                at <- at + 1
                next <- peer.Request())

    let plan = plan server.Url (Closed 1) 60_000

    let outcome =
        { plan with
            MaxRequests = Some(int64 blocks.Length)
            Connecting = { plan.Connecting with Protocol = Http2 1 }
        }
        |> attack

    Assert.Equal(int64 blocks.Length, outcome.Right)
    let samples = outcome.Samples |> Array.sortBy (fun sample -> sample.Sent)

    Assert.Equal<ServerDate list>(
        [
            { Unix = 1_795_687_200L; FirstDone = samples[0].Done; LastSent = samples[2].Sent }
            { Unix = 1_795_687_201L; FirstDone = samples[4].Done; LastSent = samples[6].Sent }
        ],
        outcome.Dates
    )

[<Fact>]
let ``an invalid part is named, and so are a stopped one and a share that is missing`` () =
    let invalid =
        [ { parts[0] with Invalid = [ "it was late" ] }; { parts[2] with Stopped = true } ]

    Assert.Equal<string list>(
        [ "m1: it was late"; "m2: it was stopped before its end"; "shares are missing: 2/3" ],
        (whole [] (named invalid)).Outcome.Invalid
    )

    // The load is that of the shares that are there.
    Assert.Equal(Open(Constant 200.0, 20), (whole [] (named invalid)).Outcome.Plan.Model)

    Assert.Contains(
        "m1 and m3 are both share 1/3",
        refusal (fun () -> WholeRun.ofRuns [] "" (named [ parts[0]; parts[1]; parts[0] ]))
    )

    let other =
        { parts[1] with Plan = { parts[1].Plan with Share = { Index = 1; Of = 4 } } }

    Assert.Contains(
        "of 3 and 4 generators",
        Assert.Single (whole [] (named [ parts[0]; other ])).Outcome.Invalid
    )

/// A change of each field of a plan, by its key in JSON, with the words for it; None: a machine may have another.
let private changes: (string * string option * (Plan -> Plan)) list =
    let connecting change (plan: Plan) =
        { plan with Connecting = change plan.Connecting }

    let files name : CertificateFiles = { Certificate = name; Key = name }

    [
        "asks",
        Some "requests (URL, --method, --header, --body, --targets)",
        (fun plan -> { plan with Requests = [ get "http://h/other" ] })
        "model", Some "rate or connections", (fun plan -> { plan with Plan.Model = Open(Constant 100.0, 30) })
        "model", Some "rate or connections", (fun plan -> { plan with Plan.Model = Open(Constant 300.0, 31) })
        "durationSeconds", Some "--duration", (fun plan -> { plan with Duration = plan.Duration * 2. })
        "warmUpSeconds", Some "--warm-up", (fun plan -> { plan with WarmUp = TimeSpan.FromSeconds 1. })
        "timeoutSeconds", Some "--timeout", (fun plan -> { plan with Timeout = plan.Timeout / 2. })
        "expectStatus", Some "--expect-status", (fun plan -> { plan with ExpectStatus = [ 200; 503 ] })
        "expectBody", Some "--expect-body", (fun plan -> { plan with ExpectBody = Some "other"B })
        "expectBody", Some "--expect-body", (fun plan -> { plan with ExpectBody = None })
        "seed", Some "--seed", (fun plan -> { plan with Seed = plan.Seed + 1 })
        "share", None, id
        "startAt", Some "--start-at", (fun plan -> { plan with StartAt = Some DateTime.UnixEpoch })
        "threads", None, (fun plan -> { plan with Threads = 7 })
        "maxRequests", Some "--requests", (fun plan -> { plan with MaxRequests = Some 7L })
        "maxLagSeconds", None, (fun plan -> { plan with MaxLag = Some(TimeSpan.FromHours 1.) })
        "data", Some "--data", (fun plan -> { plan with Data = None })
        "data", None, (fun plan -> { plan with Data = Some { File = "/home/rows.csv"; Order = InOrder } })
        "data",
        Some "--data-order",
        (fun plan -> { plan with Data = Some { File = "rows.csv"; Order = Once } })
        "rules", None, (fun plan -> { plan with Rules = [ Rule.parse "p99<1h" ] })
        "protocol", Some "--http2 or --streams", connecting (fun to' -> { to' with Protocol = Http2 7 })
        "grows", Some "--connections or --max-connections", connecting (fun to' -> { to' with Grows = false })
        "bound", None, connecting (fun to' -> { to' with Bound = Some(Descriptors 1024) })
        "keepsAlive", Some "--no-keepalive", connecting (fun to' -> { to' with KeepsAlive = false })
        "maxHead", Some "--max-head", connecting (fun to' -> { to' with MaxHead = 64 })
        "redirects", Some "--redirects", connecting (fun to' -> { to' with Redirects = 9 })
        "insecure", Some "--insecure", connecting (fun to' -> { to' with Insecure = true })
        "authorities", Some "--cacert", connecting (fun to' -> { to' with Authorities = None })
        "authorities", None, connecting (fun to' -> { to' with Authorities = Some "/home/ca.pem" })
        "clientCertificate", Some "--cert", connecting (fun to' -> { to' with ClientCertificate = None })
        "clientCertificate",
        None,
        connecting (fun to' -> { to' with ClientCertificate = Some(files "/home/c.pem") })
        "connectTo", Some "--connect-to", connecting (fun to' -> { to' with ConnectTo = Some "h:2" })
        "unixSocket", Some "--unix-socket", connecting (fun to' -> { to' with UnixSocket = Some "/s" })
    ]

[<Fact>]
let ``shares of loads that differ make no valid whole, and the option is named in which they do`` () =
    let asked (plan: Plan) =
        { plan with
            Data = Some { File = "rows.csv"; Order = InOrder }
            Timeout = TimeSpan.FromSeconds 30.
            Connecting =
                { ConnectionOptions.Default with
                    Authorities = Some "ca.pem"
                    ClientCertificate = Some { Certificate = "c.pem"; Key = "k.pem" }
                    ConnectTo = Some "h:1"
                }
        }

    let parts = parts |> List.map (fun part -> { part with Plan = asked part.Plan })

    let merged (change: Plan -> Plan) =
        (whole [] (named [ parts[0]; { parts[1] with Plan = change parts[1].Plan }; parts[2] ]))
            .Outcome.Invalid

    for key, words, change in changes do
        let expected =
            words
            |> Option.map (fun words -> $"m1 and m2 are shares of different loads: they differ in {words}")

        Assert.Equal((key, Option.toList expected), (key, merged change))

    let both (plan: Plan) =
        { plan with Seed = plan.Seed + 1; Duration = plan.Duration * 2. }

    Assert.Contains("they differ in --duration, --seed", Assert.Single(merged both))

    // A field that is new has its words here.
    let keys (kind: Type) =
        [
            for field in FSharp.Reflection.FSharpType.GetRecordFields kind do
                match
                    Attribute.GetCustomAttribute(
                        field,
                        typeof<Text.Json.Serialization.JsonPropertyNameAttribute>
                    )
                with
                | :? Text.Json.Serialization.JsonPropertyNameAttribute as named -> named.Name
                | _ -> Text.Json.JsonNamingPolicy.CamelCase.ConvertName field.Name
        ]

    Assert.Equal<Set<string>>(
        Set.ofList (keys typeof<Plan> @ keys typeof<ConnectionOptions>) |> Set.remove "connecting",
        changes |> List.map (fun (key, _, _) -> key) |> Set.ofList
    )

[<Fact>]
let ``a machine whose clock is ahead begins at another time of its clock`` () =
    let seconds (count: float) = TimeSpan.FromSeconds count
    let _, outcomes = skewed 1 [ 0L; 5_000_000_000L; 0L ]
    let time = DateTime(2026, 11, 21, 10, 0, 0, DateTimeKind.Utc)

    let merged (late: TimeSpan list) =
        let runs =
            List.map2
                (fun (outcome: Outcome) late ->
                    { outcome with Plan = { outcome.Plan with StartAt = Some(time + late) } })
                outcomes
                late

        (whole [] (named runs)).Outcome.Invalid

    Assert.Empty(merged [ seconds 0.; seconds 0.; seconds 0. ])
    Assert.Empty(merged [ seconds 0.; seconds 5.; seconds 0. ])

    Assert.Equal<string list>(
        [ "m1 and m3 are shares of different loads: they differ in --start-at" ],
        merged [ seconds 0.; seconds 5.; seconds 5. ]
    )

[<Fact>]
let ``shares on machines whose limits allow other numbers of connections are shares of one load`` () =
    let allowed (count: int) (bound: MachineBound option) (outcome: Outcome) =
        let plan = outcome.Plan

        { outcome with
            Plan =
                { plan with
                    Model = Open(Constant 300.0, count)
                    Connecting = { plan.Connecting with Bound = bound }
                }
        }

    let merged (bound: MachineBound option) =
        (whole
            []
            (named [ allowed 20_000 None parts[0]; allowed 900 bound parts[1]; allowed 20_000 None parts[2] ]))
            .Outcome

    let limited = merged (Some(Descriptors 1024))
    Assert.Empty limited.Invalid
    // Those of all machines.
    Assert.Equal(Open(Constant 300.0, 6667 + 300 + 6666), limited.Plan.Model)

    // By --max-connections.
    Assert.Contains("they differ in rate or connections", Assert.Single (merged None).Invalid)

    // A machine that may have fewer than are needed has no more than one that may have all.
    let fewer =
        (whole
            []
            (named
                [
                    allowed 20_000 (Some(LocalPorts 28232)) parts[0]
                    allowed 30 None parts[1]
                    allowed 20_000 (Some(LocalPorts 28232)) parts[2]
                ]))
            .Outcome

    Assert.Contains("m1 and m2", Assert.Single fewer.Invalid)

[<Fact>]
let ``runs that are no shares are one run of their loads together`` () =
    let run (model: Model) (url: string) =
        { parts[0] with
            Plan =
                { parts[0].Plan with
                    Share = Share.Whole
                    Model = model
                    Requests = [ get url; get "http://h/both" ]
                }
            Dates = []
            Samples = parts[0].Samples |> Array.map (fun sample -> { sample with Request = 0 })
        }

    let sum one other =
        (whole [] (named [ run one "http://h/a"; run other "http://h/b" ])).Outcome

    let outcome = sum (Open(Constant 100.0, 5)) (Open(Constant 150.0, 7))
    Assert.Equal(Open(Constant 250.0, 12), outcome.Plan.Model)

    let url (sample: Sample) =
        outcome.Plan.Requests[sample.Request].Url.AbsolutePath

    Assert.Equal<(string * int) list>(
        [ "/a", 100; "/b", 100 ],
        outcome.Samples |> Array.countBy url |> List.ofArray |> List.sort
    )

    Assert.Equal(Closed 12, (sum (Closed 5) (Closed 7)).Plan.Model)

    Assert.Equal(
        Open(Ramp(3.0, 30.0), 2),
        (sum (Open(Ramp(1.0, 10.0), 1)) (Open(Ramp(2.0, 20.0), 1))).Plan.Model
    )

    let steps rates =
        Open(Steps(rates, TimeSpan.FromSeconds 1.), 1)

    let stepped =
        (RandomOutcomes.ofSamples
            { parts[0].Plan with Share = Share.Whole; Model = steps [ 1.0; 2.0 ] }
            (List.ofArray parts[0].Samples))

    let both = (whole [] (named [ stepped; stepped ])).Outcome
    Assert.Equal(Open(Steps([ 2.0; 4.0 ], TimeSpan.FromSeconds 1.), 2), both.Plan.Model)
    Assert.Equal<float list>([ 2.0; 4.0 ], both.Steps |> List.map _.PerSecond)

    for one, other in
        [
            Closed 1, Open(Constant 1.0, 1)
            Open(Constant 1.0, 1), Open(Poisson 1.0, 1)
            steps [ 1.0 ], steps [ 1.0; 2.0 ]
        ] do
        match
            WholeRun.ofRuns
                []
                ""
                (named [ run one "http://h/a"; run other "http://h/a"; run one "http://h/c" ])
        with
        | Error why -> Assert.Equal("their loads are of different shapes", why)
        | Ok _ -> Assert.Fail $"{one} and {other}"

    let after =
        let first = run (Closed 1) "http://h/a"
        { first with StartedUtc = first.StartedUtc + TimeSpan.FromMinutes 1. }

    match WholeRun.ofRuns [] "" (named [ run (Closed 1) "http://h/a"; after ]) with
    | Error why ->
        Assert.StartsWith("they did not load at the same time: ", why)
        Assert.Matches(@" began \S+ after \S+ had ended$", why)
    | Ok _ -> Assert.Fail "they are one after the other"

[<Fact>]
let ``rules are judged for the whole`` () =
    let sound =
        parts |> List.map (fun part -> { part with Counts.Actual = part.Counts.Intended })
    // 77 of 180 took more than 40 ms: more than of the third alone, and less than of the first.
    let answers rules =
        (whole rules (named sound)).Outcome.Verdicts |> List.map Rule.answer

    Assert.Equal<string list>([ "kept"; "BROKEN" ], answers [ "success>99%"; "p99<40ms" ])
    Assert.Equal<string list>([], answers [])

    let ruled rules =
        sound
        |> List.map (fun part -> { part with Plan = { part.Plan with Rules = rules |> List.map Rule.parse } })

    Assert.Single((whole [] (named (ruled [ "p99<40ms" ]))).Outcome.Verdicts) |> ignore

[<Fact>]
let ``rules and a limit of own lag that only some of the runs had judge the whole, and a note names those runs``
    ()
    =
    let ruled (rules: string list list) =
        List.map2
            (fun (part: Outcome) rules ->
                { part with
                    Counts.Actual = part.Counts.Intended
                    Plan = { part.Plan with Rules = rules |> List.map Rule.parse }
                })
            parts
            rules

    let notes (recording: Recording) =
        recording.Warnings |> List.filter _.Contains("it is judged for the whole")

    let mixed =
        whole
            []
            (named (ruled [ [ "p99<40ms"; "success>99%" ]; [ "success>99%" ]; [ "success>99%"; "rps>1" ] ]))

    Assert.Equal<string list>(
        [ "p99<40ms"; "success>99%"; "rps>1" ],
        mixed.Outcome.Verdicts |> List.map (fun verdict -> Rule.text verdict.Rule)
    )

    Assert.Equal<string list>([ "BROKEN"; "kept"; "kept" ], mixed.Outcome.Verdicts |> List.map Rule.answer)

    Assert.Equal<string list>(
        [
            "only m1 had --require 'p99<40ms', and m2, m3 did not: it is judged for the whole"
            "only m3 had --require 'rps>1', and m1, m2 did not: it is judged for the whole"
        ],
        notes mixed
    )

    // Those of the merge take their place.
    let given = whole [ "max<1h" ] (named (ruled [ [ "p99<40ms" ]; []; [] ]))
    Assert.Equal<Rule list>([ Rule.parse "max<1h" ], given.Outcome.Plan.Rules)
    Assert.Empty(notes given)
    Assert.Empty(notes (whole [] (named (ruled [ [ "p99<40ms" ]; [ "p99<40ms" ]; [ "p99<40ms" ] ]))))

    // Each run's own lag is half a millisecond.
    let limited (limits: float option list) =
        List.map2
            (fun (part: Outcome) limit ->
                { part with
                    Plan =
                        { part.Plan with
                            MaxLag =
                                limit |> Option.map (fun (most: float) -> TimeSpan.FromMilliseconds most)
                        }
                })
            parts
            limits
        |> named
        |> whole []

    let loose = limited [ Some 9.; None; Some 8. ]
    Assert.Empty loose.Outcome.Invalid
    Assert.Equal(Some(TimeSpan.FromMilliseconds 8.), loose.Outcome.Plan.MaxLag)

    Assert.Equal<string list>(
        [ "only m3 had --max-lag 8ms, and m1, m2 did not: it is judged for the whole" ],
        notes loose
    )

    // The first two were not judged by it.
    let strict = limited [ None; Some 9.; Some 0.1 ]

    Assert.Equal<string list>(
        [ "m1"; "m2" ],
        strict.Outcome.Invalid
        |> List.map (fun sentence ->
            Assert.Contains("--max-lag allows 100µs", sentence)
            sentence.Split(':')[0])
    )
