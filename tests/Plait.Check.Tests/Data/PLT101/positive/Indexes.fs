// Elements of arrays and lists that an index finds again.
module PLT101.Positive.Indexes

open System.Threading.Tasks
open Support.Jobs
open Plait

let twice (readings: ValueTask<int>[]) (place: int) =
    task {
        let! first = readings[place]
        let! second = readings[place] // PLT101 warning
        return first + second
    }

let inALoop (readings: ValueTask<int>[]) (place: int) =
    task {
        let mutable sum = 0

        for _ in 1..3 do
            let! number = readings[place] // PLT101 warning
            sum <- sum + number

        return sum
    }

let byTheIndexOutside (readings: ValueTask<int>[]) =
    task {
        let mutable sum = 0

        for i in 0 .. readings.Length - 1 do
            for _ in 1..3 do
                let! number = readings[i] // PLT101 warning
                sum <- sum + number

        return sum
    }

let byTheIndexOutsideOfAPlainLoop (readings: ValueTask<int>[]) =
    for i in 0 .. readings.Length - 1 do
        for _ in 1..3 do
            readings[i].AsTask().ContinueWith(fun (job: Task<int>) -> printfn "%d" job.Result) |> ignore // PLT101 warning

let byAMutableIndex (readings: ValueTask<int> list) =
    task {
        let mutable i = 0
        let! first = readings[i]
        i <- i + 1
        let! second = readings[i]
        let! third = readings[i] // PLT101 warning
        return first + second + third
    }
