// Values that the code stores in arrays and cells where another one was used: each is used once.
module PLT103.Positive.Refilled

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private setInPlace (place: byref<ValueTask<int>>) = place <- fetch "b" // PLT103 info

let afterAWriteByAReference (readings: ValueTask<int>[]) (place: int) =
    let first = readings[place].AsTask()
    let reference = &readings[place]
    reference <- fetch "b" // PLT103 info
    let second = readings[place].AsTask()
    Task.WhenAll(first, second)

let afterAFunctionWithAReference (readings: ValueTask<int>[]) (place: int) =
    let first = readings[place].AsTask()
    setInPlace &readings[place]
    let second = readings[place].AsTask()
    Task.WhenAll(first, second)

let whileATimerRefills (readings: ValueTask<int>[]) (place: int) =
    task {
        use _ = new Timer((fun _ -> readings[place] <- fetch "b"), null, 1, 1) // PLT103 info
        let! first = readings[place]
        do! Task.Delay 10
        let! second = readings[place]
        return first + second
    }

let private slots: ValueTask<int>[] = Array.init 10 (fun _ -> fetch "a")

let private refillAll () =
    for place in 0..9 do
        slots[place] <- fetch "b" // PLT103 info

let private refillByAnother () = refillAll ()

let afterAFunctionWithoutArguments (place: int) =
    task {
        let! first = slots[place]
        refillAll ()
        let! second = slots[place]
        refillByAnother ()
        let! third = slots[place]
        return first + second + third
    }

let whileATimerRefillsAll () =
    task {
        use _ = new Timer((fun _ -> refillAll ()), null, 1, 1)
        let! first = slots[0]
        do! Task.Delay 10
        let! second = slots[0]
        return first + second
    }

let mutable private batch: ValueTask<int>[] = [||]

let ofANewArray (place: int) =
    task {
        while true do
            batch <- [| fetch "a" |] // PLT103 info
            let! number = batch[place]
            printfn "%d" number
    }

type Filler =
    abstract Fill: unit -> unit

type SlotsFiller() =
    interface Filler with
        member _.Fill() = slots[0] <- fetch "b" // PLT103 info

let afterAnInterface (filler: Filler) =
    task {
        let! first = slots[0]
        filler.Fill()
        let! second = slots[0]
        return first + second
    }

type Pool(size: int) =
    let slots = Array.init size (fun _ -> fetch "a")
    let mutable others = [| fetch "a" |] // PLT103 info
    member _.Refill(place: int) = slots[place] <- fetch "b" // PLT103 info

    member this.AfterAMember(place: int) =
        task {
            let! first = slots[place]
            this.Refill place
            let! second = slots[place]
            return first + second
        }

    member this.InALoop(place: int) =
        task {
            while true do
                let! number = slots[place]
                printfn "%d" number
                this.Refill place
        }

    member _.OfANewArray() =
        task {
            let! first = others[0]
            others <- [| fetch "b" |] // PLT103 info
            let! second = others[0]
            return first + second
        }

let private writeTo (place: byref<ValueTask<int>>) = place <- fetch "b" // PLT103 info

let private ofACellAfterAWriteByAReference () =
    let cell = ref (fetch "a") // PLT103 info
    let first = cell.Value.AsTask()
    writeTo &cell.contents
    let second = cell.Value.AsTask()
    Task.WhenAll(first, second)

let private ofACellThatATimerWrites () =
    task {
        let cell = ref (fetch "a")
        use _ = new Timer((fun _ -> cell.Value <- fetch "b"), null, 1, 1)
        let! first = cell.Value
        do! Task.Delay 10
        let! second = cell.Value
        return first + second
    }
