// The life of a process of the adapter scenario: a line of JSON that says it is ready, then one line of answer for each line of
// request, until standard input ends. The same words as those of a candidate.
namespace Plait.Lab.Cards

open System
open System.Buffers
open System.IO
open System.Runtime
open System.Text.Json

/// Answers lines. Standard output belongs to the answers alone.
[<AbstractClass; Sealed>]
type LineServer =

    static member private Send(output: Stream, write: Action<Utf8JsonWriter>) =
        let buffer = ArrayBufferWriter<byte>()
        use writer = new Utf8JsonWriter(buffer)
        writer.WriteStartObject()
        write.Invoke writer
        writer.WriteEndObject()
        writer.Flush()
        output.Write buffer.WrittenSpan
        output.WriteByte(byte '\n')
        output.Flush()

    static member private Usage(writer: Utf8JsonWriter) =
        writer.WriteNumber("cpuMicroseconds", Environment.CpuUsage.TotalTime.TotalMicroseconds)
        writer.WriteNumber("allocatedBytes", GC.GetTotalAllocatedBytes true)
        writer.WriteNumber("compilingMicroseconds", JitInfo.GetCompilationTime().TotalMicroseconds)
        writer.WriteNumber("gen0", GC.CollectionCount 0)
        writer.WriteNumber("poolThreads", Threading.ThreadPool.ThreadCount)

    static member private Answer(line: string, answer: Action<string, JsonElement, Utf8JsonWriter>) =
        Action<Utf8JsonWriter>(fun writer ->
            use document = JsonDocument.Parse line
            let wish = nonNull (document.RootElement.GetProperty("do").GetString())

            if wish = "usage" then
                LineServer.Usage writer

            answer.Invoke(wish, document.RootElement, writer))

    /// Says that the process `name` is ready, and answers requests until they end: `answer` is given the wish, the request
    /// and the open object of the answer. What it raises becomes the answer. "usage" is answered here, and handed on as
    /// well.
    static member Run(name: string, answer: Action<string, JsonElement, Utf8JsonWriter>) : unit =
        let output = Console.OpenStandardOutput()
        // whatever a library prints must not fall between the answers
        Console.SetOut Console.Error

        LineServer.Send(
            output,
            fun writer ->
                writer.WriteBoolean("ready", true)
                writer.WriteString("candidate", name)
                writer.WriteNumber("pid", Environment.ProcessId)
                writer.WriteString("runtime", string Environment.Version)
                writer.WriteBoolean("serverGc", GCSettings.IsServerGC)
        )

        let mutable line = Console.In.ReadLine()

        while not (isNull line) do
            try
                LineServer.Send(output, LineServer.Answer(nonNull line, answer))
            with trouble ->
                let sentence = trouble.GetBaseException().Message
                LineServer.Send(output, (fun writer -> writer.WriteString("error", sentence)))

            line <- Console.In.ReadLine()
