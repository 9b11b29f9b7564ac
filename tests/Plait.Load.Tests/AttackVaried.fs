// Requests that differ from each other: what stands in double braces is another text in each.
module Plait.Load.Tests.AttackVaried

open System
open System.Collections.Concurrent
open System.IO
open System.Text
open System.Text.RegularExpressions
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

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
            MaxRequests = Some(int64 count)
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
let ``generated values are in URL, header and body`` () =
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
            MaxRequests = Some 10L
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

[<Theory; InlineData 1; InlineData 3>]
let ``requests without a column take no row`` (threads: int) =
    use folder = new Built.Folder()
    let rows = "id\n" + String.Join('\n', [ 1..10 ])

    let targets =
        received
            (asking "/{{id}}" [] ""
             >> withData folder "rows.csv" rows Once
             >> fun plan ->
                 let paths = [ "/none"; "/{{id}}"; "/{{uuid}}"; "/again/{{id}}" ]

                 { plan with
                     Requests = paths |> List.collect (fun path -> (asking path [] "" plan).Requests)
                     Threads = threads
                     Model = Closed 3
                 })
            1000
        |> List.map (fst >> target)

    Assert.Equal(20, targets.Length)

    Assert.Equal<string list>(
        [ for at in 1..2..9 -> $"/{at}" ],
        targets |> List.filter (fun target -> target.Length = 2) |> List.sort
    )

    Assert.Equal<string list>(
        [ "/again/10"; yield! [ for at in 2..2..8 -> $"/again/{at}" ] ],
        targets |> List.filter _.StartsWith("/again/") |> List.sort
    )

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
        "a.csv",
        "x,y\n1,2\n3\n",
        asking "/{{x}}" [] "",
        "a.csv, line 3: it has 1 value, and the first line names 2 columns"
        "a.csv", "x,y\n\"1\n\",2\n1,\"2\n\n3", asking "/{{x}}" [] "", "a.csv, line 4: the quotes do not match"
        "a.csv", "x,y\n1,2\"3\"\n", asking "/{{x}}" [] "", "a.csv, line 2: a quote stands in the middle"
        "a.csv", "x,y\n1,\"2\" \n", asking "/{{x}}" [] "", "a.csv, line 2: ' ' stands behind the quote"
        "a.csv", "\n\n", asking "/{{x}}" [] "", "a.csv is empty"
        "a.csv", "x, x \n1,2\n", asking "/{{x}}" [] "", "a.csv, line 1: two columns have the name \"x\""
        "a.csv",
        "x;y\n1;2\n",
        asking "/{{x}}" [] "",
        "a.csv, line 1: it names one column, \"x;y\"; commas stand"
        "a.csv", "x,\n1,2\n", asking "/{{x}}" [] "", "a.csv, line 1: column 2 has no name"
        "a.csv", "x\n1\n", asking "/{{z}}" [] "", "'{{z}}' is no column of the data; there are x, uuid"
        "a.jsonl",
        "{\"x\": 1}\n{\"x\":\"\\ud800\"}\n",
        asking "/{{x}}" [] "",
        "a.jsonl, line 2: a text in it has half of a pair of surrogates"
        "a.jsonl",
        "{\"\\udfff\": 1}\n",
        asking "/{{x}}" [] "",
        "a.jsonl, line 1: a text in it has half of a pair of surrogates"
        "a.jsonl", "{}\n", asking "/{{x}}" [] "", "a.jsonl, line 1: it names no column"
        "a.csv", "x\n1\n", asking "/{{int 0 9223372036854775808}}" [] "", "to 9223372036854775807"
        "a.csv",
        "x\n1\n" + String('1', 300_000) + "\n",
        asking "/" [] (String.replicate 2000 "{{x}}"),
        "the request POST http://127.0.0.1:1/, made of row 2 of the data, would have up to 600"
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
let ``wrong data and variables are refused before the run`` () =
    for name, content, change, words in wrong do
        use folder = new Built.Folder()

        let plan =
            plan "http://h/" (Closed 1) 100 |> change |> withData folder name content InOrder

        let refused = Assert.Throws<BadInput>(fun () -> Attack.find plan)
        Assert.Contains(words, refused.Message)

[<Fact>]
let ``an error about a request shows its URL without the password`` () =
    let request =
        {
            Method = "POST"
            Url = Uri "http://me:hush@127.0.0.1:1/"
            Headers = [ "Transfer-Encoding", "chunked" ]
            Body = Encoding.UTF8.GetBytes "5\r\nabc\r\n0\r\n\r\n"
        }

    let plan = { plan "http://h/" (Closed 1) 100 with Requests = [ request ] }
    let refused = Assert.Throws<BadInput>(fun () -> Attack.find plan)
    Assert.Contains("the request POST http://me:***@127.0.0.1:1/ is written in chunks", refused.Message)

let private rowsOf (folder: Built.Folder) (name: string) (content: string) : string list * string list list =
    let file = folder.File name
    File.WriteAllText(file, content, UTF8Encoding true)
    let data = DataRows.read file

    data.Columns,
    [
        for row in data.Rows do
            [
                for cell in row do
                    Encoding.UTF8.GetString cell.Plain
            ]
    ]

[<Fact>]
let ``quoted values of CSV are read without change`` () =
    use folder = new Built.Folder()

    let files =
        gen {
            let! columns = Gen.choose (1, 4)
            let! rows = Gen.choose (1, 6)
            let! values = Laws.texts |> Gen.listOfLength columns |> Gen.listOfLength rows
            let! lineEnd = Gen.elements [ "\n"; "\r\n" ]
            return values, lineEnd
        }

    // In quotes only where it has to be.
    let written (value: string) =
        if value = "" || value.AsSpan().IndexOfAny(",\"\r\n".AsSpan()) >= 0 then
            "\"" + value.Replace("\"", "\"\"") + "\""
        else
            value

    Laws.forEach 200 files (fun (values, lineEnd) ->
        let names = [ for at in 1 .. values.Head.Length -> $"c{at}" ]

        let content =
            names :: values
            |> List.map (List.map written >> String.concat ",")
            |> String.concat lineEnd

        rowsOf folder "rows.csv" content = (names, values)
        && rowsOf folder "rows.csv" (content + lineEnd) = (names, values))

[<Fact>]
let ``an empty line of CSV is an empty value of a single column, and nothing at the end`` () =
    use folder = new Built.Folder()

    Assert.Equal(
        ([ "x" ], [ [ "1" ]; [ "" ]; [ "2" ] ]),
        rowsOf folder "one.csv" "x\r\n1\r\n\r\n2\r\n\r\n\r\n"
    )

    Assert.Equal(([ "x"; "y" ], [ [ "1"; "" ]; [ ""; "2" ] ]), rowsOf folder "two.csv" "x, y \n1,\n\n,2\n\n")

[<Fact>]
let ``a long value of many lines is read in one go`` () =
    use folder = new Built.Folder()
    let value = String.replicate 200_000 "a \"line\", 20 chars\n"

    let columns, rows =
        rowsOf folder "long.csv" ("x\n\"" + value.Replace("\"", "\"\"") + "\"\n2\n")

    Assert.Equal<string list>([ "x" ], columns)
    Assert.Equal(2, rows.Length)
    Assert.True((rows[0] = [ value ]))

    // A quote that is never closed is found as soon.
    let refused =
        Assert.Throws<BadInput>(fun () ->
            rowsOf folder "open.csv" ("x\n1\n\"" + String.replicate 1_000_000 "a line of text\n")
            |> ignore)

    Assert.Contains("open.csv, line 3: the quotes do not match", refused.Message)

[<Fact>]
let ``requests made ahead fit into their memory with values of any length`` () =
    use folder = new Built.Folder()

    let ahead change =
        let plan =
            plan "http://127.0.0.1:1/" (Closed 1) 100
            |> change
            |> withData folder "rows.jsonl" $$"""{"x": "{{String('a', 1_000_000)}}", "y": "b"}""" InOrder

        use requests =
            new VariedRequests(plan, { Index = 0; Of = plan.Threads }, Requests.data plan)

        requests.Ahead

    let threads plan =
        { plan with Threads = 2; Model = Closed 2 }

    let follow plan =
        { plan with Connecting = { plan.Connecting with Redirects = 1 } }

    Assert.InRange(ahead (asking "/" [] "{{y}}"), 10_000, 100_000)
    Assert.InRange(ahead (asking "/" [] "{{x}}"), 50, 67)
    Assert.InRange(ahead (asking "/{{x}}" [] ""), 50, 67)
    Assert.InRange(ahead (asking "/" [] "{{x}}" >> threads), 25, 33)
    Assert.InRange(ahead (asking "/" [] "{{x}}" >> follow), 10, 16)
    Assert.Equal(2, ahead (asking "/" [] (String.replicate 50 "{{x}}")))

[<Fact>]
let ``a request from pieces equals the request from the whole text, for any value`` () =
    use folder = new Built.Folder()

    Laws.forEach 100 Laws.texts (fun text ->
        let made follows =
            let plan =
                plan "http://127.0.0.1:1/" (Closed 1) 100
                |> asking "/a/{{x}}?b={{ x }}" [ "X-At", "{{seq}}" ] "<{{x}}>"
                |> withData folder "rows.csv" ("x\n\"" + text.Replace("\"", "\"\"") + "\"\n") InOrder

            let plan = { plan with Connecting = { plan.Connecting with Redirects = follows } }

            use requests = new VariedRequests(plan, Share.Whole, Requests.data plan)
            requests.Take().Bytes

        let made, whole = Encoding.UTF8.GetString(made 0), Encoding.UTF8.GetString(made 1)
        let inUrl = Uri.EscapeDataString text

        made = whole
        && made.StartsWith($"POST /a/{inUrl}?b={inUrl} HTTP/1.1\r\n", StringComparison.Ordinal)
        && made.EndsWith($"\r\n\r\n<{text}>", StringComparison.Ordinal))

[<Fact>]
let ``a variable int takes any two 64-bit bounds`` () =
    let numbers (least: int64) (most: int64) =
        let numbers =
            received (asking $"/{{{{int {least} {most}}}}}" [] "") 100
            |> List.map (fst >> target >> _.Substring(1) >> int64)

        Assert.All(numbers, fun number -> Assert.InRange(number, least, most))
        numbers

    for least, most in
        [
            Int64.MinValue, Int64.MaxValue
            0L, Int64.MaxValue
            Int64.MinValue, 0L
            -1L, Int64.MaxValue
            Int64.MinValue / 2L, Int64.MaxValue / 2L + 1L
        ] do
        let numbers = numbers least most
        Assert.Equal(100, (List.distinct numbers).Length)
        let middle = bigint least + (bigint most - bigint least) / 2I

        let below =
            numbers |> List.filter (fun number -> bigint number < middle) |> List.length

        Assert.InRange(below, 25, 75)

    Assert.Equal<int64 list>([ Int64.MaxValue ], List.distinct (numbers Int64.MaxValue Int64.MaxValue))

    Assert.Equal<int64 list>(
        [ Int64.MinValue; Int64.MinValue + 1L ],
        numbers Int64.MinValue (Int64.MinValue + 1L) |> List.distinct |> List.sort
    )

[<Fact>]
let ``a text like an internal mark is sent unchanged`` () =
    let own = "Pl41t000" + "9999Z"
    let mark = Template.ofRequest [] (get "http://h/{{seq}}")
    Assert.Contains("Pl41t000", mark.Value.Request.Url.OriginalString)

    for follows in [ 0; 1 ] do
        let requests =
            received
                (asking $"/{own}/%%50l41t0010000Z/{{{{seq}}}}" [ own, own ] $"{own} {{{{seq}}}} Pl41t0020000Z"
                 >> fun plan -> { plan with Connecting = { plan.Connecting with Redirects = follows } })
                3

        for at, (head, content) in List.indexed requests do
            Assert.Equal($"/{own}/%%50l41t0010000Z/{at}", target head)
            Assert.Contains($"\r\n{own}: {own}\r\n", head)
            Assert.Equal($"{own} {at} Pl41t0020000Z", content)

[<Fact>]
let ``a request may have any number of variables, and columns any name`` () =
    use folder = new Built.Folder()

    let requests =
        received
            (asking "/" [] (String.replicate 12_000 "{{seq}}" + "{{größe in cm}}")
             >> withData folder "rows.csv" "größe in cm\n180\n" InOrder)
            2

    Assert.Equal<string list>(
        [ String('0', 12_000) + "180"; String('1', 12_000) + "180" ],
        requests |> List.map snd
    )

[<Fact>]
let ``braces that are no variable are sent unchanged`` () =
    let texts =
        Gen.elements [ "{"; "}"; "{{"; "}}"; "{{x}}"; " "; "a"; "{{{"; "\"" ]
        |> Gen.listOf
        |> Gen.map (String.concat "")

    Laws.forEach 200 texts (fun text ->
        let request = { get "http://h/" with Body = Encoding.UTF8.GetBytes text }
        (Template.ofRequest [] request).IsNone)

/// The requests of a connection whose bodies are in chunks, to the letter.
let private chunkedRequests (content: string) (count: int) : (string * string) list =
    let listener = new Net.Sockets.TcpListener(Net.IPAddress.Loopback, 0)
    listener.Start()

    let serving =
        Threading.Tasks.Task.Run(fun () ->
            use peer = listener.AcceptTcpClient()
            use stream = peer.GetStream()
            let buffer = Array.zeroCreate<byte> 65536

            [
                for _ in 1..count do
                    let text = StringBuilder()

                    while not ((string text).EndsWith "0\r\n\r\n") do
                        let read = stream.Read(buffer, 0, buffer.Length)
                        Assert.True(read > 0, string text)
                        text.Append(Encoding.UTF8.GetString(buffer, 0, read)) |> ignore

                    stream.Write "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"B
                    let parts = (string text).Split("\r\n\r\n", 2)
                    parts[0], parts[1]
            ])

    let url = $"http://127.0.0.1:{(listener.LocalEndpoint :?> Net.IPEndPoint).Port}/"

    let outcome =
        { plan url (Closed 1) 60_000 with
            MaxRequests = Some(int64 count)
            ExpectBody = None
            Requests =
                [
                    { get url with
                        Method = "POST"
                        Headers = [ "Transfer-Encoding", "chunked" ]
                        Body = Encoding.UTF8.GetBytes content
                    }
                ]
        }
        |> attack

    listener.Stop()
    Assert.Equal(int64 count, outcome.Right)
    Within.result "the server" serving

[<Fact>]
let ``the sizes of a chunked body fit its values`` () =
    let bodies = chunkedRequests "é{{seq}}!" 12 |> List.map snd

    Assert.Equal<string list>(
        [ for at in 0..11 -> $"{(if at < 10 then 4 else 5)}\r\né{at}!\r\n0\r\n\r\n" ],
        bodies
    )

    // The time of sending is put where it belongs.
    let before = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()
    let timed = chunkedRequests "at {{time}}" 1 |> List.head |> snd
    let found = Regex.Match(timed, @"^10\r\nat (\d{13})\r\n0\r\n\r\n$")
    Assert.True(found.Success, timed)
    Assert.InRange(int64 found.Groups[1].Value, before, DateTimeOffset.UtcNow.ToUnixTimeMilliseconds())

    // One that is written in chunks is as it was written, and has no length.
    let head, written = chunkedRequests "1\r\n{{int 7 7}}\r\n0\r\n\r\n" 1 |> List.head
    Assert.Equal("1\r\n7\r\n0\r\n\r\n", written)
    Assert.DoesNotContain("Content-Length", head)

[<Fact>]
let ``data in another encoding than UTF-8 is refused, with its line, and UTF-16 with its mark is read`` () =
    use folder = new Built.Folder()
    let file = folder.File "rows.csv"

    let read (bytes: byte[]) =
        File.WriteAllBytes(file, bytes)
        DataRows.read file

    for before in [ [||]; Encoding.UTF8.GetPreamble() ] do
        let trouble =
            Assert.Throws<BadInput>(fun () ->
                read (Array.append before (Encoding.Latin1.GetBytes "x\na\nm\u00fcller\nb\n")) |> ignore)

        Assert.StartsWith("rows.csv, line 3: it has bytes that are no UTF-8", trouble.Message)

    for encoding in [ Encoding.UTF8; Encoding.Unicode; Encoding.BigEndianUnicode ] do
        let rows =
            read (Array.append (encoding.GetPreamble()) (encoding.GetBytes "x\nm\u00fcller\n"))

        Assert.Equal<byte[]>(Encoding.UTF8.GetBytes "m\u00fcller", rows.Rows[0].[0].Plain)

/// The bodies that requests with this one, sent in chunks, have.
let private chunkedBodies (folder: Built.Folder) (rows: string) (content: string) (count: int) : string list =
    let plan =
        plan "http://127.0.0.1:1/" (Closed 1) 100
        |> asking "/" [ "Transfer-Encoding", "chunked" ] content
        |> withData folder "rows.jsonl" rows InOrder

    use requests = new VariedRequests(plan, Share.Whole, Requests.data plan)

    [ for _ in 1..count -> Encoding.UTF8.GetString(requests.Take().Bytes).Split("\r\n\r\n", 2)[1] ]

[<Fact>]
let ``the text of a body decides whether it is written in chunks, and sizes that do not fit are refused`` () =
    use folder = new Built.Folder()

    let rows (values: string list) =
        values
        |> List.map (fun value -> $$"""{"x": {{Text.Json.JsonSerializer.Serialize value}}}""")
        |> String.concat "\n"

    let refused values content count =
        Assert.Throws<BadInput>(fun () -> chunkedBodies folder (rows values) content count |> ignore).Message

    let inChunks = "4\r\n{{x}}\r\n0\r\n\r\n"

    Assert.Equal<string list>(
        [ for value in [ "1000"; "1001" ] -> $"4\r\n{value}\r\n0\r\n\r\n" ],
        chunkedBodies folder (rows [ "1000"; "1001" ]) inChunks 2
    )

    // Also in the first request.
    for values, row in [ [ "999"; "1000" ], 1; [ "1000"; "10000" ], 2 ] do
        let sentence = refused values inChunks 2
        Assert.Contains($"made of row {row} of the data, is written in chunks", sentence)
        Assert.Contains("the generator then writes the chunks", sentence)

    // Whatever the values look like, in whichever row: no thread decides otherwise.
    for values in [ [ "hi"; "0\r\n\r\n"; "" ]; [ "0\r\n\r\n"; ""; "hi" ] ] do
        Assert.Equal<string list>(
            [
                for value in values ->
                    if value = "" then "0\r\n\r\n" else $"{value.Length}\r\n{value}\r\n0\r\n\r\n"
            ],
            chunkedBodies folder (rows values) "{{x}}" 3
        )

    // A size may be a value too.
    Assert.Equal<string list>(
        [ "a\r\n0123456789\r\n0\r\n\r\n" ],
        chunkedBodies folder (rows [ "a" ]) "{{x}}\r\n0123456789\r\n0\r\n\r\n" 1
    )

    // The chunk of size 0 may have several zeros, an extension, and trailers behind it.
    for ending in
        [
            "00\r\n\r\n"
            "0;a\r\n\r\n"
            "0 ; a=\"b\"\r\n\r\n"
            "0\r\nX: y\r\n\r\n"
            "000;a\r\nX: y\r\nDigest: {{x}}\r\n\r\n"
        ] do
        let written = $"4;a=b\r\n{{{{x}}}}\r\n{ending}"

        Assert.Equal<string list>(
            [ written.Replace("{{x}}", "1000") ],
            chunkedBodies folder (rows [ "1000" ]) written 1
        )

        Assert.Contains("their sizes do not fit", refused [ "999" ] written 1)

    // Neither is an end of chunks.
    for ending in [ "0x\r\n\r\n"; "0\r\nX: y\r\n"; "1\r\nX: y\r\n\r\n" ] do
        let content = $"4\r\n{{{{x}}}}\r\n{ending}"
        let sent = content.Replace("{{x}}", "999")

        Assert.Equal<string list>(
            [ $"{sent.Length:x}\r\n{sent}\r\n0\r\n\r\n" ],
            chunkedBodies folder (rows [ "999" ]) content 1
        )

[<Fact>]
let ``a body of chunks with braces that are no variable is one chunk, alone and beside requests that vary``
    ()
    =
    let content = """{"a":{"b":{{c}}}}"""
    let framed = $"{content.Length:x}\r\n{content}\r\n0\r\n\r\n"
    let request = get "http://127.0.0.1:1/"

    let chunked =
        { request with
            Method = "POST"
            Headers = [ "Transfer-Encoding", "chunked" ]
            Body = Encoding.UTF8.GetBytes content
        }

    let first (requests: HttpRequest list) =
        let plan = { plan "http://127.0.0.1:1/" (Closed 1) 100 with Requests = requests }
        use source = Requests.source plan Share.Whole DataRows.none
        Encoding.UTF8.GetString(source.Take().Bytes).Split("\r\n\r\n", 2)[1]

    Assert.Equal(framed, first [ chunked ])
    Assert.Equal(framed, first [ chunked; { request with Url = Uri "http://127.0.0.1:1/{{seq}}" } ])

    // Sizes that do not fit are refused without variables too.
    let trouble =
        Assert.Throws<BadInput>(fun () ->
            first [ { chunked with Body = "5\r\nfour\r\n0\r\n\r\n"B } ] |> ignore)

    Assert.Contains("the body of the request POST http://127.0.0.1:1/ is written in chunks", trouble.Message)
