// Layer: host. Lines of JSON on standard output: one writer, so that an answer is one line whatever happens inside.
namespace Plait.Lab.Host

open System
open System.Buffers
open System.IO
open System.Text
open System.Text.Encodings.Web
open System.Text.Json
open Plait.Lab.Language

/// Makes and writes answers.
module Answer =

    let private standardOutput: Stream = Console.OpenStandardOutput()

    // No answer is ever part of a page, so quotes inside texts need no six characters each.
    let private forLines =
        JsonWriterOptions(Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping)

    let private bytes (options: JsonWriterOptions) (write: Utf8JsonWriter -> unit) =
        let buffer = ArrayBufferWriter<byte>()
        use writer = new Utf8JsonWriter(buffer, options)
        write writer
        writer.Flush()
        buffer.WrittenMemory

    /// The JSON of a value as text, as it would be served.
    let body (value: Dval) : string =
        Encoding.UTF8.GetString((bytes (Defects.json ()) (fun writer -> ValueJson.write writer value)).Span)

    /// Sends one line: an object with the properties that `properties` writes. Nothing is sent if that raises.
    let send (properties: Utf8JsonWriter -> unit) : unit =
        let line =
            bytes forLines (fun writer ->
                writer.WriteStartObject()
                properties writer
                writer.WriteEndObject())

        standardOutput.Write line.Span
        standardOutput.WriteByte(byte '\n')
        standardOutput.Flush()

    /// Sends one line with an error.
    let sendError (sentence: string) : unit =
        send (fun writer -> writer.WriteString("error", sentence))
