// Elements of arrays and lists that the code uses once each.
module PLT101.Negative.Indexes

open System.Threading.Tasks
open Support.Jobs
open Plait

let each (readings: ValueTask<int>[]) =
    task {
        let mutable sum = 0

        for i in 0 .. readings.Length - 1 do
            let! number = readings[i]
            sum <- sum + number

        return sum
    }

let eachByAMutableIndex (readings: ValueTask<int>[]) =
    task {
        let mutable i = 0

        while i < readings.Length do
            let! number = readings[i]
            i <- i + number
    }

let eachOfEach (readings: ValueTask<int>[][]) =
    task {
        for i in 0 .. readings.Length - 1 do
            for j in 0 .. readings[i].Length - 1 do
                let! number = readings[i][j]
                printfn "%d" number
    }

let inAMatrix (readings: ValueTask<int>[,]) =
    task {
        for i in 0..3 do
            for j in 0..3 do
                let! number = readings[i, j]
                printfn "%d" number
    }

let inAnOrder (readings: ValueTask<int>[]) (order: (int * string) list) =
    task {
        for i, name in order do
            let! number = readings[i]
            printfn "%s %d" name number
    }

let byAFunction (readings: ValueTask<int>[]) =
    [ 0..3 ] |> List.map (fun i -> readings[i].AsTask()) |> Task.WhenAll

let byRecursion (readings: ValueTask<int>[]) =
    let rec go i =
        task {
            if i < readings.Length then
                let! _ = readings[i]
                return! go (i + 1)
        }

    go 0

let private refill (jobs: Strand<int>[]) (place: int) = Array.fill jobs place 1 (spun "a")

let afterAFunctionThatMayChangeIt (jobs: Strand<int>[]) =
    task {
        let! first = jobs[0]
        refill jobs 0
        let! second = jobs[0]
        return first + second
    }
