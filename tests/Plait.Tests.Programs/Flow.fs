// Programs of control flow: everything that FSharp.Core's `task` can do too, which is what they are compared with. Long,
// because it is a catalogue: a program a behaviour, none of them shared. Compiled for each builder: see the project
// file.
module Plait.Tests.Programs.PooledValueTasks.Flow

open System
open System.Collections.Generic
open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

type private Big = { A: int64; B: int64; C: int64; D: int64; E: int64; F: int64; G: int64; H: int64 }

let private nothing (given: Given) : Co = co { given.Log "ran" }

let private now (given: Given) : Co =
    co {
        let x = given.Now 1
        given.Log $"{x}"
        let! y = given.Task x
        given.Log $"{y}"
    }

let private sequence (given: Given) : Co =
    co {
        let! a = given.Task 1
        let! b = given.Task(a + 1)
        do! given.Unit()
        let! c = given.ValueTask(b + 1)
        do! Task.Yield()
        let! d = given.Task(c + a)
        given.Log $"{a} {b} {c} {d}"
    }

let private branches (given: Given) : Co =
    co {
        let! a = given.Task 2

        if a > 1 then
            do! given.Unit()

        if a > 2 then
            given.Log "not here"
        elif a = 2 then
            let! b = given.Task 3
            given.Log $"b {b}"

        match! given.Task 4 with
        | 4 -> given.Log "four"
        | other -> given.Log $"{other}"

        match a, given.Entries with
        | 2, first :: _ when first.StartsWith "source" ->
            let! c = given.Task 5
            given.Log $"c {c}"
        | _ -> given.Log "not here either"
    }

let private whiles (given: Given) : Co =
    co {
        let mutable i = 0
        let mutable sum = 0

        while i < 4 do
            let! x = given.Task i
            sum <- sum + x

            if i = 2 then
                do! Task.Yield()

            i <- i + 1

        given.Log $"{i} {sum}"
    }

let private whileBang (given: Given) : Co =
    co {
        let mutable n = 0

        while! task {
            let! x = given.Task n
            return x < 3
        } do
            n <- n + 1
            given.Log $"turn {n}"
    }

let private loops (given: Given) : Co =
    co {
        for x in [| 1; 2 |] do
            let! y = given.Task x
            given.Log $"array {y}"

        for x in [ 3; 4 ] do
            let! y = given.Task x
            given.Log $"list {y}"

        for x in ResizeArray [ 5; 6 ] do
            let! y = given.Task x
            given.Log $"ResizeArray {y}"

        for x in Seq.init 2 id do
            let! y = given.Task x
            given.Log $"seq {y}"

        for x in 1..2 do
            let! y = given.Task x
            given.Log $"range {y}"

        for (KeyValue(k, v)) in dict [ 1, 2; 3, 4 ] do
            do! given.Unit()
            given.Log $"{k} {v}"

        for a, b in [ 1, 2; 3, 4 ] do
            let! c = given.Task(a + b)
            given.Log $"{a} {b} {c}"

        for struct (a, b) in [| struct (1, 2) |] do
            do! given.Unit()
            given.Log $"{a} {b}"
    }

let private emptyLoops (given: Given) : Co =
    co {
        for _ in ([||]: int[]) do
            do! given.Unit()

        for _ in ([]: int list) do
            do! given.Unit()

        for _ in (Seq.empty: seq<int>) do
            do! given.Unit()

        while false do
            do! given.Unit()

        given.Log "end"
    }

/// An enumerator that is counted, and throws where it is told to.
let private watched (given: Given) (throwsAt: int) : seq<int> =
    let enumerate () =
        let mutable at = 0

        { new IEnumerator<int> with
            member _.Current = at
          interface System.Collections.IEnumerator with
              member _.Current = box at

              member _.MoveNext() =
                  at <- at + 1

                  if at = throwsAt then
                      raise given.Error

                  at < 4

              member _.Reset() = ()
          interface IDisposable with
              member _.Dispose() = given.Log "enumerator disposed"
        }

    { new seq<int> with
        member _.GetEnumerator() = enumerate ()
      interface System.Collections.IEnumerable with
          member _.GetEnumerator() = enumerate ()
    }

let private enumerators (given: Given) : Co =
    co {
        try
            for x in watched given 0 do
                let! y = given.Task x
                given.Log $"{y}"
        with error ->
            given.Caught error

        for x in watched given 3 do
            let! y = given.Task x
            given.Log $"{y}"
    }

let private tryWith (given: Given) : Co =
    co {
        try
            let! x = given.Task 1
            given.Log $"body {x}"
            do! given.Unit()
            given.Log "end of body"
        with error ->
            given.Caught error
            let! y = given.Task 2
            given.Log $"handled {y}"

        do! given.Unit()
        given.Log "after"
    }

let private handlerFails (given: Given) : Co =
    co {
        try
            try
                do! given.Unit()
                failwith "inner"
            with
            | Failure message ->
                given.Log message
                do! given.Unit()
                failwith "handler"
            | error ->
                given.Caught error
                let! x = given.Task 1
                given.Log $"{x}"
        with
        | Failure message -> given.Log message
        | error -> given.Caught error
    }

let private filtered (given: Given) : Co =
    co {
        try
            do! given.Unit()
            do! given.Unit()
        with :? ArgumentException ->
            given.Log "not this one"
    }

let private rethrow (given: Given) : Co =
    co {
        try
            let! _ = given.Task 1
            do! given.Unit()
        with error ->
            given.Caught error
            do! Task.Yield()
            raise error
    }

let private tryFinally (given: Given) : Co =
    co {
        try
            try
                let! x = given.Task 1
                given.Log $"{x}"
                do! given.Unit()
            finally
                given.Log "inner"

            do! given.Unit()
        finally
            given.Log "outer"
    }

let private finallyThrows (given: Given) : Co =
    co {
        try
            try
                do! given.Unit()
                do! given.Unit()
            finally
                given.Log "finally"
                failwith "of the end"
        with
        | Failure message -> given.Log message
        | error -> given.Caught error
    }

let private usings (given: Given) : Co =
    co {
        use _first = given.Open "first"
        let! x = given.Task 1
        use _second = given.Open "second"
        do! given.Unit()
        given.Log $"body {x}"
        use (_none: IDisposable | null) = null

        use! _third =
            task {
                let! _ = given.Task 3
                return given.Open "third"
            }

        do! Task.Yield()
        given.Log "end of body"
    }

let private usingInLoop (given: Given) : Co =
    co {
        for i in 1..3 do
            use _turn = given.Open $"{i}"
            let! x = given.Task i
            given.Log $"body {x}"

        given.Log "after"
    }

let private nested (given: Given) : Co =
    co {
        let mutable total = 0

        try
            try
                while total < 10 do
                    use _turn = given.Open $"{total}"

                    match total % 3 with
                    | 0 ->
                        let! x = given.Task 2
                        total <- total + x
                    | _ ->
                        let! struct (a, b) = Task.FromResult(struct (1, 2))

                        let! (c, d) =
                            task {
                                let! x = given.Task 1
                                return x, 2
                            }

                        if total > 7 then
                            failwith "stop"

                        total <- total + a + b + c + d
            finally
                total <- total + 100
                given.Log $"finally {total}"
        with
        | Failure message -> given.Log message
        | error ->
            given.Caught error
            do! given.Unit()

        let! z = given.ValueTask 1
        given.Log $"{total} {z}"
    }

let private bigLocals (given: Given) : Co =
    co {
        let big = { A = 1L; B = 2L; C = 3L; D = 4L; E = 5L; F = 6L; G = 7L; H = 8L }
        let! x = given.Task 1
        let changed = { big with C = int64 x + 40L }
        let text, number = "text", 7.5
        do! given.Unit()
        let struct (p, q) = struct (Guid.Empty, DateTime.MinValue)
        let! y = given.Task 2
        given.Log $"{big} {changed} {text} {number} {p} {q.Year} {y}"
    }

let rec private recursive (given: Given) (n: int) : Co =
    co {
        if n = 0 then
            given.Log "bottom"
        else
            do! given.Unit()
            do! recursive given (n - 1)
            given.Log $"{n}"
    }

let private childThrows (given: Given) : Co =
    co {
        let child () : Co =
            co {
                use _inside = given.Open "inside"
                do! given.Unit()
                failwith "child"
            }

        try
            do! child ()
        with
        | Failure message -> given.Log message
        | error -> given.Caught error

        do! given.Unit()
    }

let private returnFrom (given: Given) : Co =
    co {
        let! x = given.Task 1
        if x = 1 then return! sequence given else return! branches given
    }

let private returnFromTry (given: Given) : Co =
    co {
        try
            try
                return! sequence given
            finally
                given.Log "finally"
        with error ->
            given.Caught error
            return! task { do! given.Unit() }
    }

let private manyBinds (given: Given) : Co =
    co {
        let! a = given.Task 1
        let! b = given.Task 2
        let! c = given.ValueTask 3
        let! d = given.Task 4
        let! e = given.Task 5
        let! f = given.ValueTask 6
        let! g = given.Task 7
        let! h = given.Task 8
        do! given.Unit()
        let! i = given.Task 9
        let! j = given.Task 10
        given.Log $"{a} {b} {c} {d} {e} {f} {g} {h} {i} {j}"
    }

/// A ResizeArray that gives other items than it holds.
type private Counting(items: seq<int>) =
    inherit ResizeArray<int>(items)

    interface IEnumerable<int> with
        member this.GetEnumerator() : IEnumerator<int> =
            (seq { 1 .. this.Count }).GetEnumerator()

let private overSubclass (given: Given) : Co =
    let items: seq<int> = Counting [ 7; 8; 9 ]

    co {
        for n in items do
            do! given.Unit()
            given.Log $"{n}"
    }

let private overNull (given: Given) : Co =
    co {
        try
            for _ in Unchecked.defaultof<seq<int>> do
                do! given.Unit()
        with error ->
            given.Caught error

        try
            for _ in Unchecked.defaultof<int[]> do
                do! given.Unit()
        with error ->
            given.Caught error

        do! given.Unit()

        for _ in Unchecked.defaultof<ResizeArray<int>> do
            do! given.Unit()
    }

/// Every program, by name.
let programs: (string * (Given -> Co)) list =
    [
        "nothing", nothing
        "a throw before the first await", now
        "sequence", sequence
        "branches", branches
        "while", whiles
        "while!", whileBang
        "for", loops
        "for over nothing", emptyLoops
        "for over null", overNull
        "for over a subclass of ResizeArray", overSubclass
        "enumerators", enumerators
        "try with", tryWith
        "a handler that fails", handlerFails
        "a handler for another error", filtered
        "rethrow", rethrow
        "try finally", tryFinally
        "a finally that throws", finallyThrows
        "use", usings
        "use in a loop", usingInLoop
        "nested", nested
        "big locals", bigLocals
        "recursive", (fun given -> recursive given 5)
        "a child that throws", childThrows
        "return!", returnFrom
        "return! in try", returnFromTry
        "many binds", manyBinds
    ]
