// Elements of arrays and lists that the code uses once each.
module PLT101.Negative.Indexes

open System
open System.Threading
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

let afterAWriteOfTheModuleArray (readings: ValueTask<int>[]) (place: int) =
    task {
        let! first = readings[place]
        Array.set readings place (fetch "b")
        let! second = readings[place]
        return first + second
    }

let afterAFill (readings: ValueTask<int>[]) (place: int) =
    task {
        let! first = readings[place]
        Array.fill readings place 1 (fetch "b")
        let! second = readings[place]
        Array.fill readings 0 1 (fetch "b")
        let! third = readings[0]
        Array.fill readings 0 1 (fetch "b")
        let! fourth = readings[0]
        return first + second + third + fourth
    }

let afterACopy (readings: ValueTask<int>[]) (others: ValueTask<int>[]) =
    task {
        let! first = readings[0]
        Array.blit others 0 readings 0 1
        let! second = readings[0]
        System.Array.Copy(others, readings, 1)
        let! third = readings[0]
        return first + second + third
    }

let afterAFunctionParameter (readings: ValueTask<int>[]) (place: int) (refill: unit -> unit) =
    task {
        let! first = readings[place]
        refill ()
        let! second = readings[place]
        return first + second
    }

let afterADelegate (readings: ValueTask<int>[]) (refill: Action) =
    task {
        let! first = readings[0]
        refill.Invoke()
        let! second = readings[0]
        return first + second
    }

let mutable private cursor = 0
let private advance () = cursor <- cursor + 1

let private next () =
    cursor <- cursor + 1
    cursor

let byAModuleVariable (readings: ValueTask<int>[]) =
    task {
        while cursor < readings.Length do
            let! number = readings[cursor]
            cursor <- cursor + number
    }

let byAModuleVariableThatAFunctionWrites (readings: ValueTask<int>[]) =
    task {
        let! first = readings[cursor]
        cursor <- cursor + 1
        let! second = readings[cursor]
        advance ()
        let! third = readings[cursor]
        return first + second + third
    }

let byAFunctionOfAVariable (readings: ValueTask<int>[]) =
    task {
        let! first = readings[next ()]
        let! second = readings[next ()]
        let i = next ()
        let! third = readings[i]
        let k = next ()
        let! fourth = readings[k]
        return first + second + third + fourth
    }

type Place() =
    static member val Current = 0 with get, set

let byAStaticProperty (readings: ValueTask<int>[]) =
    task {
        let! first = readings[Place.Current]
        Place.Current <- Place.Current + 1
        let! second = readings[Place.Current]
        return first + second
    }

let byTheClock (readings: ValueTask<int>[]) =
    task {
        let! first = readings[DateTime.UtcNow.Second]
        let! second = readings[DateTime.UtcNow.Second]
        return first + second
    }

let byAThreadLocal (readings: ValueTask<int>[]) (place: ThreadLocal<int>) =
    task {
        let! first = readings[place.Value]
        place.Value <- place.Value + 1
        let! second = readings[place.Value]
        return first + second
    }

let byACell (readings: ValueTask<int>[]) (place: int ref) (go: int ref -> unit) =
    task {
        let! first = readings[place.Value]
        place.Value <- place.Value + 1
        let! second = readings[place.Value]
        go place
        let! third = readings[place.Value]
        return first + second + third
    }

let byALocalCell (readings: ValueTask<int>[]) =
    task {
        let place = ref 0

        let next () =
            incr place
            place.Value

        let! first = readings[next ()]
        let! second = readings[next ()]
        return first + second
    }

let byACellThatATimerWrites (readings: ValueTask<int>[]) =
    task {
        let place = ref 0
        use _ = new Timer((fun _ -> place.Value <- place.Value + 1), null, 1, 1)
        let! first = readings[place.Value]
        do! Task.Delay 10
        let! second = readings[place.Value]
        return first + second
    }

let byAReference (readings: ValueTask<int>[]) (place: byref<int>) =
    let first = readings[place].AsTask()
    place <- place + 1
    let second = readings[place].AsTask()
    Task.WhenAll(first, second)

type Ring(readings: ValueTask<int>[]) =
    let place = ref 0
    let mutable other = 0

    member _.ByACell() =
        task {
            for _ in 1 .. readings.Length do
                let! number = readings[place.Value]
                place.Value <- place.Value + number
        }

    member _.ByAField() =
        task {
            let! first = readings[other]
            other <- other + 1
            let! second = readings[other]
            return first + second
        }
