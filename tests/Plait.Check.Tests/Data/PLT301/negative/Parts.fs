// Operations in parts that other code awaits, or keeps.
module PLT301.Negative.Parts

open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs

type Store = { Save: string -> Task; Load: string -> Task<int> }

let both (names: string list) =
    task {
        let pairs = names |> List.map (fun name -> name, save name)
        do! pairs |> List.map snd |> Task.WhenAll
        return pairs |> List.map fst
    }

let wholePairs (names: string list) =
    task {
        let pairs = names |> List.map (fun name -> name, save name)
        let kept = List<string * Task>(pairs |> List.map (fun pair -> pair))
        return kept
    }

let nested (names: string list) =
    task {
        let pairs = names |> List.map (fun name -> name, [ save name; save "b" ])
        do! pairs |> List.collect snd |> Task.WhenAll
        return names.Length
    }

let bothParts (names: string list) =
    task {
        let pairs = names |> List.map (fun name -> name, save name)

        return!
            pairs
            |> List.map (fun (name, saving) ->
                task {
                    do! saving
                    return name
                })
            |> Task.WhenAll
    }

let byAField (store: Store) (names: string list) =
    task { do! names |> List.map store.Save |> Task.WhenAll }

let private started (store: Store) (name: string) = name.Length, store.Save name

let ofAFunction (store: Store) =
    task {
        let length, saving = started store "a"
        do! saving
        return length
    }

let private known = ConcurrentDictionary<string, Task<int>>()

let private cached (name: string) =
    name.Length, known.GetOrAdd(name, (fun name -> count name))

let ofACache () = task { return cached "a" |> fst }

let private failed () : Result<int, Task> = Error(save "a")

let inACase () =
    task {
        match failed () with
        | Ok n -> return n
        | Error saving ->
            do! saving
            return 0
    }

let byAPattern (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> save name, count name)
        do! jobs |> List.map (fun (saving, _) -> saving) |> Task.WhenAll
        return! jobs |> List.map (fun (_, counting) -> counting) |> Task.WhenAll
    }

let elementByElement (names: string list) =
    task {
        let jobs = names |> List.map count
        let! first = List.head jobs
        let! others = jobs |> List.tail |> Task.WhenAll
        return first + others.Length
    }

let firstOfALazySequence (names: string list) =
    task {
        let! number = names |> Seq.map count |> Seq.head
        return number + 1
    }

let onlyElement () =
    task {
        let! number = [ count "a" ] |> List.head
        return number + 1
    }

let atMost (names: string list) =
    task {
        let! numbers = names |> List.map count |> List.truncate 3 |> Task.WhenAll
        return numbers.Length
    }

let inALoop (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> name, save name)

        for name, saving in jobs do
            do! saving
            printfn "%s" name
    }

let inTwoLoops (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> name, save name)

        for name, _ in jobs do
            printfn "%s" name

        for _, saving in jobs do
            do! saving
    }
