// Layer: evaluator, wrapped. The table of functions: those that evaluate or wait, and those that only compute, which the
// factor sync-fn calls without a wrapper.
module Plait.Candidate.FunctionTable

open Plait.Lab.Host
open Plait.Lab.Language

// `functions` is a cell because the table holds this function itself.
let private listMap (functions: Functions ref) arguments : FunctionEffect<Result<Dval, unit>> =
    functionEffect {
        match arguments with
        | [ DList items; DLambda(table, [ parameter ], body) ] ->
            let! values = Evaluator.mapItems functions.Value table parameter body items
            return Ok(Dval.ofList values)
        | _ -> return Error()
    }

let private httpGet arguments : FunctionEffect<Result<Dval, unit>> =
    functionEffect {
        match arguments with
        | [ DString url ] ->
            let! data = Effect.ofTask (Upstream.get url)
            return Ok(DString data)
        | _ -> return Error()
    }

let private wrap (run: PureFunction) arguments : FunctionEffect<Result<Dval, unit>> =
    functionEffect { return run arguments }

/// All functions. With `syncFn` those that only compute are called without a wrapper.
let make (syncFn: bool) : Functions =
    let functions = ref Map.empty

    let pureOnes =
        [
            for signature, run in Traced.pureFunctions () ->
                let implementation =
                    if syncFn then
                        Sync run
                    else
                        Async(EffectFunction.ofNamed (fun arguments -> wrap run arguments))

                signature, implementation
        ]

    let others =
        [
            Library.listMap, Async(EffectFunction.ofNamed (fun arguments -> listMap functions arguments))
            Library.httpGet, Async(EffectFunction.ofNamed (fun arguments -> httpGet arguments))
        ]

    functions.Value <-
        Map
            [
                for signature, implementation in pureOnes @ others ->
                    signature.Id, { Signature = signature; Implementation = implementation }
            ]

    functions.Value
