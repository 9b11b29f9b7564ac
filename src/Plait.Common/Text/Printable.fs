// Text of other programs and files in a form that is safe for a terminal or a comment.
module Plait.Common.Printable

open System

/// The text as one line: a blank for each character that ends a line or could steer a terminal.
let line (text: string) : string =
    text
    |> String.map (fun letter ->
        if Char.IsControl letter || letter = '\u2028' || letter = '\u2029' then ' ' else letter)
