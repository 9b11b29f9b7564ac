// The same value under other names.
module PLT101.Positive.Aliases

open System.Threading.Tasks
open Support.Jobs
open Plait

let byAlias () =
    task {
        let reading = fetch "a"
        let same = reading
        let! first = reading
        let! second = same // PLT101 warning
        return first + second
    }

let byAliasOfAlias () =
    task {
        let reading = fetch "a"
        let second = reading
        let third = second
        let! x = third
        let! y = second // PLT101 warning
        return x + y
    }

let shadowedByAlias () =
    task {
        let reading = fetch "a"
        let! first = reading
        let reading = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let byTuple () =
    task {
        let pair = fetch "a", "label"
        let reading, label = pair
        let! first = reading
        let! second = reading // PLT101 warning
        printfn $"{label}"
        return first + second
    }

let mutableAlias () =
    let mutable current = fetch "a"
    let first = current.AsTask()
    let second = current.AsTask() // PLT101 warning
    current <- fetch "b"
    let third = current.AsTask()
    Task.WhenAll(first, second, third)

let aliasOfBranch (left: bool) =
    task {
        let one = fetch "one"
        let two = fetch "two"
        let chosen = if left then one else two
        let! first = chosen
        let! second = one // PLT101 info
        let! third = two // PLT101 info
        return first + second + third
    }

let byTypeAnnotation () =
    task {
        let work: Strand<int> = spun "a"
        let copy: Strand<int> = work
        let! first = copy
        let! second = work // PLT101 warning
        return first + second
    }

let byThePlaceInAPair () =
    task {
        let pair = fetch "a", 1
        let! first = fst pair
        let! second = fst pair // PLT101 warning
        return first + second
    }
