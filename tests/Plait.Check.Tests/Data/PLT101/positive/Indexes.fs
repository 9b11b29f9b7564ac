// Elements of arrays and lists that an index finds again.
module PLT101.Positive.Indexes

open System
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

let private slots: ValueTask<int>[] = Array.init 10 (fun _ -> fetch "a")

let ofAModule (place: int) =
    task {
        let! first = slots[place]
        printfn "%d" first
        let! second = slots[place] // PLT101 warning
        return first + second
    }

let afterOtherCalls (readings: ValueTask<int>[]) (names: string list) =
    task {
        let! first = readings[0]
        Console.WriteLine first
        do! Task.Delay 10
        let lengths = names |> List.map (fun name -> name.Length)
        let! second = readings[0] // PLT101 warning
        return first + second + lengths.Length
    }

let private next () = Random.Shared.Next 3

let byAResult (readings: ValueTask<int>[]) =
    task {
        let place = next ()
        let! first = readings[place]
        let! second = readings[place] // PLT101 warning
        return first + second
    }

let byAnItem (readings: ValueTask<int>[]) (places: int * int) =
    task {
        let one, _ = places
        let! first = readings[one]
        let! second = readings[one] // PLT101 warning
        return first + second
    }

let afterAWriteOfAnother (readings: ValueTask<int>[]) (others: ValueTask<int>[]) =
    task {
        let! first = readings[0]
        Array.fill others 0 1 (fetch "b")
        let! second = readings[0] // PLT101 warning
        return first + second
    }

type Pool(readings: ValueTask<int>[], place: int) =
    member _.Twice() =
        task {
            let! first = readings[place]
            let! second = readings[place] // PLT101 warning
            return first + second
        }
