// How operations start, end, follow and hold each other, which is the part of a builder that is its own. FSharp.Core's
// `task` says what has to come of these programs. `co` is the builder, `Co` what it makes, `give` the result it can give.
let child (given: Given) (n: int) : Co =
    co {
        given.Log $"child {n}"
        let! x = given.Task n
        return give x
    }

let result (given: Given) : Co =
    co {
        given.Log "ran"
        return give 5
    }

let throwsAtOnce (_: Given) : Co = co { return failwith "at once" }

let throwsLate (given: Given) : Co =
    co {
        do! given.Unit()
        failwith "late"
        return give 1
    }

let everyKind (given: Given) : Co =
    co {
        let! a = given.Task 1
        let! b = given.ValueTask 2
        do! given.Unit()
        do! given.UnitValueTask()
        let! c = given.Async 3

        if given.Yields then
            do! Task.Yield()

        let! d = given.Task(4).ConfigureAwait false
        do! given.Task()
        return give (a + b + c + d)
    }

let returnFrom (given: Given) : Co =
    co {
        let! x = given.Task 1
        if x = 1 then return! child given 2 else return! result given
    }

let returnFromTry (given: Given) : Co =
    co {
        try
            try
                return! child given 1
            finally
                given.Log "finally"
        with error ->
            given.Log error.Message
            return! child given 2
    }

let returnFromUse (given: Given) : Co =
    co {
        use _resource = given.Open "resource"

        match! given.Task 1 with
        | 1 -> return! child given 3
        | _ -> return! result given
    }

let bindsOwnKind (given: Given) : Co =
    co {
        let! a = child given 1
        given.Log $"{a}"
        let! b = child given 2
        given.Log $"{b}"
        return give 3
    }

let childThrows (given: Given) : Co =
    let throwing () : Co =
        co {
            use _inside = given.Open "inside"
            do! given.Unit()
            return failwith "child"
        }

    co {
        try
            let! _ = throwing ()
            return give 1
        with error ->
            given.Log error.Message
            return give 2
    }

let canceled (given: Given) : Co =
    co {
        try
            do! given.Unit()
            do! Task.FromCanceled(CancellationToken true)
            return give 1
        finally
            given.Log "finally"
    }

let canceledByThrowing (given: Given) : Co =
    co {
        do! given.Unit()
        CancellationToken(true).ThrowIfCancellationRequested()
        return give 1
    }

let rec recursive (given: Given) (n: int) : Co =
    co {
        if n = 0 then
            return give 0
        else
            do! given.Unit()
            let! _ = recursive given (n - 1)
            given.Log $"{n}"
            return give n
    }

let rec isEven (given: Given) (n: int) : Co =
    co {
        let! n = given.Task n
        if n = 0 then return give 1 else return! isOdd given (n - 1)
    }

and isOdd (given: Given) (n: int) : Co =
    co {
        let! n = given.Task n
        if n = 0 then return give 0 else return! isEven given (n - 1)
    }

let rec deepTail (given: Given) (n: int) : Co =
    co {
        if n = 0 then
            return give 0
        elif given.Yields && n % 100 = 0 then
            do! Task.Yield()
            return! deepTail given (n - 1)
        else
            return! deepTail given (n - 1)
    }

let rec deep (given: Given) (n: int) : Co =
    co {
        if n = 0 then
            let! x = given.Task 1
            return give x
        else
            let! x = deep given (n - 1)
            return x
    }

let seesCaller (given: Given) : Co =
    co {
        given.Log $"{ambient.Value}"
        do! given.Unit()
        given.Log $"{ambient.Value}"
        ambient.Value <- 8
        do! given.Unit()
        return give ambient.Value
    }

let keepsItsOwn (given: Given) : Co =
    let writing () : Co =
        co {
            ambient.Value <- 9
            do! given.Unit()
            return give ambient.Value
        }

    co {
        let started = writing ()
        let seen = ambient.Value
        let! _ = started
        given.Log $"{seen}"
        return give ambient.Value
    }

let runStarts () =
    same
        name
        [
            "a result", awaited result
            "a throw at once", awaited throwsAtOnce
            "a throw behind an await", awaited throwsLate
            "binds of every kind", awaited everyKind
            "return!", awaited returnFrom
            "return! in try", awaited returnFromTry
            "return! under use", awaited returnFromUse
            "binds of the builder's own kind", awaited bindsOwnKind
            "a child that throws", awaited childThrows
            "a canceled source", awaited canceled
            "a cancellation thrown", awaited canceledByThrowing
            "recursion", awaited (fun given -> recursive given 4)
            "mutual recursion", awaited (fun given -> isEven given 4)
            "deep return!", awaited (fun given -> deepTail given 1_000)
            "deep let!", awaited (fun given -> deep given 1_000)
            "the caller's AsyncLocal", awaited seesCaller
            "its own AsyncLocal", awaited keepsItsOwn
        ]
