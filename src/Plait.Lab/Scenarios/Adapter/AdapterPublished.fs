// What was published of this scenario, in "The curious case of Async vs. Task": ASP.NET Core 2.0, an adapter over HttpClient,
// vegeta for three minutes a run, netling with 16 threads for 120 seconds.
module Plait.Lab.Scenarios.AdapterPublished

/// Where it was shown.
let source = "The curious case of Async vs. Task (2018)"

/// A run of vegeta: latencies in milliseconds, and requests that took longer than 100.
type OpenFigure =
    {
        PerSecond: float
        Route: string
        Mean: float
        P50: float
        P95: float
        P99: float
        Max: float
        Slow: int
    }

/// All of them.
let openLoop: OpenFigure list =
    [
        500.0, "base", 1.803, 1.687, 2.097, 4.066, 46.3, 0
        500.0, "async", 2.100, 1.783, 2.480, 6.617, 177.2, 43
        500.0, "task", 1.867, 1.706, 2.200, 5.282, 45.9, 0
        1000.0, "base", 4.568, 2.364, 11.884, 63.039, 176.0, 594
        1000.0, "async", 5.083, 2.471, 13.678, 71.452, 189.2, 709
        1000.0, "task", 3.576, 2.075, 7.433, 44.011, 150.2, 197
    ]
    |> List.map (fun (rate, route, mean, p50, p95, p99, max, slow) ->
        {
            PerSecond = rate
            Route = route
            Mean = mean
            P50 = p50
            P95 = p95
            P99 = p99
            Max = max
            Slow = slow
        })

/// The runs of netling: a route, requests a second, median milliseconds, and which program it was.
let closedLoop: (string * float * float * string) list =
    [
        "base", 1524.0, 8.740, "re-creation, 16 threads"
        "async", 1499.0, 8.866, "re-creation, 16 threads"
        "task", 1523.0, 8.772, "re-creation, 16 threads"
        "async", 20148.0, 0.586, "original program"
        "task", 20583.0, 0.571, "original program"
    ]
