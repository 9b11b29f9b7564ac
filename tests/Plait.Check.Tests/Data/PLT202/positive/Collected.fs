// Functions in collections, in cases of unions and behind a function that calls its argument.
module PLT202.Positive.Collected

open System.Collections.Generic
open System.Threading
open Support.Jobs

let private load (key: string) = (count key).Result

let private size (key: string) = key.Length

let private table = Map.ofList [ "load", load; "size", size ]

let private handlers = dict [ "load", load; "size", size ]

let private steps = [ load; size ]

let fromMaps (name: string) =
    task {
        let first = table[name] "a" // PLT202 warning
        let second = (Map.find name table) "a" // PLT202 warning
        let third = handlers[name] "a" // PLT202 warning

        match Map.tryFind name table with
        | Some f -> return first + second + third + f "a" // PLT202 warning
        | None -> return 0
    }

let fromLists () =
    task {
        let lengths = steps |> List.map (fun f -> f "a") // PLT202 warning

        for f in steps do
            f "a" |> ignore // PLT202 warning

        return lengths
    }

let ofItsOwn () =
    task {
        let local = Map.ofList [ "load", load ]
        return local["load"] "a" // PLT202 warning
    }

type Step =
    | Run of (string -> int)
    | Skip

let private step = Run load

let fromCases () =
    task {
        match step with
        | Run f -> return f "a" // PLT202 warning
        | Skip -> return 0
    }

let private memo (f: string -> int) =
    let known = Dictionary<string, int>()

    fun key ->
        match known.TryGetValue key with
        | true, value -> value
        | _ ->
            let value = f key
            known[key] <- value
            value

let memoised () =
    task {
        let load = memo load
        return load "a" // PLT202 warning
    }

let private byName =
    Map [ "slow", (fun (key: string) -> (count key).Result); "fast", String.length ]

let ofAMap (name: string) = task { return byName[name] "a" } // PLT202 warning
