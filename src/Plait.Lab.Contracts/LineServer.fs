// The life of a process that the lab asks: a line of JSON that says it is ready, then one line of answer for each line of request,
// until standard input ends. The processes of the scenarios adapter and blocking live by it.
namespace Plait.Lab

open System
open System.Buffers
open System.IO
open System.Runtime
open System.Text
open System.Text.Json

/// Answers lines. Standard output belongs to the answers alone.
[<AbstractClass; Sealed>]
type LineServer =

    static member private Line(write: Action<Utf8JsonWriter>) : string =
        let buffer = ArrayBufferWriter<byte>()
        use writer = new Utf8JsonWriter(buffer)
        writer.WriteStartObject()
        write.Invoke writer
        writer.WriteEndObject()
        writer.Flush()
        Encoding.UTF8.GetString buffer.WrittenSpan

    static member private Usage(writer: Utf8JsonWriter) =
        writer.WriteNumber("cpuMicroseconds", Environment.CpuUsage.TotalTime.TotalMicroseconds)
        writer.WriteNumber("allocatedBytes", GC.GetTotalAllocatedBytes true)
        writer.WriteNumber("compilingMicroseconds", JitInfo.GetCompilationTime().TotalMicroseconds)
        writer.WriteNumber("gen0", GC.CollectionCount 0)
        writer.WriteNumber("poolThreads", Threading.ThreadPool.ThreadCount)

    static member private Answer(line: string, answer: Action<string, JsonElement, Utf8JsonWriter>) =
        LineServer.Line(fun writer ->
            use document = JsonDocument.Parse line
            let wish = nonNull (document.RootElement.GetProperty("do").GetString())

            if wish = "usage" then
                LineServer.Usage writer

            answer.Invoke(wish, document.RootElement, writer))

    /// Writes `ready`, and for each line of the input the line that `answer` makes of it. Its exception is an answer
    /// as well.
    static member internal Serve
        (input: TextReader, output: TextWriter, ready: string, answer: string -> string)
        : unit =
        let say (line: string) =
            output.Write(line + "\n")
            output.Flush()

        say ready
        let mutable line = input.ReadLine()

        while not (isNull line) do
            try
                answer (nonNull line)
            with trouble ->
                let sentence = trouble.GetBaseException().Message
                LineServer.Line(fun writer -> writer.WriteString("error", sentence))
            |> say

            line <- input.ReadLine()

    /// Writes that the process `name` is ready, and answers requests until they end: `answer` is given the wish, the request
    /// and the open object of the answer. Its exception becomes the answer. "usage" is answered here, and handed on as well.
    static member Run(name: string, answer: Action<string, JsonElement, Utf8JsonWriter>) : unit =
        let output = Console.Out
        // the output of a library must not fall between the answers
        Console.SetOut Console.Error

        let ready =
            LineServer.Line(fun writer ->
                writer.WriteBoolean("ready", true)
                writer.WriteString("candidate", name)
                writer.WriteNumber("pid", Environment.ProcessId)
                writer.WriteString("runtime", string Environment.Version)
                writer.WriteBoolean("serverGc", GCSettings.IsServerGC))

        LineServer.Serve(Console.In, output, ready, (fun line -> LineServer.Answer(line, answer)))
