// Layer: evaluator, hidden task. The table of functions; the two that wait hide a task in their value.
module Plait.Candidate.FunctionTable

open Plait.Candidate.Evaluator
open Plait.Lab.Host
open Plait.Lab.Language

// `functions` is a cell because the table holds this function itself.
let private listMap (functions: Functions ref) arguments : Result<Dval, unit> =
    match arguments with
    | [ DList items; DLambda(table, [ parameter ], body) ] ->
        Ok(
            DTask(
                task {
                    let! values = mapItems functions.Value table parameter body items
                    return Dval.ofList values
                }
            )
        )
    | _ -> Error()

let private httpGet arguments : Result<Dval, unit> =
    match arguments with
    | [ DString url ] ->
        Ok(
            DTask(
                task {
                    let! data = Upstream.get url
                    return DString data
                }
            )
        )
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
