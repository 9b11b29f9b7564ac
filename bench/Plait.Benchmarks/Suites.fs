// The suites and their rows.
module Plait.Benchmarks.Suites

open System.Threading.Tasks
open Plait.Benchmarks.CSharp
open Plait.Benchmarks.Programs

let private suite title operations allThreads (run: Subject -> int -> Task) =
    {
        Title = title
        Base = Rows.theBase
        Operations = operations
        AllThreads = allThreads
        Rows = [ for subject in Rows.subjects -> { Name = subject.Name; Run = run subject } ]
    }

/// A program that ends on the calling thread.
let private here (run: Subject -> int -> unit) (subject: Subject) (count: int) =
    run subject count
    Task.CompletedTask

let value = suite "A result and no await" 50_000 false (here _.Value)
let eight = suite "Eight awaits of a completed task" 30_000 false (here _.Eight)

let ten =
    suite "Ten awaits of a method that does not suspend" 10_000 false (here _.Ten)

let gates =
    suite "Two suspensions, in thread (custom awaiter)" 10_000 false (here _.Gates)

let sources =
    suite "Two suspensions, in thread (IValueTaskSource)" 10_000 false (here _.Sources)

let yields = suite "Two Task.Yield()" 40_000 true _.Yields

/// Operations in flight at once, each with two yields.
let inFlight width =
    suite $"{width} in flight, two Task.Yield() each" 8_000 true (fun subject count ->
        subject.InFlight(count, width))

/// Non-tail recursion, counted by level.
let deep depth =
    suite
        $"{depth} calls deep, no suspension; by level"
        10_000
        false
        (here (fun subject count -> subject.Deep(count, depth)))

/// The same, with a suspension at the bottom.
let deepSuspended depth =
    suite $"{depth} calls deep, one Task.Yield() at the bottom; by level" 100_000 true (fun subject count ->
        subject.DeepSuspended(count, depth))

/// Joined operations, counted by operation.
let whenAll width =
    suite $"{width} operations of two Task.Yield(), joined; by operation" 8_000 true (fun subject count ->
        subject.WhenAll(count, width))

let recursion =
    let depth = 16
    let calls = 3193 // of plain(16)

    let per name (run: int -> unit) =
        {
            Name = name
            Run =
                fun count ->
                    for _ in 1 .. count / calls do
                        run depth

                    Task.CompletedTask
        }

    {
        Title = "Synchronous recursion: one call (fib)"
        Base = "plain F#"
        Operations = calls * 10
        AllThreads = false
        Rows =
            [
                per "plain F#" (fun depth -> Recursion.plain depth |> ignore)
                per "strand, Unsafe.Bare" (fun depth -> (Recursion.bare depth).Result |> ignore)
                per "strand" (fun depth -> (Strands.Methods.fib depth).Result |> ignore)
                per "strand, Guarded" (fun depth -> (Recursion.guarded depth).Result |> ignore)
                per "pooledValueTask" (fun depth -> (PooledValueTasks.Methods.fib depth).Result |> ignore)
                per "F# task" (fun depth -> (FSharpTasks.Methods.fib depth).Result |> ignore)
                for name, run in Rows.recursions do
                    per name run
            ]
    }

/// Ways of calling one function, compared with each other.
let calls =
    [
        for title, over, rows in Rows.calls do
            {
                Title = title
                Base = over
                Operations = 100_000
                AllThreads = false
                Rows =
                    [
                        for name, run in rows do
                            {
                                Name = name
                                Run =
                                    fun count ->
                                        run count
                                        Task.CompletedTask
                            }
                    ]
            }
    ]

/// All suites, in the order of the report.
let all =
    [ value; eight; ten; gates; sources; yields ]
    @ List.map inFlight [ 1; 8; 64; 1000 ]
    @ List.map deep [ 10; 100 ]
    @ List.map deepSuspended [ 10; 100 ]
    @ List.map whenAll [ 2; 4; 16 ]
    @ [ recursion ]
    @ calls
