// Many snippets in one compilation, each in a module of its own: the compiler's start costs more than a snippet does.
module Plait.Repository.Tests.Batch

open System

let private indented (text: string) =
    String.Join("\n", [ for line in text.Split '\n' -> if line = "" then "" else "    " + line ])

/// The name of the module that holds a snippet.
let moduleOf (name: string) =
    "M_" + String.map (fun letter -> if Char.IsAsciiLetter letter then letter else '_') name

/// One file of all snippets, behind the awaitables and these opens, with `co {` and `BUILDER` replaced by a builder. The
/// builders take turns.
let file (opens: string) (builders: string list) (snippets: (string * string) list) =
    let one index (name: string, code: string) =
        let builder = builders[index % builders.Length]
        let code = code.Replace("co {", builder + " {").Replace("BUILDER", builder)
        $"module {moduleOf name} =\n{indented code}\n"

    Awaitables.head + opens + "\n\n" + String.Join("\n", List.mapi one snippets)
