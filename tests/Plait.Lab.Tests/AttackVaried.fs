// Requests that differ from each other: what stands in double braces is another text in each.
module Plait.Lab.Tests.AttackVaried

open System
open System.Collections.Concurrent
open System.IO
open System.Text
open System.Text.RegularExpressions
open FsCheck.FSharp
open Xunit

open Plait.Report
open Plait.Load
open Plait.Lab.Tests.AttackServer
open Plait.Lab.Tests.LoadServer

/// The requests that a server got, in their order, by one connection.
let private received (change: Plan -> Plan) (count: int) : (string * string) list =
    let requests = ConcurrentQueue<string * string>()

    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                requests.Enqueue(connection.Head, connection.Body)
                counting.Right(connection, Response.ok body))

    let outcome =
        { plan $"{counting.Server.Url}/" (Closed 1) 60_000 with
            Most = Some(int64 count)
            Duration = Plan.endless
        }
        |> change
        |> fun plan ->
            { plan with
                Requests =
                    plan.Requests
                    |> List.map (fun request ->
                        { request with
                            Url =
                                Uri(
                                    counting.Server.Url
                                    + request.Url.OriginalString.Substring(
                                        request.Url.OriginalString.IndexOf('/', 8)
                                    )
                                )
                        })
            }
        |> attack

    Assert.Equal(outcome.Requests, outcome.Right)
    List.ofSeq requests

let private target (head: string) = head.Split(' ')[1]

let private asking (url: string) (headers: (string * string) list) (content: string) (plan: Plan) =
    { plan with
        Requests =
            [
                {
                    Method = "POST"
                    Url = Uri("http://127.0.0.1:1" + url)
                    Headers = headers
                    Body = Encoding.UTF8.GetBytes content
                }
            ]
    }

let private withData (folder: Built.Folder) (name: string) (content: string) order (plan: Plan) =
    let file = folder.File name
    File.WriteAllText(file, content)
    { plan with Data = Some { File = file; Order = order } }

[<Fact>]
let ``what the generator makes itself stands in URL, header and body`` () =
    let requests =
        received
            (asking
                "/{{seq}}?n={{int 5 7}}"
                [ "X-Id", "{{uuid}}" ]
                """{"at": {{time}}, "twice": "{{ seq }}{{seq}}", "other": "{{unknown}}", "empty": {{}}}""")
            40

    let before = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()
    Assert.Equal(40, requests.Length)

    let ids =
        [
            for at, (head, content) in List.indexed requests do
                let found = Regex.Match(head, @"^POST /(\d+)\?n=([567]) HTTP/1.1\r\n")
                Assert.True(found.Success, head)
                Assert.Equal(string at, found.Groups[1].Value)

                let parts =
                    Regex.Match(
                        content,
                        @"^{""at"": (\d{13}), ""twice"": ""(\d+)"", ""other"": ""{{unknown}}"", ""empty"": {{}}}$"
                    )

                Assert.True(parts.Success, content)
                Assert.InRange(int64 parts.Groups[1].Value, before - 60_000L, before)
                Assert.Equal($"{at}{at}", parts.Groups[2].Value)
                Assert.Contains($"\r\nContent-Length: {content.Length}\r\n", head)
                Regex.Match(head, @"X-Id: ([0-9a-f-]{36})\r\n").Groups[1].Value
        ]

    Assert.Equal(40, (List.distinct ids).Length)

[<Fact>]
let ``a request that is redirected takes its values along`` () =
    let bodies = ConcurrentQueue<string>()

    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                if connection.Head.StartsWith "POST /a/" then
                    bodies.Enqueue(connection.Body)
                    connection.Send "HTTP/1.1 307 There\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
                else
                    bodies.Enqueue(connection.Body)
                    counting.Right(connection, Response.ok body))

    let outcome =
        { plan $"{counting.Server.Url}/a/{{{{seq}}}}" (Closed 1) 60_000 with
            Duration = Plan.endless
            Most = Some 10L
            Requests =
                [
                    { get $"{counting.Server.Url}/a/{{{{seq}}}}" with
                        Method = "POST"
                        Body = "{{uuid}} {{seq}}"B
                    }
                ]
        }
        |> fun plan -> { plan with Connecting = { plan.Connecting with Redirects = 1 } }
        |> attack

    wholly 10L 10L outcome
    let bodies = List.ofSeq bodies

    for at in 0..9 do
        // What was sent first is what is sent on.
        Assert.Equal(bodies[2 * at], bodies[2 * at + 1])
        Assert.EndsWith($" {at}", bodies[2 * at])

[<Fact>]
let ``rows of CSV come in order, again and again, and are escaped in a URL`` () =
    use folder = new Built.Folder()
    let rows = "name,word\nann,\"a, \"\"b\"\"\"\nbö b,x/y?\n"

    let requests =
        received
            (asking "/{{name}}/{{word}}" [ "X", "{{word}}" ] "{{name}}={{word}}"
             >> withData folder "rows.csv" rows InOrder)
            3

    Assert.Equal<string list>(
        [ "/ann/a%2C%20%22b%22"; "/b%C3%B6%20b/x%2Fy%3F"; "/ann/a%2C%20%22b%22" ],
        requests |> List.map (fst >> target)
    )

    let text = snd requests[1] |> Encoding.Latin1.GetBytes |> Encoding.UTF8.GetString
    Assert.Equal("bö b=x/y?", text)
    Assert.Contains("\r\nX: a, \"b\"\r\n", fst requests[0])

[<Fact>]
let ``rows that are used once end the run`` () =
    use folder = new Built.Folder()

    let rows =
        String.Join('\n', [ for at in 1..25 -> $$"""{"id": {{at}}, "name": "n{{at}}"}""" ])

    let requests =
        received (asking "/{{id}}" [] "{{name}}" >> withData folder "rows.jsonl" rows Once) 1000

    Assert.Equal<string list>([ for at in 1..25 -> $"n{at}" ], requests |> List.map snd)

[<Fact>]
let ``rows at random are all used, and the same seed makes the same`` () =
    use folder = new Built.Folder()
    let rows = "id\n" + String.Join('\n', [ 1..8 ])

    let run seed =
        received
            (asking "/{{id}}" [] ""
             >> withData folder "rows.csv" rows AtRandom
             >> fun plan -> { plan with Seed = seed })
            100
        |> List.map (fst >> target)

    let one = run 1
    Assert.Equal(8, (List.distinct one).Length)
    Assert.Equal<string list>(one, run 1)
    Assert.NotEqual<string list>(one, run 2)

[<Fact>]
let ``threads have each row once`` () =
    use folder = new Built.Folder()
    let rows = "id\n" + String.Join('\n', [ 1..90 ])

    let requests =
        received
            (asking "/{{id}}" [] ""
             >> withData folder "rows.csv" rows Once
             >> fun plan -> { plan with Threads = 3; Model = Closed 3 })
            1000

    Assert.Equal<int list>(
        [ 1..90 ],
        requests |> List.map (fst >> target >> _.Substring(1) >> int) |> List.sort
    )

/// Data, a request, and words of the sentence.
let private wrong: (string * string * (Plan -> Plan) * string) list =
    [
        "a.csv", "", asking "/{{x}}" [] "", "a.csv is empty"
        "a.csv", "x,y\n", asking "/{{x}}" [] "", "a.csv has no row"
        "a.csv", "x,y\n1,2\n3\n", asking "/{{x}}" [] "", "a.csv, line 3: it has 1 values"
        "a.csv", "x,y\n1,\"2\n", asking "/{{x}}" [] "", "a.csv, line 2: the quotes"
        "a.csv", "x\n1\n", asking "/{{z}}" [] "", "'{{z}}' is no column of the data; there are x, uuid"
        "a.csv", "x\n1\n", asking "/" [] "", "no request has a column of the data in it"
        "a.csv", "x\n1\n", asking "/{{int a 2}}" [] "", "takes two whole numbers, not 'a'"
        "a.jsonl", "{\"x\": 1}\n[2]\n", asking "/{{x}}" [] "", "a.jsonl, line 2: it is no JSON object"
        "a.jsonl", "{\"x\": 1}\n{\"y\": 1}\n", asking "/{{x}}" [] "", "a.jsonl, line 2: it has no \"x\""
        "a.csv",
        "x\n1\n\"2\n3\"\n",
        asking "/" [ "X", "{{x}}" ] "",
        "the x of row 2 of the data has a line break or a zero in it"
        "a.txt", "x\n1\n", asking "/{{x}}" [] "", "ends with .csv or .jsonl, not a.txt"
    ]

[<Fact>]
let ``what is wrong with data or a variable is said before the run`` () =
    for name, content, change, words in wrong do
        use folder = new Built.Folder()

        let plan =
            plan "http://h/" (Closed 1) 100 |> change |> withData folder name content InOrder

        let refused = Assert.Throws<BadInput>(fun () -> Attack.find plan)
        Assert.Contains(words, refused.Message)

[<Fact>]
let ``braces that are no variable are left as they are`` () =
    let texts =
        Gen.elements [ "{"; "}"; "{{"; "}}"; "{{x}}"; " "; "a"; "{{{"; "\"" ]
        |> Gen.listOf
        |> Gen.map (String.concat "")

    Laws.forEach 200 texts (fun text ->
        let request = { get "http://h/" with Body = Encoding.UTF8.GetBytes text }
        (Template.ofRequest [] request).IsNone)
