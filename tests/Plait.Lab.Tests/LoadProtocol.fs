// The load client as a worker: lines of JSON in, a line of JSON out for each.
module Plait.Lab.Tests.LoadProtocol

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Lab.Measure
open Plait.Lab.Tests.LoadServer

/// What it answers to these lines, without the line that says it is ready.
let private answers (lines: string list) : JsonElement list =
    use output = new StringWriter()
    LoadWorker.serve (new StringReader(String.concat "\n" lines)) output

    let replies =
        [
            for line in (string output).Split('\n', StringSplitOptions.RemoveEmptyEntries) do
                use document = JsonDocument.Parse line
                document.RootElement.Clone()
        ]

    Assert.True(replies.Head.GetProperty("ready").GetBoolean())
    replies.Tail

let private connect (url: string) (more: string) =
    $"""{{"do":"connect","target":1,"url":"{url}","connections":2,"bodyLength":{body.Length},"timeoutMilliseconds":30000{more}}}"""

[<Fact>]
let ``a target is connected, loaded and closed`` () =
    use counting = sometimes 7L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"

    match
        answers
            [
                connect $"{counting.Server.Url}/x" ""
                """{"do":"run","target":1,"milliseconds":60}"""
                """{"do":"close","target":1}"""
            ]
    with
    | [ connected; ran; closed ] ->
        Assert.True(connected.GetProperty("ok").GetBoolean())
        Assert.True(closed.GetProperty("ok").GetBoolean())
        Assert.Equal(counting.Sent, ran.GetProperty("requests").GetInt64())
        Assert.Equal(counting.Spoiled, ran.GetProperty("errors").GetProperty("status").GetInt64())
        Assert.Equal("the status was 404 instead of 200", ran.GetProperty("complaint").GetString())
        Assert.True(ran.GetProperty("wallMicroseconds").GetDouble() >= 60000.0)
    | other -> Assert.Fail $"It answered {other}"

/// Requests that are none.
let private malformed =
    [
        "foo"
        "{}"
        "[]"
        """{"do":"dance"}"""
        """{"do":1}"""
        """{"do":"run"}"""
        """{"do":"run","target":9,"milliseconds":10}"""
        """{"do":"run","target":"x","milliseconds":10}"""
        """{"do":"connect","target":1}"""
        connect "nonsense" ""
        connect "https://127.0.0.1:1/" ""
        """{"do":"connect","target":1,"url":null,"connections":2,"bodyLength":1,"timeoutMilliseconds":1}"""
        """{"do":"connect","target":1,"url":"http://127.0.0.1:1/","connections":-1,"bodyLength":1,"timeoutMilliseconds":1}"""
        """{"do":"connect","target":1,"url":"http://127.0.0.1:1/","connections":2,"bodyLength":1,"timeoutMilliseconds":0}"""
        connect "http://not-an-address/" ""
    ]

let requests = TheoryData<string>(malformed)

[<Theory; MemberData(nameof requests)>]
let ``a malformed request gets one error and the client goes on`` (request: string) =
    match answers [ request; """{"do":"close","target":1}""" ] with
    | [ refused; next ] ->
        Assert.NotEqual<string>("", nonNull (refused.GetProperty("error").GetString()))
        Assert.True(next.GetProperty("ok").GetBoolean())
    | other -> Assert.Fail $"It answered {other}"

[<Fact>]
let ``a server that is not there is said in a sentence`` () =
    let counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"
    counting.Server.Stop()
    let refused = answers [ connect url "" ] |> List.exactlyOne
    Assert.Contains($"{url} does not take connections", refused.GetProperty("error").GetString())
