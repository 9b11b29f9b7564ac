// Bytes in the sentences about responses.
module internal Plait.Load.ResponseWords

open System
open System.Text

/// So many bytes, in words.
let bytes (count: int64) : string =
    if count = 1L then "1 byte" else $"{count} bytes"

/// The first of some bytes as text, with a dot for each that is no visible letter of ASCII.
let beginning (bytes: ReadOnlySpan<byte>) : string =
    Encoding.Latin1.GetString(bytes.Slice(0, min 40 bytes.Length))
    |> String.map (fun letter -> if letter < ' ' || letter > '~' then '.' else letter)

/// The error of a length: `said` is its value, or the values of several; `name`: its name.
let badLength (name: string) (said: string) : string =
    let said = if said.Length > 40 then said.Substring(0, 40) + "..." else said
    $"{name} is '{said}', which is not one number from 0 to {Int64.MaxValue}"
