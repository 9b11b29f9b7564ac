// The framing of a body in chunks: what stands between its data. Pure but for its own state; allocates nothing for a response.
namespace Plait.Load


/// Where in the chunks the next byte belongs.
type internal ChunkPlace =
    | Size = 0
    | Extension = 1
    | Data = 2
    /// The line end behind the data.
    | End = 3
    | Trailers = 4
    /// Behind the last of them.
    | Over = 5

/// The framing of one connection's bodies.
[<Sealed>]
type internal ChunkFraming() =
    let mutable place = ChunkPlace.Size
    let mutable left = 0L
    let mutable lineLength = 0

    let hexOf (value: byte) =
        if value >= 48uy && value <= 57uy then int value - 48
        elif value >= 97uy && value <= 102uy then int value - 87
        elif value >= 65uy && value <= 70uy then int value - 55
        else -1

    let sizeEnded () =
        if lineLength = 0 then
            false
        else
            place <- if left = 0L then ChunkPlace.Trailers else ChunkPlace.Data
            lineLength <- 0
            true

    /// Begins with the size of the first chunk.
    member _.Start() : unit =
        place <- ChunkPlace.Size
        left <- 0L
        lineLength <- 0

    /// Where the next byte belongs.
    member _.Place = place

    /// Bytes of data before the chunk ends.
    member _.Left = left

    /// So many bytes of data were taken.
    member _.TakeData(count: int) : unit =
        left <- left - int64 count

        if left = 0L then
            place <- ChunkPlace.End

    /// Takes a byte that is no data; false: it does not belong there.
    member this.Take(value: byte) : bool =
        match place with
        | ChunkPlace.Size ->
            let digit = hexOf value

            if digit >= 0 then
                left <- left * 16L + int64 digit
                lineLength <- lineLength + 1
                lineLength <= 15
            elif value = 59uy || value = 32uy || value = 13uy then
                place <- ChunkPlace.Extension
                lineLength > 0
            else
                value = 10uy && sizeEnded ()
        | ChunkPlace.Extension -> value <> 10uy || sizeEnded ()
        | ChunkPlace.End ->
            if value = 10uy then
                this.Start()

            value = 10uy || value = 13uy
        | _ ->
            if value = 10uy then
                // The empty line is the end.
                if lineLength = 0 then
                    place <- ChunkPlace.Over

                lineLength <- 0
            elif value <> 13uy then
                lineLength <- lineLength + 1

            true
