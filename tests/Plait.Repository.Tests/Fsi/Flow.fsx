// Statements inside of an expression, which the builders of a family share. FSharp.Core's `task` says what has to come of
// these programs. Long, because it is a catalogue: a program a statement, none of them shared.
type Big = { A: int64; B: string; C: decimal; D: Guid; E: DateTime; F: int64 }

let tenBinds (given: Given) : Co =
    co {
        let! a = given.Task 1
        let! b = given.Task 2
        let! c = given.ValueTask 3
        let! d = given.Task 4
        let! e = given.Task 5
        let! f = given.ValueTask 6
        let! g = given.Task 7
        let! h = given.Task 8
        let! i = given.Task 9
        let! j = given.Task 10
        return give (a + b + c + d + e + f + g + h + i + j)
    }

let branches (given: Given) : Co =
    co {
        let! a = given.Task 2

        if a > 1 then
            do! given.Unit()

        if a > 2 then
            given.Log "not here"
        elif a = 2 then
            let! b = given.Task 3
            given.Log $"{b}"

        if a = 3 then
            return give 1
        else
            let! c = given.Task 4
            return give c
    }

let matchBang (given: Given) : Co =
    co {
        match! given.Task(Some 4) with
        | Some 1 -> return give 1
        | Some n ->
            let! m = given.Task n
            return give m
        | None -> return! child given 2
    }

let nestedMatch (given: Given) : Co =
    co {
        let! a = given.Task(Some 1)
        let! b = given.Task [ 1; 2 ]

        match a, b with
        | Some x, y :: rest ->
            match rest with
            | [ z ] when z = x + y ->
                let! w = given.Task z
                return give (w + x)
            | _ -> return give 0
        | None, _ -> return! child given 3
        | _, [] -> return give -1
    }

let whiles (given: Given) : Co =
    co {
        let mutable i = 0
        let mutable sum = 0

        while i < 4 do
            let! x = given.Task i
            sum <- sum + x
            i <- i + 1

        return give sum
    }

let whileBang (given: Given) : Co =
    co {
        let mutable n = 0

        while! given.Task(n < 3) do
            n <- n + 1
            given.Log $"turn {n}"

        return give n
    }

let forArray (given: Given) : Co =
    co {
        let mutable sum = 0

        for x in [| 1; 2; 3 |] do
            let! y = given.Task x
            sum <- sum + y

        return give sum
    }

let forList (given: Given) : Co =
    co {
        for x in [ 1; 2; 3 ] do
            let! y = given.Task x
            given.Log $"{y}"

        return give 1
    }

let forResizeArray (given: Given) : Co =
    co {
        for x in ResizeArray [ 1; 2; 3 ] do
            do! given.Unit()
            given.Log $"{x}"

        return give 1
    }

let forSequence (given: Given) : Co =
    let items =
        seq {
            use _end = given.Open "items"
            yield 1
            yield 2
        }

    co {
        for x in items do
            let! y = given.ValueTask x
            given.Log $"{y}"

        return give 1
    }

let forRanges (given: Given) : Co =
    co {
        for x in 1..2 do
            let! y = given.Task x
            given.Log $"{y}"

        for x in 6..-2..4 do
            do! given.Unit()
            given.Log $"{x}"

        for x = 1 to 2 do
            do! given.Unit()
            given.Log $"{x}"

        return give 1
    }

let forPatterns (given: Given) : Co =
    co {
        for a, (b, c) in [ 1, (2, 3); 4, (5, 6) ] do
            let! d = given.Task(a + b)
            given.Log $"{c + d}"

        for KeyValue(key, value) in dict [ 1, "a"; 2, "b" ] do
            do! given.Unit()
            given.Log $"{key}{value}"

        return give 1
    }

let forNothing (given: Given) : Co =
    co {
        for _ in ([||]: int[]) do
            do! given.Unit()

        for _ in ([]: int list) do
            do! given.Unit()

        for _ in Seq.empty<int> do
            do! given.Unit()

        while false do
            do! given.Unit()

        return give 0
    }

let loopsInLoops (given: Given) : Co =
    co {
        let later = ResizeArray<unit -> int>()

        for x in [ 1; 2 ] do
            for y in [| 10; 20 |] do
                let! z = given.Task(x + y)
                later.Add(fun () -> x + y + z)

        return give (Seq.sumBy (fun f -> f ()) later)
    }

let manyTurns (given: Given) : Co =
    co {
        let mutable sum = 0

        for x in 1..2_000 do
            let! y = if x % 500 = 0 then given.Task x else Task.FromResult x
            sum <- sum + y

        return give sum
    }

let tryWith (given: Given) : Co =
    co {
        try
            let! x = given.Task 1
            do! given.Unit()
            return give x
        with error ->
            given.Log error.Message
            let! y = given.Task 2
            return give y
    }

let otherHandler (given: Given) : Co =
    co {
        try
            do! given.Unit()
            return give 1
        with :? ArgumentException ->
            return give 2
    }

let handlerFails (given: Given) : Co =
    co {
        try
            try
                let! _ = given.Task 1
                do! given.Unit()
                return failwith "body"
            with error ->
                do! given.Unit()
                return failwith $"handler of {error.Message}"
        with Failure message ->
            given.Log message
            return give 3
    }

let tryFinally (given: Given) : Co =
    co {
        try
            try
                let! x = given.Task 1
                do! given.Unit()
                return give x
            finally
                given.Log "inner"
        finally
            given.Log "outer"
    }

let finallyThrows (given: Given) : Co =
    co {
        try
            do! given.Unit()
            do! given.Unit()
            return give 1
        finally
            given.Log "finally"
            failwith "of the end"
    }

let tryInLoop (given: Given) : Co =
    co {
        let mutable caught = 0

        for x in 1..3 do
            try
                try
                    do! given.Unit()

                    if x = 2 then
                        failwith "second"
                finally
                    given.Log $"end {x}"
            with error ->
                given.Log error.Message
                caught <- caught + 1

        return give caught
    }

let usings (given: Given) : Co =
    co {
        use _first = given.Open "first"
        let! x = given.Task 1
        use _second = given.Open "second"
        do! given.Unit()
        use (_none: IDisposable) = null
        return give x
    }

let useBang (given: Given) : Co =
    co {
        use! _resource = given.Task(given.Open "resource")
        do! given.Unit()
        return give 1
    }

let useInLoop (given: Given) : Co =
    co {
        for x in 1..3 do
            use _turn = given.Open $"{x}"
            do! given.Unit()

        return give 1
    }

let together (given: Given) : Co =
    co {
        let! a = Task.FromResult 1
        and! b = given.Task 2
        return give (a + b)
    }

let genericCode (given: Given) : Co =
    let rec each (items: 'a list) (f: 'a -> Task<'b>) (found: 'b -> unit) : Co =
        co {
            match items with
            | [] -> return give 0
            | item :: rest ->
                let! x = f item
                found x
                return! each rest f found
        }

    co {
        let! _ = each [ 1; 2 ] (fun n -> given.Task(string n)) given.Log

        let! _ =
            each [ "a" ] (fun text -> given.Task text.Length) (fun n -> given.Log $"{n}")

        return give 1
    }

let bigLocals (given: Given) : Co =
    co {
        let big =
            { A = 1L; B = "b"; C = 2M; D = Guid.Empty; E = DateTime.UnixEpoch; F = 3L }

        let! x = given.Task 4
        let changed = { big with A = int64 x; B = "c" }
        let text, struct (p, q) = "text", struct (1.5, 'c')
        do! given.Unit()
        let! struct (y, z) = given.Task(struct (5, 6))
        let! (v, w) = given.Task((7, "w"))
        given.Log $"{big.B}{big.C}{changed.A}{changed.B}{changed.E.Year}{text}{p}{q}{z}{v}{w}"
        return give (x + y)
    }

let mutables (given: Given) : Co =
    co {
        let mutable total = 0

        try
            while total < 8 do
                use _turn = given.Open $"{total}"

                match total % 3 with
                | 0 ->
                    let! x = given.Task 2
                    total <- total + x
                | _ ->
                    let! x = given.ValueTask 3
                    total <- total + x
        finally
            total <- total + 100
            given.Log $"{total}"

        return give total
    }

let runFlow () =
    same
        name
        [
            "ten binds", awaited tenBinds
            "branches", awaited branches
            "match!", awaited matchBang
            "match in match", awaited nestedMatch
            "while", awaited whiles
            "while!", awaited whileBang
            "for over an array", awaited forArray
            "for over a list", awaited forList
            "for over a ResizeArray", awaited forResizeArray
            "for over a sequence", awaited forSequence
            "for over ranges", awaited forRanges
            "for with patterns", awaited forPatterns
            "for over nothing", awaited forNothing
            "loops in loops", awaited loopsInLoops
            "many turns", awaited manyTurns
            "try with", awaited tryWith
            "a handler for another error", awaited otherHandler
            "a handler that fails", awaited handlerFails
            "try finally", awaited tryFinally
            "a finally that throws", awaited finallyThrows
            "try in a loop", awaited tryInLoop
            "use", awaited usings
            "use!", awaited useBang
            "use in a loop", awaited useInLoop
            "and!", awaited together
            "generic code", awaited genericCode
            "big locals", awaited bigLocals
            "mutable locals", awaited mutables
        ]
