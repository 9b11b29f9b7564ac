// Layer: combinators. The functions over streams that the BCL does not have.
namespace Plait

open Plait.Kernel

/// Functions over IAsyncEnumerable, beside those of System.Linq.AsyncEnumerable in .NET 10.
[<RequireQualifiedAccess>]
module Stream =

    /// In a stream, `let! token = Stream.cancellationToken` gives the token of the enumeration: that of `WithCancellation`, or of
    /// the stream or the loop of a stream in which this one is enumerated.
    let cancellationToken = StreamToken()
