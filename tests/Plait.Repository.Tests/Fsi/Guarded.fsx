// Recursion that is no tail call and that no stack would hold, for the guarded strand.
let rec levels (bottom: Strand<int>) (n: int) : Co =
    co {
        if n = 0 then
            return! bottom
        else
            let! below = levels bottom (n - 1)
            return below + 1
    }

let anyDepth (given: Given) : Co =
    let bottom =
        strand {
            let! x = given.Task 5
            return x
        }

    levels bottom 1_000_000

let runGuarded () =
    own name (List.singleton ("any depth", $"s1 | {ended 1_000_005}", awaited anyDepth))
