// Layer: host. Requests without a server: only the effect runs, and its cost is counted outside of the
// loop.
namespace Plait.Lab.Host

open System
open System.Diagnostics
open System.Runtime
open System.Runtime.CompilerServices
open System.Text.Json
open System.Threading
open Plait.Lab.Language

/// Runs and counts requests on the calling thread.
module InProcess =

    // One request takes tens of microseconds and a clock read tens of nanoseconds.
    let private batchSize = 16

    // A method of its own, so that it is compiled again as hot code and never runs as a loop entered half-way.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    let private batch (engine: Engine) =
        for _ in 1..batchSize do
            engine.Run Program.fizzBuzz |> ignore

    /// Runs requests one after another for about `milliseconds`, one batch at least: a busy machine may take the processor
    /// away for longer. Writes their cost.
    let run (engine: Engine) (milliseconds: int) (writer: Utf8JsonWriter) : unit =
        let collections = GC.CollectionCount 0
        let paused = GC.GetTotalPauseDuration()
        let compiling = JitInfo.GetCompilationTime()
        let allocated = GC.GetTotalAllocatedBytes true
        let cpu = ProcessorTime.microseconds ()
        let started = Stopwatch.GetTimestamp()
        let length = TimeSpan.FromMilliseconds(float milliseconds)
        let mutable operations = 0L

        while operations = 0L || Stopwatch.GetElapsedTime started < length do
            batch engine
            operations <- operations + int64 batchSize

        let wall = Stopwatch.GetElapsedTime started
        let cpu = ProcessorTime.microseconds () - cpu
        let allocated = GC.GetTotalAllocatedBytes true - allocated
        writer.WriteNumber("operations", operations)
        writer.WriteNumber("cpuMicroseconds", cpu)
        writer.WriteNumber("wallMicroseconds", wall.TotalMicroseconds)
        writer.WriteNumber("allocatedBytes", allocated)
        writer.WriteNumber("gen0", GC.CollectionCount 0 - collections)
        writer.WriteNumber("gcPauseMicroseconds", (GC.GetTotalPauseDuration() - paused).TotalMicroseconds)

        writer.WriteNumber(
            "compilingMicroseconds",
            (JitInfo.GetCompilationTime() - compiling).TotalMicroseconds
        )

    /// Writes the processor time and memory of the process since its start.
    let usage (writer: Utf8JsonWriter) : unit =
        writer.WriteNumber("cpuMicroseconds", ProcessorTime.microseconds ())
        writer.WriteNumber("allocatedBytes", GC.GetTotalAllocatedBytes true)
        writer.WriteNumber("gen0", GC.CollectionCount 0)
        writer.WriteNumber("compilingMicroseconds", JitInfo.GetCompilationTime().TotalMicroseconds)
        writer.WriteNumber("poolThreads", ThreadPool.ThreadCount)
