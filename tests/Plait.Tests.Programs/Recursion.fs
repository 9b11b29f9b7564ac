// Programs with `let rec` inside: no state machine can be made of those, and they must run all the same. Compiled for
// each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Recursion

#nowarn "3511" // that is what these programs are for

open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let private recursionInside (given: Given) : Co =
    co {
        let rec count n : Task<int> =
            task {
                if n = 0 then
                    return 0
                else
                    let! _ = given.Task n
                    let! rest = count (n - 1)
                    return rest + 1
            }

        let! three = count 3
        let add x = x + three
        given.Log $"{add 4}"
    }

let private mutualRecursionInside (given: Given) : Co =
    co {
        let rec even n : Co =
            co {
                given.Log $"even {n}"
                let! _ = given.Task n

                if n > 0 then
                    do! odd (n - 1)
            }

        and odd n : Co =
            co {
                given.Log $"odd {n}"

                if n > 0 then
                    do! even (n - 1)
            }

        do! even 4
    }

/// Every program, by name.
let programs: (string * (Given -> Co)) list =
    [ "recursion inside", recursionInside; "mutual recursion inside", mutualRecursionInside ]
