// Slices of load as the load generator's process is asked for them: lines of JSON in, a line of JSON out for each.
module Plait.Load.Tests.LoadProtocol

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Load
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

/// What it answers to these lines, without the line that says it is ready.
let private answers (lines: string list) : JsonElement list =
    use output = new StringWriter()
    AttackWorker.serve (new StringReader(String.concat "\n" lines)) output

    let replies =
        [
            for line in (string output).Split('\n', StringSplitOptions.RemoveEmptyEntries) do
                use document = JsonDocument.Parse line
                document.RootElement.Clone()
        ]

    Assert.True(replies.Head.GetProperty("ready").GetBoolean())
    replies.Tail

let private opening (plan: Plan) =
    $"""{{"do":"open","session":1,"plan":{(OutcomeJson.part plan).ToJsonString()}}}"""

let private connect (url: string) = plan url (Closed 2) 1000 |> opening

[<Fact>]
let ``a session is opened, loaded and closed`` () =
    use counting = sometimes 2L "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"

    match
        answers
            [
                connect $"{counting.Server.Url}/x"
                """{"do":"slice","session":1,"milliseconds":500}"""
                """{"do":"close","session":1}"""
            ]
    with
    | [ opened; sliced; closed ] ->
        Assert.True(opened.GetProperty("ok").GetBoolean())
        Assert.True(closed.GetProperty("ok").GetBoolean())
        let outcome = OutcomeJson.ofPart<Outcome>(sliced.GetProperty "outcome")

        Assert.Equal(
            (counting.Sent, counting.Spoiled),
            (outcome.Right, count RequestResult.WrongStatus outcome)
        )

        Assert.Equal(Some "the status was 404 instead of 200", Outcome.complaint outcome)
        Assert.True(outcome.Elapsed >= TimeSpan.FromMilliseconds 500.)
        Assert.Empty outcome.Samples
    | other -> Assert.Fail $"It answered {other}"

/// Requests that are none.
let private malformed =
    [
        "foo"
        "{}"
        "[]"
        """{"do":"dance"}"""
        """{"do":1}"""
        """{"do":"slice"}"""
        """{"do":"slice","session":9,"milliseconds":10}"""
        """{"do":"slice","session":"x","milliseconds":10}"""
        """{"do":"open","session":1}"""
        (connect "http://h/").Replace("http://h/", "nonsense")
        connect "ftp://127.0.0.1:1/"
        (connect "http://h/").Replace("\"http://h/\"", "null")
        { plan "http://127.0.0.1:1/" (Closed -1) 1000 with Seed = 2 } |> opening
        { plan "http://127.0.0.1:1/" (Closed 2) 1000 with Timeout = TimeSpan.Zero } |> opening
        connect "http://no-such-host.invalid/"
    ]

let requests = TheoryData<string>(malformed)

[<Theory; MemberData(nameof requests)>]
let ``a malformed request gets one error and the generator goes on`` (request: string) =
    match answers [ request; """{"do":"close","session":1}""" ] with
    | [ refused; next ] ->
        Assert.NotEqual<string>("", nonNull (refused.GetProperty("error").GetString()))
        Assert.True(next.GetProperty("ok").GetBoolean())
    | other -> Assert.Fail $"It answered {other}"

[<Fact>]
let ``a missing server is an error of one sentence`` () =
    let counting = sometimes Int64.MaxValue ""
    let url = $"{counting.Server.Url}/"
    counting.Server.Stop()
    let refused = answers [ connect url ] |> List.exactlyOne
    Assert.Contains($"{url} does not take connections", refused.GetProperty("error").GetString())
