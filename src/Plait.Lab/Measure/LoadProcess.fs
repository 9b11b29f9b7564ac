// The process of the load client, typed, and a slice of load on a candidate's server.
namespace Plait.Lab.Measure

open System
open System.Text.Json

open Plait.Load

/// The running load client. Raises WorkerFailed, with the subject "the load client", when it does not do as it should.
type LoadProcess private (worker: LineProcess, patience: int) =
    let mutable lastTarget = 0

    /// The subject of its failures.
    static member Subject = "the load client"

    /// Starts the client. `command`: the executable and arguments that become the client.
    static member Start(command: string list, core: int option, patience: int) : LoadProcess =
        let worker, _ =
            LineProcess.Start(
                {
                    Subject = LoadProcess.Subject
                    File = command.Head
                    Arguments = command.Tail
                    // One thread reads the sockets and sends the next request itself: no hop between threads.
                    Variables = [ "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1" ]
                    Core = core
                },
                patience
            )

        new LoadProcess(worker, patience)

    /// Opens `connections` connections to `url`, whose right answer has `bodyLength` bytes. Returns the target's number.
    member _.Connect(url: string, connections: int, bodyLength: int) : int =
        lastTarget <- lastTarget + 1

        let request =
            JsonSerializer.Serialize
                {|
                    ``do`` = "connect"
                    target = lastTarget
                    url = url
                    connections = connections
                    bodyLength = bodyLength
                    timeoutMilliseconds = patience / 2
                |}

        worker.Ask("connecting", request, patience) |> ignore
        lastTarget

    /// Loads the target for `milliseconds`; `server` is the process behind it, whose CPU and bytes the slice reports.
    /// Also returns what was wrong with a response, if one was.
    member _.Run(server: CandidateProcess, target: int, milliseconds: int) : Slice * string option =
        let before = server.Usage()

        let reply =
            worker.Ask(
                "loading a server",
                $"""{{"do":"run","target":{target},"milliseconds":{milliseconds}}}""",
                2 * patience + milliseconds
            )

        let after = server.Usage()
        let subject = LoadProcess.Subject

        let count name =
            Reply.whole subject name (reply.GetProperty "errors")

        let wall = Reply.number subject "wallMicroseconds" reply

        {
            Operations = Reply.whole subject "requests" reply
            CpuMicroseconds = after.CpuMicroseconds - before.CpuMicroseconds
            WallMicroseconds = wall
            AllocatedBytes = after.AllocatedBytes - before.AllocatedBytes
            Errors =
                {
                    Status = count "status"
                    Length = count "length"
                    Connection = count "connection"
                    Timeout = count "timeout"
                }
            ClientBusy = Reply.number subject "cpuMicroseconds" reply / wall
            Counters = Map.empty
        },
        Reply.textOption "complaint" reply

    /// Closes the connections of a target.
    member _.Close(target: int) : unit =
        worker.Ask("closing connections", $"""{{"do":"close","target":{target}}}""", patience)
        |> ignore

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()
