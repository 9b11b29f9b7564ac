// Programs that FSharp.Core's `task` cannot run here, or ends otherwise; each with what has to come of it, where | stands for
// the return of the call in the run where nothing waits.
let items (given: Given) =
    { new IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator _ =
            let mutable at = 0

            { new IAsyncEnumerator<int> with
                member _.Current = at

                member _.MoveNextAsync() =
                    at <- at + 1
                    given.ValueTask(at < 3)

                member _.DisposeAsync() =
                    given.Log "-items"
                    given.UnitValueTask()
            }
    }

let failing (given: Given) =
    { new IAsyncDisposable with
        member _.DisposeAsync() =
            task {
                do! given.Unit()
                failwith "disposal"
            }
            |> ValueTask
    }

let forAsyncItems (given: Given) : Co =
    co {
        for x in items given do
            let! y = given.Task x
            given.Log $"{y}"

        return give 1
    }

let functions (given: Given) : Co =
    co {
        let! x = fun () -> given.Task 1
        let! y = fun () -> given.Task(x + 1)
        return give y
    }

let strands (given: Given) : Co =
    co {
        let! x =
            strand {
                let! y = given.Task 1
                return y + 1
            }

        return give x
    }

let mixed (given: Given) : Co =
    co {
        let! a = Task.FromResult 1
        and! b = given.ValueTask 2
        and! c = strand { return 3 }
        and! () = Task.CompletedTask
        and! d = async { return 4 }
        return give (a + b + c + d)
    }

let waitsForAll (given: Given) : Co =
    co {
        let! a = Task.FromException<int>(InvalidOperationException "left")
        and! b = given.Task 1
        return give (a + b)
    }

let useAsync (given: Given) : Co =
    co {
        use _outer = given.Open "outer"
        use _resource = given.OpenAsync "resource"
        given.Log "body"
        return give 1
    }

let disposalFails (given: Given) : Co =
    co {
        use _resource = failing given
        given.Log "body"
        return give 1
    }

let disposalFailsToo (given: Given) : Co =
    co {
        try
            use _resource = failing given
            failwith "body"
            return give 1
        with error ->
            given.Log error.Message
            return give 2
    }

let runOwn () =
    own
        name
        [
            "for over an IAsyncEnumerable",
            $"s1 s2 1 s3 s4 2 s5 -items s6 | {ended (give 1)}",
            awaited forAsyncItems
            "functions", $"s1 s2 | {ended (give 2)}", awaited functions
            "strands", $"s1 | {ended (give 2)}", awaited strands
            "and! of mixed kinds", $"s1 | {ended (give 10)}", awaited mixed
            "and! that waits for all", "s1 | ! left", awaited waitsForAll
            "use of an IAsyncDisposable", $"body -resource s1 -outer | {ended (give 1)}", awaited useAsync
            "a disposal that fails", "body s1 | ! disposal", awaited disposalFails
            "a disposal that fails too", $"s1 disposal | {ended (give 2)}", awaited disposalFailsToo
        ]
