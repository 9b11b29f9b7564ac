// How a candidate's process behaves: what it says of itself, what it makes of requests that are none, and how it ends.
module Plait.Lab.Tests.CandidateProtocol

open System
open System.Diagnostics
open System.Text.Json
open Xunit

open Plait.Common
open Plait.Load
open Plait.Lab
open Plait.Tests.Support

let ids = Fleet.ids
let names = Fleet.names

let private assembly (name: string) =
    (Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = name)).Assembly

/// A process of its own, spoken to as a pipe.
let private start (name: string) (arguments: string list) =
    let info =
        ProcessStartInfo(
            CandidateProcess.Host,
            assembly name :: arguments,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    nonNull (Process.Start info)

let private line (child: Process) : string =
    match child.StandardOutput.ReadLineAsync() |> Within.result "a line of a candidate" with
    | null -> failwith $"The process ended: {child.StandardError.ReadToEnd()}"
    | line -> line

let private ended (child: Process) =
    if not (child.WaitForExit(int Within.limit.TotalMilliseconds)) then
        child.Kill true
        Assert.Fail "The process did not end."

    child.ExitCode

[<Theory; MemberData(nameof ids)>]
let ``the first line of a candidate has the facts of its description`` (id: string) =
    let ship = Fleet.ship id
    let said = ship.Introduction
    let text (name: string) = said.GetProperty(name).GetString()
    Assert.Equal(ship.Plan.Candidate.Name, text "candidate")
    Assert.Equal(not ship.Plan.Factors.IsEmpty, said.GetProperty("syncFn").GetBoolean())
    Assert.Equal(Option.toObj ship.Plan.Candidate.Library, text "library")
    Assert.Equal(ship.Plan.Candidate.Library.IsSome, not (isNull (text "libraryVersion")))
    Assert.False(said.GetProperty("serverGc").GetBoolean())
    Assert.StartsWith("10.", text "runtime")

[<Theory; MemberData(nameof ids)>]
let ``a run counts operations and their cost`` (id: string) =
    let reply = (Fleet.ship id).Ask """{"do":"run","milliseconds":20}"""
    let number (name: string) = reply.GetProperty(name).GetDouble()
    Assert.True(number "operations" >= 1.0)
    Assert.True(number "cpuMicroseconds" > 0.0)
    Assert.True(number "wallMicroseconds" >= 20000.0, "a run lasts at least as long as it was asked to")
    // The values of a request alone are over 100 kB.
    Assert.True(number "allocatedBytes" / number "operations" > 50000.0)

[<Theory; MemberData(nameof ids)>]
let ``a run does something even if its time is over before it begins`` (id: string) =
    let reply = (Fleet.ship id).Ask """{"do":"run","milliseconds":0}"""
    Assert.True(reply.GetProperty("operations").GetInt64() > 0L)

/// Requests that are none.
let private malformed =
    [
        "foo"
        ""
        "{"
        "1"
        "null"
        "[]"
        "\"body\""
        "{}"
        """{"do":1}"""
        """{"do":null}"""
        """{"do":"dance"}"""
        """{"do":"run"}"""
        """{"do":"run","milliseconds":-1}"""
        """{"do":"run","milliseconds":"long"}"""
        """{"do":"run","milliseconds":1e99}"""
        """{"do":"evaluate"}"""
        """{"do":"evaluate","program":1}"""
        """{"do":"evaluate","program":{}}"""
        """{"do":"evaluate","program":{"int":1.5}}"""
        """{"do":"evaluate","program":{"dance":1}}"""
        """{"do":"evaluate","program":{"let":"x","rhs":{"int":1}}}"""
        """{"do":"evaluate","program":{"call":["a","b"],"arguments":[]}}"""
        """{"do":"evaluate","program":{"lambda":"x","body":{"int":1}}}"""
        """{"do":"serve","port":70000}"""
        """{"do":"serve","port":-5}"""
        """{"do":"upstream"}"""
        """{"do":"upstream","url":"nonsense"}"""
        """{"do":"boom"}"""
        String.replicate 2000 "["
        """{"do":"evaluate","program":"""
        + String.replicate 900 """{"lambda":["x"],"body":"""
        + "1"
    ]

[<Theory; MemberData(nameof names)>]
let ``a malformed request gets one error each and the worker goes on`` (name: string) =
    use child = start name []
    line child |> ignore

    for at, request in List.indexed malformed do
        child.StandardInput.WriteLine request
        child.StandardInput.WriteLine $"""{{"do":"evaluate","program":{{"int":{at}}}}}"""
        child.StandardInput.Flush()
        use reply = JsonDocument.Parse(line child)

        match reply.RootElement.TryGetProperty "error" with
        | true, sentence ->
            let sentence = nonNull (sentence.GetString())
            Assert.True(sentence.Length > 10, $"{request} is answered by '{sentence}'")
            Assert.DoesNotContain("   at ", sentence)
        | _ -> Assert.Fail $"{request} is answered by {reply.RootElement}"

        use next = JsonDocument.Parse(line child)
        Assert.Equal(at, next.RootElement.GetProperty("value").GetInt32())

    child.StandardInput.Close()
    Assert.Equal(0, ended child)

[<Theory; MemberData(nameof names)>]
let ``the end of standard input ends the process`` (name: string) =
    use child = start name []
    line child |> ignore
    child.StandardInput.Close()
    Assert.Equal(0, ended child)

/// What a process may be busy with when its input ends.
let busy =
    TheoryData<string>([ """{"do":"serve"}"""; """{"do":"run","milliseconds":100000000}""" ])

[<Theory; MemberData(nameof busy)>]
let ``the end of standard input ends a process that is busy`` (request: string) =
    use child = start "strand" []
    line child |> ignore
    child.StandardInput.WriteLine request
    child.StandardInput.Close()
    Assert.Equal(0, ended child)

[<Theory; MemberData(nameof names)>]
let ``sync-fn is accepted only by candidates that it applies to`` (name: string) =
    let candidate =
        Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = name)

    use child = start name [ "--sync-fn" ]
    child.StandardInput.Close()

    let sentence =
        child.StandardError.ReadToEndAsync() |> Within.result "the last words of a candidate"

    let code = ended child

    if not candidate.Factors.IsEmpty then
        Assert.Equal(0, code)
    else
        Assert.Equal(2, code)
        Assert.Contains("--sync-fn", sentence)

[<Fact>]
let ``a crash ends in one sentence with the last words`` () =
    let start () =
        LineProcess.Start(
            {
                Subject = "sync"
                File = CandidateProcess.Host
                Arguments = [ assembly "sync"; "--dance" ]
                Variables = []
                Core = None
            },
            60000
        )
        |> ignore

    let trouble = Assert.Throws<WorkerFailed>(Action start)
    Assert.Equal("sync", trouble.Subject)
    Assert.Contains("exit code 2", trouble.Message)
    Assert.Contains("--dance: known here are --sync-fn, --serve, --logging", trouble.Message)
