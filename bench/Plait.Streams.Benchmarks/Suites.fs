// The suites and their rows.
module Plait.Benchmarks.Suites

open System
open System.Threading.Tasks
open Plait.Benchmarks.CSharp

let private suite title operations allThreads (run: Rows.Way -> int -> Task) =
    {
        Title = title
        Base = Rows.ways.Head.Name
        Operations = operations
        AllThreads = allThreads
        Rows = [ for way in Rows.ways -> { Name = way.Name; Run = run way } ]
    }

let numbers =
    suite "An item behind an await that completes at once" 500_000 false (fun way count ->
        Iterators.Read(way.Numbers count))

let gated =
    suite "An item behind a suspension, in thread" 200_000 false (fun way ->
        let gate = Gate()
        fun count -> Iterators.ReadGated(way.Gated count gate, gate, count))

let yielding =
    suite "An item behind Task.Yield()" 50_000 true (fun way count -> Iterators.Read(way.Yielding count))

let short =
    suite "A sequence of three items, from its begin to its end" 100_000 false (fun way count ->
        let make = Func<_>(fun () -> way.Numbers 3)
        Iterators.ReadEach(make, count))

let stopped =
    suite "A sequence that is stopped at its first item" 100_000 false (fun way count ->
        let make = Func<_>(fun () -> way.Numbers 3)
        Iterators.StopEach(make, count))

let within =
    suite "An item of the innermost of four sequences" 200_000 false (fun way count ->
        Iterators.Read(way.Within(way.Within(way.Within(way.Numbers count)))))

let down =
    suite "An item of a sequence that yields the next, 200 deep" 20_000 false (fun way count ->
        Iterators.ReadEach(Func<_>(fun () -> way.Down 200), count / 200))

/// All suites, in the order of the report.
let all = [ numbers; gated; yielding; short; stopped; within; down ]
