// Functions in collections and in cases that do not block, or that nothing calls.
module PLT202.Negative.Collected

open System.Collections.Generic
open System.Threading
open Support.Jobs

let private load (key: string) = (count key).Result

let private size (key: string) = key.Length

let private table = Map.ofList [ "size", size; "twice", (fun key -> 2 * size key) ]

let private steps = [ load; size ]

let harmless (name: string) =
    task {
        match Map.tryFind name table with
        | Some f -> return f "a" + table["size"] "b"
        | None -> return 0
    }

let onlyCounted () = task { return steps.Length }

type Named = { Name: string; Blocks: string -> int; Size: string -> int }

let private named = [ { Name = "a"; Blocks = load; Size = size } ]

let otherField () =
    task { return named |> List.map (fun one -> one.Size one.Name) }

let private memo (f: string -> int) =
    let known = Dictionary<string, int>()

    fun key ->
        match known.TryGetValue key with
        | true, value -> value
        | _ -> f key

let memoised () =
    task {
        let size = memo size
        return size "a"
    }
