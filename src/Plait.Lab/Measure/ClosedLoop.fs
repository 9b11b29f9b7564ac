// The closed load model: N connections, each with one request in flight. A slice is over when its time is up and
// every response is in, so that the server's CPU before and after it belongs to exactly the requests counted.
namespace Plait.Lab.Measure

open System
open System.Diagnostics
open System.Threading


open Plait.Lab.Measure

/// What a slice of load came to.
type LoadSlice =
    {
        /// Responses that had the right status and the right length.
        Requests: int64
        /// From the first request sent to the last response read.
        WallMicroseconds: float
        /// CPU of the client's process.
        CpuMicroseconds: float
        /// Responses that did not count.
        Errors: Errors
        /// What was wrong with one of them.
        Complaint: string option
    }

/// N keep-alive connections to one target. Not for use from two threads at once.
type ClosedLoop(target: Target, connections: int) =
    let mutable active = 0
    let resting = new ManualResetEventSlim false

    let idle =
        Action(fun () ->
            if Interlocked.Decrement &active = 0 then
                resting.Set())

    let all = Array.init connections (fun _ -> new ClosedConnection(target, idle))

    let ticks milliseconds =
        int64 milliseconds * Stopwatch.Frequency / 1000L

    /// Opens all connections, so that the first slice does not pay for it. Raises SocketException when nobody listens.
    member _.Open() =
        for connection in all do
            connection.Open()

    /// Loads the target for `milliseconds`, then waits for the responses that are still out.
    member _.Run(milliseconds: int) : LoadSlice =
        let cpu = Environment.CpuUsage.TotalTime
        let started = Stopwatch.GetTimestamp()
        let until = started + ticks milliseconds
        resting.Reset()
        Volatile.Write(&active, all.Length)

        for connection in all do
            connection.Begin until

        while not (resting.Wait 50) do
            let limit = Stopwatch.GetTimestamp() - ticks target.TimeoutMilliseconds

            for connection in all do
                connection.BreakIfSentBefore limit

        {
            Requests = all |> Array.sumBy _.Requests
            WallMicroseconds = (Stopwatch.GetElapsedTime started).TotalMicroseconds
            CpuMicroseconds = (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds
            Errors = all |> Array.fold (fun sum connection -> sum + connection.Errors) Errors.None
            Complaint = all |> Array.tryPick (fun connection -> Option.ofObj connection.Complaint)
        }

    interface IDisposable with
        member _.Dispose() =
            for connection in all do
                (connection :> IDisposable).Dispose()

            resting.Dispose()
