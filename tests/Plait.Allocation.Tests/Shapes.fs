// Every shape of a computation expression whose synchronous path must add no byte. Compiled for each builder: see the project
// file.
module Plait.Allocation.Tests.Shapes.Strands

open System
open System.Threading.Tasks

open Plait.Allocation.Tests.Builders.Strands

/// Disposable without a byte.
type Resource() =
    interface IDisposable with
        member _.Dispose() = ()

/// Disposable asynchronously, at once.
type AsyncResource() =
    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask()

type Animal =
    | Cat of int
    | Dog of string

let private resource = new Resource()
let private asyncResource = AsyncResource()
let private array = [| 1; 2; 3 |]
let private list = [ 1; 2; 3 ]
let private resizeArray = ResizeArray array
let private finished = Task.FromResult 1
let private animals = [| Cat 1; Dog "a" |]

let one (x: int) : Effect<int> = effect { return x }

let twoBinds () =
    effect {
        let! a = one 1
        let! b = one 2
        return a + b
    }

let rec sum (n: int) : Effect<int> =
    effect {
        if n = 0 then
            return 0
        else
            let! rest = sum (n - 1)
            return rest + n
    }

type Counter(start: int) =
    member _.Start = start

    member this.Next(x: int) : Effect<int> =
        effect {
            let! y = one x
            return y + this.Start
        }

let private counter = Counter 3

let identity (x: 'a) : Effect<'a> = effect { return x }

let generic (x: 'a) : Effect<'a> =
    effect {
        let! y = identity x
        return y
    }

let apply (f: 'a -> Effect<'b>) (x: 'a) : Effect<'b> =
    effect {
        let! y = f x
        return y
    }

let private identityOfInt: int -> Effect<int> = identity

let captures (a: int) (b: int) : Effect<int> =
    effect {
        let! x = one a
        let! y = one (x + b)
        return x + y + a + b
    }

let nested () : Effect<int> =
    effect {
        let! x =
            effect {
                let! y = one 1
                return y + 1
            }

        return x
    }

let eight () : Effect<int> =
    effect {
        let! a = one 1
        let! b = one a
        let! c = one b
        let! d = one c
        let! e = one d
        let! f = one e
        let! g = one f
        let! h = one g
        return a + b + c + d + e + f + g + h
    }

let forty () : Effect<int> =
    effect {
        let! a = eight ()
        let! b = eight ()
        let! c = eight ()
        let! d = eight ()
        let! e = eight ()
        let! f = one a
        let! g = one b
        let! h = one c
        let! i = one d
        let! j = one e
        let! k = one f
        let! l = one g
        let! m = one h
        let! n = one i
        let! o = one j
        let! p = one k
        let! q = one l
        let! r = one m
        let! s = one n
        let! t = one o
        let! u = one p
        let! v = one q
        let! w = one r
        let! x = one s
        let! y = one t
        let! z = one u
        let! a1 = one v
        let! b1 = one w
        let! c1 = one x
        let! d1 = one y
        let! e1 = one z
        let! f1 = one a1
        let! g1 = one b1
        let! h1 = one c1
        let! i1 = one d1
        let! j1 = one e1
        let! k1 = one f1
        let! l1 = one g1
        let! m1 = one h1
        let! n1 = one i1
        return j1 + k1 + l1 + m1 + n1
    }

let branches (x: int) : Effect<int> =
    effect {
        if x > 0 then
            let! y = one x
            return y
        else
            match x with
            | 0 -> return! one 5
            | n ->
                let! y = one n
                return -y
    }

let guards (animal: Animal) : Effect<int> =
    effect {
        match animal with
        | Cat n when n > 5 -> return n
        | Cat n ->
            let! m = one n
            return m
        | Dog name when name.Length > 3 -> return! one name.Length
        | Dog _ -> return 0
    }

let lists (items: int list) : Effect<int> =
    effect {
        match items with
        | [] -> return 0
        | [ a ] -> return! one a
        | a :: b :: _ ->
            let! x = one a
            let! y = one b
            return x + y
    }

let matchBang () : Effect<int> =
    effect {
        match! one 3 with
        | 3 -> return 1
        | _ -> return 0
    }

let tryWith () : Effect<int> =
    effect {
        try
            let! x = one 1
            return x
        with _ ->
            return 0
    }

let tryFinally () : Effect<int> =
    effect {
        try
            let! x = one 1
            return x
        finally
            ignore array
    }

let useSync () : Effect<int> =
    effect {
        use _held = resource
        let! x = one 1
        return x
    }

let useAsync () : Effect<int> =
    effect {
        use _held = asyncResource
        let! x = one 1
        return x
    }

let forArray () : Effect<int> =
    effect {
        for item in array do
            let! _ = one item
            ()

        return 1
    }

let forList () : Effect<int> =
    effect {
        for item in list do
            let! _ = one item
            ()

        return 1
    }

let forResizeArray () : Effect<int> =
    effect {
        for item in resizeArray do
            let! _ = one item
            ()

        return 1
    }

let forRange () : Effect<int> =
    effect {
        for item in Range(1, 4) do
            let! _ = one item
            ()

        return 1
    }

let andBang () : Effect<int> =
    effect {
        let! a = one 1
        and! b = one 2
        and! c = finished
        return a + b + c
    }

let tasks () : Effect<int> =
    effect {
        let! a = finished
        let! b = ValueTask<int> 2
        do! Task.CompletedTask
        do! ValueTask()
        return a + b
    }

let statements (x: int) : Effect<int> =
    effect {
        if x > 0 then
            do! Task.CompletedTask

        return! one x
    }

/// What is run for each shape, by name.
let all: (string * (unit -> int)) list =
    [
        "a value", (fun () -> got (one 1))
        "two binds", (fun () -> got (twoBinds ()))
        "let rec", (fun () -> got (sum 20))
        "a member using this", (fun () -> got (counter.Next(1)))
        "a generic function at int", (fun () -> got (generic 1))
        "a generic function at string", (fun () -> (got (generic "a")).Length)
        "a higher-order generic function", (fun () -> got (apply identityOfInt 1))
        "captures", (fun () -> got (captures 1 2))
        "an expression inside an expression", (fun () -> got (nested ()))
        "eight binds", (fun () -> got (eight ()))
        "forty binds", (fun () -> got (forty ()))
        "if and match", (fun () -> got (branches 1) + got (branches 0) + got (branches -1))
        "patterns with guards", (fun () -> got (guards animals[0]) + got (guards animals[1]))
        "list patterns", (fun () -> got (lists list))
        "match!", (fun () -> got (matchBang ()))
        "try/with", (fun () -> got (tryWith ()))
        "try/finally", (fun () -> got (tryFinally ()))
        "use", (fun () -> got (useSync ()))
        "use of an asynchronous resource", (fun () -> got (useAsync ()))
        "for over an array", (fun () -> got (forArray ()))
        "for over a list", (fun () -> got (forList ()))
        "for over a ResizeArray", (fun () -> got (forResizeArray ()))
        "for over a System.Range", (fun () -> got (forRange ()))
        "and!", (fun () -> got (andBang ()))
        "completed tasks", (fun () -> got (tasks ()))
        "do! in a branch, return!", (fun () -> got (statements 1))
    ]
