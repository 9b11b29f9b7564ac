// How verbs end: exit codes, and errors as one sentence on stderr. No verb shows a stack trace. docs/exit-codes.md is the table
// of all of them.
module internal Plait.Tool.Endings

open System
open System.IO

open Plait.Common

/// All was done.
let success = 0

/// A part of the work failed, or the user stopped it.
let failure = 1

/// The request cannot be done.
let badInput = 2

/// There is no verdict, because the A/A control did not hold.
let notJudged = 3

/// All was done, and a rule of --require is broken.
let brokenRule = 3

/// Writes one sentence to stderr, or one with lines of candidates below it.
let complain (sentence: string) =
    let hasStop = sentence.EndsWith '?' || sentence.EndsWith '.'
    let stop = if hasStop || sentence.Contains '\n' then "" else "."
    Streams.say $"plait: {sentence}{stop}"

/// Its number is one of the system: errno, or on Windows a Win32 error.
let private isOfSystem (trouble: IOException) : bool =
    trouble.HResult > 0
    || trouble.GetType() = typeof<IOException> && (trouble.HResult &&& 0xFFFF0000) = 0x80070000

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
    // Those of files that the user names are sentences already.
    | :? IOException as trouble when isOfSystem trouble ->
        complain $"standard output, or a file of plait's own, cannot be used: {Files.why trouble}"
        failure
    | trouble ->
        // Unexpected: a sentence with the type of the exception, for a report of the error.
        let message = trouble.Message.ReplaceLineEndings " "
        complain $"an error that should not happen: {trouble.GetType().Name}: {message}"
        failure
