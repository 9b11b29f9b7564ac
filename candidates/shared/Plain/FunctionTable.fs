// Layer: evaluator, plain. The table of functions. Fetching blocks, as everything synchronous does.
module Plait.Candidate.FunctionTable

open Plait.Candidate.Evaluator
open Plait.Lab.Host
open Plait.Lab.Language

// `functions` is a cell because the table holds this function itself.
let private listMap (functions: Functions ref) arguments : Result<Dval, unit> =
    match arguments with
    | [ DList items; DLambda(table, [ parameter ], body) ] ->
        Ok(Dval.ofList (mapItems functions.Value table parameter body items))
    | _ -> Error()

let private httpGet arguments : Result<Dval, unit> =
    match arguments with
    | [ DString url ] -> Ok(DString(Upstream.getBlocking url))
    | _ -> Error()

/// All functions.
let make () : Functions =
    let functions = ref Map.empty
    let others = [ Library.listMap, listMap functions; Library.httpGet, httpGet ]

    functions.Value <-
        Map
            [
                for signature, run in Traced.pureFunctions () @ others ->
                    signature.Id, { Signature = signature; Run = run }
            ]

    functions.Value
