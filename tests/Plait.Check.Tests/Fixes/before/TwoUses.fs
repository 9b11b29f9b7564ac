// Values that may be used once, and are used twice.
module TwoUses

open System.Threading.Tasks

let fetch (n: int) : ValueTask<int> = ValueTask<int>(task { return n })

let twice () =
    task {
        let reading = fetch 3
        let! first = reading
        let! second = reading
        return first + second
    }

let ofAMember (source: System.Collections.Generic.IAsyncEnumerator<int>) =
    task {
        let moved = source.MoveNextAsync()
        let! first = moved
        let! second = moved
        return first && second
    }

let inALoop () =
    task {
        let reading = fetch 3
        let mutable sum = 0

        for _ in 1..2 do
            let! n = reading
            sum <- sum + n

        return sum
    }
