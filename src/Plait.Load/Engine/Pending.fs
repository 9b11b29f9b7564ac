// Requests that are due and wait for a connection, in the order in which they were due. It grows as it must: none is lost.
namespace Plait.Load


/// A queue of intended starts.
type internal Pending() =
    let mutable times = Array.zeroCreate<int64> 1024
    let mutable first = 0
    let mutable count = 0

    /// How many wait.
    member _.Count = count

    /// Adds one at the end.
    member _.Add(time: int64) : unit =
        if count = times.Length then
            let larger = Array.zeroCreate<int64>(2 * count)

            for index in 0 .. count - 1 do
                larger[index] <- times[(first + index) &&& (count - 1)]

            times <- larger
            first <- 0

        times[(first + count) &&& (times.Length - 1)] <- time
        count <- count + 1

    /// Takes the first.
    member _.Take() : int64 =
        let time = times[first]
        first <- (first + 1) &&& (times.Length - 1)
        count <- count - 1
        time
