// Programs that no compiler makes state machines of: the expressions hold recursive functions. FSharp.Core's `task` says
// what has to come of them.
let recursionInside (given: Given) : Co =
    co {
        let rec count n : Co =
            co {
                let! x = given.Task n

                if x = 0 then
                    return give 0
                else
                    let! rest = count (n - 1)
                    given.Log $"{n}"
                    return rest
            }

        let! rest = count 3
        do! given.Unit()
        return rest
    }

let loopInside (given: Given) : Co =
    co {
        try
            let rec even n : Co =
                co {
                    use _turn = given.Open $"{n}"
                    do! given.Unit()
                    if n = 0 then return give 1 else return! odd (n - 1)
                }

            and odd n : Co =
                co { if n = 0 then return give 0 else return! even (n - 1) }

            for n in 1..3 do
                let! x = even n
                given.Log $"{x}"

            return give 2
        with error ->
            given.Log error.Message
            return give 3
    }

let runInside () =
    same name [ "recursion inside", awaited recursionInside; "mutual recursion inside", awaited loopInside ]
