// A block of header fields that comes in several frames of HTTP/2. For the one thread of the engine.
namespace Plait.Load

open System

/// The block that is not whole yet.
[<Sealed>]
type internal HeadBlock() =
    let mutable bytes = Array.zeroCreate<byte> 0

    let put (from: byte[]) (at: int) (count: int) (length: int) =
        if bytes.Length < length + count then
            Array.Resize(&bytes, 2 * (length + count))

        Buffer.BlockCopy(from, at, bytes, length, count)

    /// The stream that it is of; 0: there is none.
    member val Stream = 0 with get, set
    /// The response ends with it.
    member val Ends = false with get, set
    /// The bytes so far.
    member _.Bytes = bytes
    member val Length = 0 with get, set

    /// Begins with the bytes of the first frame.
    member this.Start(stream: int, ends: bool, from: byte[], at: int, count: int) : unit =
        this.Stream <- stream
        this.Ends <- ends
        put from at count 0
        this.Length <- count

    /// Adds the bytes of another frame.
    member this.Add(from: byte[], at: int, count: int) : unit =
        put from at count this.Length
        this.Length <- this.Length + count
