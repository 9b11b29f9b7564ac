// Text that somebody else has written, as a terminal or a comment may have it.
module Plait.Common.Printable

open System

/// The text as one line: a blank for each character that ends a line or could steer a terminal.
let line (text: string) : string =
    text
    |> String.map (fun letter ->
        if Char.IsControl letter || letter = '\u2028' || letter = '\u2029' then ' ' else letter)
