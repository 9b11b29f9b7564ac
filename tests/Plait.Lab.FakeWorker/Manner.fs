// How the fake worker behaves: given by its arguments, which a candidate.json of a test names.
module Plait.Lab.FakeWorker.Manner

open System

/// What goes wrong.
type Mode =
    /// Nothing.
    | Normal
    /// Its answer lacks the last string.
    | WrongBody
    /// Its answer is right in process, and wrong over HTTP.
    | WrongHttpBody
    /// It ends at once with exit code 3 and a sentence on stderr.
    | CrashAtStart
    /// It ends with exit code 4 in the middle of measuring in process.
    | CrashInTheMiddle
    /// It ends with exit code 5 in the middle of a load.
    | CrashUnderLoad
    /// It stops answering requests in the middle of a load, and its own questions as well.
    | HangUnderLoad
    /// It says nothing at all.
    | HangAtStart
    /// It stops answering in the middle of measuring in process.
    | HangInTheMiddle
    /// It prints lines that are not JSON.
    | Garbage
    /// It says that it is another candidate.
    | Impostor
    /// Every tenth response over HTTP has status 500.
    | SometimesStatus
    /// Every tenth response over HTTP is one byte short.
    | SometimesShort
    /// Responses over HTTP come in chunks.
    | Chunked
    /// It waits for the slow service only half as often as FizzBoom asks.
    | SkipsWaits

/// The manner of one process.
type Manner =
    {
        /// The name it says it has.
        Name: string
        /// What goes wrong.
        Mode: Mode
        /// How many times the work of the fastest it does for each request.
        Factor: float
        /// Whether --sync-fn was given.
        SyncFn: bool
    }

let private modes =
    [
        "normal", Normal
        "wrong-body", WrongBody
        "wrong-http-body", WrongHttpBody
        "crash-at-start", CrashAtStart
        "crash-in-the-middle", CrashInTheMiddle
        "crash-under-load", CrashUnderLoad
        "hang-under-load", HangUnderLoad
        "hang-at-start", HangAtStart
        "hang-in-the-middle", HangInTheMiddle
        "garbage", Garbage
        "impostor", Impostor
        "sometimes-status", SometimesStatus
        "sometimes-short", SometimesShort
        "chunked", Chunked
        "skips-waits", SkipsWaits
    ]

/// Reads `--as NAME`, `--mode MODE`, `--factor X` and `--sync-fn`.
let rec read (manner: Manner) (arguments: string list) : Manner =
    match arguments with
    | [] -> manner
    | "--as" :: name :: rest -> read { manner with Name = name } rest
    | "--mode" :: mode :: rest -> read { manner with Mode = List.find (fst >> (=) mode) modes |> snd } rest
    | "--factor" :: factor :: rest ->
        read { manner with Factor = Double.Parse(factor, Globalization.CultureInfo.InvariantCulture) } rest
    | "--sync-fn" :: rest -> read { manner with SyncFn = true } rest
    | other :: _ -> failwith $"the fake worker has no argument {other}"

/// A process that nothing is wrong with.
let normal = { Name = "fake"; Mode = Normal; Factor = 1.0; SyncFn = false }
