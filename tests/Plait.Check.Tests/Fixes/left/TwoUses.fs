// Values that may be used once, and are used twice, where a Task in their place might not do the same.
module TwoUses

open System.Threading.Tasks

let fetch (n: int) : ValueTask<int> = ValueTask<int>(task { return n })

let asTaskAlready () =
    let reading = fetch 3
    let first = reading.AsTask()
    let second = reading.AsTask() // left
    Task.WhenAll(first, second)

let ofTheCaller (reading: ValueTask<int>) =
    task {
        let! first = reading
        let! second = reading // left
        return first + second
    }

// its text is that of another type
let shown () =
    task {
        let reading = fetch 3
        let text = reading.ToString()
        let! first = reading
        let! second = reading // left
        return text.Length + first + second
    }

// another name has a type of its own
let named () =
    task {
        let reading = fetch 3
        let other: ValueTask<int> = reading
        let! first = reading
        let! second = other // left
        return first + second
    }
