// What the verbs that read files of runs share: the files themselves, the unit of their values, and where the page goes.
module internal Plait.Tool.RunFiles

open System.CommandLine

open Plait.Report

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
let unit': Option<string option> =
    Options.text
        "--unit"
        "ns|us|ms|s"
        "what the values of a .hlog of another program count (default ns; a .hlog does not tell)"

/// How many nanoseconds the values of logs count.
let unitOf (parsed: ParseResult) : int64 =
    match Options.value parsed unit' with
    | None
    | Some "ns" -> 1L
    | Some "us" -> 1_000L
    | Some "ms" -> 1_000_000L
    | Some "s" -> 1_000_000_000L
    | Some other ->
        raise (BadInput $"--unit takes ns, us, ms or s, and '{other}' is none; leave it out for ns")

/// Reads the files. Raises BadInput when there is none.
let read (verb: string) (files: Argument<string[]>) (parsed: ParseResult) : Source list =
    match List.ofArray (parsed.GetRequiredValue files) with
    | [] ->
        raise (
            BadInput
                $"'{verb}' needs files behind it: the JSON of load runs or .hlog files; --help shows an example"
        )
    | names -> Source.read (unitOf parsed) names
