// The suites and their rows.
module Plait.Benchmarks.Suites

open System.Threading
open System.Threading.Tasks

let private suite title operations allThreads (rows: (string * (int -> Task)) list) =
    {
        Title = title
        Base = fst rows.Head
        Operations = operations
        AllThreads = allThreads
        Rows = [ for name, run in rows -> { Name = name; Run = run } ]
    }

let private ofResults (run: Rows.ResultWay -> int -> Task) =
    [ for way in Rows.results -> way.Name, run way ]

/// The limit that no step is beyond, and the one that the second step is beyond.
let private none, private second = System.Int32.MaxValue, 1

let okay =
    suite "Results: three steps, Ok" 50_000 false (ofResults (fun way -> way.Steps none))

let failing =
    suite "Results: three steps, the second an Error" 50_000 false (ofResults (fun way -> way.Steps second))

let okayLater =
    suite
        "Results: three steps, Ok, each behind Task.Yield()"
        10_000
        true
        (ofResults (fun way -> way.StepsLater none))

let valid =
    suite "Results: two values validated, Ok" 50_000 false (ofResults (fun way -> way.Validations none))

let invalid =
    suite "Results: two values validated, both Errors" 50_000 false (ofResults (fun way -> way.Validations 0))

let private ofStarts (run: Rows.StartWay -> CancellationToken -> int -> Task) =
    let token = (new CancellationTokenSource()).Token
    [ for way in Rows.starts -> way.Name, run way token ]

let started =
    suite "Cold and cancellable: made and started, a result" 100_000 false (ofStarts _.Starts)

let kept =
    suite "Cold and cancellable: one that is kept, started again" 100_000 false (ofStarts _.Kept)

let nested =
    suite "Cold and cancellable: made and started, two nested" 50_000 false (ofStarts _.Twos)

let nestedLater =
    suite
        "Cold and cancellable: made and started, two nested, each behind Task.Yield()"
        10_000
        true
        (ofStarts _.TwosLater)

let limited =
    suite "Time: work within a limit, completed at once" 20_000 false TimeAndErrors.limited

let limitedLater =
    suite "Time: work within a limit, behind Task.Yield()" 10_000 true TimeAndErrors.limitedLater

let first =
    suite "Attempts: the first succeeds" 50_000 false (TimeAndErrors.attempts 1)

let third =
    suite "Attempts: two exceptions, then a result" 500 true (TimeAndErrors.attempts 3)

let mapped =
    suite "A hundred items, four at a time; by item" 10_000 true TimeAndErrors.mapped

let each =
    suite "A hundred operations in the order of their ends; by operation" 10_000 true TimeAndErrors.each

/// All suites, in the order of the report.
let all =
    [ okay; failing; okayLater; valid; invalid ]
    @ [ started; kept; nested; nestedLater ]
    @ [ limited; limitedLater; first; third; mapped; each ]
