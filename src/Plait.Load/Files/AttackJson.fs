// The JSON of a load run: writing it, and reading back what was written. All but the samples, which are thinned, comes back
// as it was, histograms to the last count.
module Plait.Load.AttackJson

open Plait.Report

open System.Collections.Generic
open System.Text.Encodings.Web
open System.Text.Json
open System.Text.Json.Serialization


/// Numbers on one line, in a file whose other values have a line each.
type private OneLine<'Number>() =
    inherit JsonConverter<'Number[]>()

    override _.Read(reader: byref<Utf8JsonReader>, _, _) =
        let numbers = JsonSerializer.Deserialize<List<'Number>> &reader

        match numbers with
        | null -> raise (JsonException "null stands where numbers should")
        | numbers -> numbers.ToArray()

    override _.Write(writer, numbers, _) =
        writer.WriteRawValue(JsonSerializer.Serialize(Seq.ofArray numbers))

let private options =
    let options =
        JsonSerializerOptions(
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            WriteIndented = true,
            RespectRequiredConstructorParameters = true,
            RespectNullableAnnotations = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping
        )

    options.Converters.Add(OneLine<int64>())
    options.Converters.Add(OneLine<float>())
    options

/// The text of the file: two-space indentation, a line feed at the end.
let write (recording: Recording) : string =
    JsonSerializer.Serialize(AttackToFile.file recording, options) + "\n"

/// Reads the text of a load run. `file` is for sentences. Raises BadInput when it is not one of this schema.
let read (file: string) (content: string) : Recording =
    let written =
        try
            JsonSerializer.Deserialize<AttackFile>(content, options)
        with :? JsonException as trouble ->
            raise (
                BadInput(
                    $"{file} is not the JSON of a load run ({AttackFile.CurrentSchema}): {trouble.Message}"
                )
            )

    match written with
    | null -> raise (BadInput $"{file} holds null instead of a load run")
    | written when written.Schema <> AttackFile.CurrentSchema ->
        raise (
            BadInput(
                $"{file} has the schema '{written.Schema}', and this tool reads '{AttackFile.CurrentSchema}'; use the tool that wrote it"
            )
        )
    | written -> AttackFromFile.recording file written
