// How a verb is made.
module internal Plait.Tool.Verb

open System.CommandLine

/// A verb with its arguments and options, in the order in which help shows them; `run` returns the exit code.
let make
    (name: string)
    (description: string)
    (arguments: Argument list)
    (options: Option list)
    (run: ParseResult -> int)
    : Command =
    let command = Command(name, description)

    for argument in arguments do
        command.Arguments.Add argument

    for option in options do
        command.Options.Add option

    command.SetAction run
    command

/// A verb that this program calls itself with, hidden from users.
let hidden
    (name: string)
    (description: string)
    (options: Option list)
    (serve: ParseResult -> unit)
    : Command =
    let command = Command(name, description, Hidden = true)

    for option in options do
        command.Options.Add option

    command.SetAction(fun (parsed: ParseResult) ->
        serve parsed
        Endings.success)

    command

/// A verb that has other verbs below it and does nothing of its own.
let group (command: Command) (verbs: Command list) : Command =
    for verb in verbs do
        command.Subcommands.Add verb

    command
