// How verbs end: exit codes, and errors as one sentence on stderr. No verb shows a stack trace. docs/exit-codes.md is the table
// of all of them.
module internal Plait.Tool.Endings

open System

open Plait.Common

/// All was done.
let success = 0

/// Something failed while it was done, or it was stopped.
let failure = 1

/// The request cannot be done.
let badInput = 2

/// A verdict was asked for, and there is none: the A/A control did not hold.
let notJudged = 3

/// All was done, and a rule that was asked for is broken.
let brokenRule = 3

/// Writes one sentence to stderr, or one with lines of candidates below it.
let complain (sentence: string) =
    let hasStop = sentence.EndsWith '?' || sentence.EndsWith '.'
    let stop = if hasStop || sentence.Contains '\n' then "" else "."
    Console.Error.WriteLine $"plait: {sentence}{stop}"

/// Runs a verb and turns its exception into a sentence and an exit code.
let guard (verb: unit -> int) : int =
    try
        verb ()
    with
    | :? BadInput as trouble ->
        complain trouble.Message
        badInput
    | :? RunFailed
    | :? WorkerFailed as trouble ->
        complain trouble.Message
        failure
    | :? OperationCanceledException ->
        complain "stopped"
        failure
    | trouble ->
        // Not foreseen: still a sentence, with the kind of trouble so that a report of it can be understood.
        let message = trouble.Message.ReplaceLineEndings " "
        complain $"an error that should not happen: {trouble.GetType().Name}: {message}"
        failure
