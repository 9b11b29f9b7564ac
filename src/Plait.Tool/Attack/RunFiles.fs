// Shared by the verbs that read files of runs: the files themselves, and the unit of their values.
module internal Plait.Tool.RunFiles

open System.CommandLine

open Plait.Common
open Plait.Load

/// The files, in the order in which they are given.
let argument description : Argument<string[]> =
    Argument<string[]>(
        "FILES",
        Description = description,
        Arity = ArgumentArity.ZeroOrMore,
        DefaultValueFactory = fun _ -> [||]
    )

/// --unit
let unit': Option<int64 option> =
    Options.choice
        "--unit"
        [ "ns", 1L; "us", 1_000L; "ms", 1_000_000L; "s", 1_000_000_000L ]
        "the unit of the values in a .hlog of another program (default: ns; a .hlog has no unit)"

/// Reads the files. Raises BadInput when there is none.
let read (verb: string) (files: Argument<string[]>) (parsed: ParseResult) : RunFile list =
    match List.ofArray (parsed.GetRequiredValue files) with
    | [] ->
        raise (
            BadInput $"'{verb}' needs files: the JSON of load runs, or .hlog files; --help shows an example"
        )
    | names -> RunFile.read (Options.valueOr 1L parsed unit') names
