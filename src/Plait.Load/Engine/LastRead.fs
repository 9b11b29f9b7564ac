// The bytes that were read last and their meaning: equal bytes are not read again. For the one thread of the engine.
namespace Plait.Load

open System

/// The last bytes of one kind, and their meaning. More than 1,024 bytes are read each time.
[<Sealed>]
type internal LastRead<'meaning>() =
    static let mostKept = 1024
    let mutable bytes: byte[] = [||]
    let mutable length = 0
    let mutable meaning = Unchecked.defaultof<'meaning>

    /// Whether `from` begins with them.
    member _.Begins(from: ReadOnlySpan<byte>) : bool =
        length > 0 && from.StartsWith(ReadOnlySpan(bytes, 0, length))

    /// Whether `all` are the same bytes.
    member this.Is(all: ReadOnlySpan<byte>) : bool = all.Length = length && this.Begins all

    member _.Meaning = meaning

    /// Keeps bytes and their meaning in place of the ones before, unless there are too many.
    member _.Keep(all: ReadOnlySpan<byte>, itsMeaning: 'meaning) : unit =
        if all.Length <= mostKept then
            if bytes.Length < all.Length then
                bytes <- Array.zeroCreate all.Length

            all.CopyTo(Span bytes)
            length <- all.Length
            meaning <- itsMeaning
