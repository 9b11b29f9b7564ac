// Reads one response after the other from the bytes of a connection: finds where it ends, and compares its body. Pure but
// for its own state; allocates nothing for a response.
namespace Plait.Load

open System

/// The progress of reading a response.
type internal ResponseProgress =
    | Incomplete = 0
    | Complete = 1
    | NotHttp = 2
    | HeadTooLong = 3

/// Where in a response the next byte belongs.
type private BodyPart =
    | Head = 0
    | Counted = 1
    | UntilClose = 2
    | Chunked = 3

/// The reader of one connection. `expected`: the body that is right; null: any. `maxHead`: the bytes that a head may have.
type internal ResponseReader(expected: byte[] | null, maxHead: int) =
    static let room = 16384
    let heads = HeadReader()
    let framing = ChunkFraming()
    // It grows with a longer head.
    let mutable buffer = GC.AllocateUninitializedArray<byte> room
    let mutable part = BodyPart.Head
    let mutable filled = 0
    let mutable isHead = false
    let mutable status = 0
    let mutable closes = false
    let mutable date = 0L
    let mutable isInterim = false
    let mutable left = 0L
    let mutable bodyLength = 0L
    let mutable matches = true
    let mutable extra = 0
    let mutable trouble: string | null = null
    let mutable location: string | null = null

    let foreign sentence =
        trouble <- sentence
        ResponseProgress.NotHttp

    let tooLong () =
        trouble <- $"the head of the response is longer than {maxHead} bytes; --max-head allows more"
        ResponseProgress.HeadTooLong

    let body (bytes: ReadOnlySpan<byte>) =
        match expected with
        | null -> ()
        | expected ->
            let at = bodyLength

            matches <-
                matches
                && at + int64 bytes.Length <= int64 expected.Length
                && bytes.SequenceEqual(ReadOnlySpan(expected, int at, bytes.Length))

        bodyLength <- bodyLength + int64 bytes.Length

    let chunks (from: int) (until: int) : ResponseProgress =
        let mutable at = from
        let mutable good = true
        let mutable before = framing.State

        while good && at < until && framing.State <> ChunkState.Over do
            if framing.State = ChunkState.Data then
                let count = int (min framing.Left (int64 (until - at)))
                body (ReadOnlySpan(buffer, at, count))
                at <- at + count
                framing.TakeData count
            else
                before <- framing.State
                good <- framing.Take buffer[at]
                at <- at + 1

        filled <- 0

        if not good then
            let place =
                if before = ChunkState.Size then
                    "where the size of a chunk belongs"
                else
                    "behind the data of a chunk"

            let wrong = ResponseWords.beginning (ReadOnlySpan(buffer, at - 1, until - at + 1))
            foreign $"the body is not in chunks of HTTP/1.1: '{wrong}' came {place}"
        elif framing.State = ChunkState.Over then
            extra <- until - at
            ResponseProgress.Complete
        else
            ResponseProgress.Incomplete

    let counted (from: int) (until: int) : ResponseProgress =
        let count = int (min left (int64 (until - from)))
        body (ReadOnlySpan(buffer, from, count))
        left <- left - int64 count
        filled <- 0

        if left > 0L then
            ResponseProgress.Incomplete
        else
            extra <- until - from - count
            ResponseProgress.Complete

    let untilClose (from: int) (until: int) : ResponseProgress =
        body (ReadOnlySpan(buffer, from, until - from))
        filled <- 0
        ResponseProgress.Incomplete

    let begin' (head: ResponseHead) (from: int) (until: int) : ResponseProgress =
        status <- head.Status
        date <- head.Date
        isInterim <- false
        closes <- head.Closes || head.Status = 101

        if status >= 300 && status < 400 then
            location <- ResponseHead.location (ReadOnlySpan(buffer, from - head.Length, head.Length))

        if isHead || status = 204 || status = 304 || status = 101 then
            left <- 0L
            part <- BodyPart.Counted
            counted from until
        elif head.Chunked then
            framing.Start()
            part <- BodyPart.Chunked
            chunks from until
        elif head.BodyLength >= 0L then
            left <- head.BodyLength
            part <- BodyPart.Counted
            counted from until
        elif head.BodyLength = ResponseHead.noLength then
            closes <- true
            part <- BodyPart.UntilClose
            untilClose from until
        else
            let head = ReadOnlySpan(buffer, from - head.Length, head.Length)
            foreign (ResponseWords.badLength "Content-Length" (ResponseHead.lengths head))

    let rec inHead (from: int) (until: int) : ResponseProgress =
        let head = heads.Read(ReadOnlySpan(buffer, from, until - from))

        if head.Length < 0 then
            foreign (ResponseHead.stranger (ReadOnlySpan(buffer, from, until - from)))
        elif head.Length > maxHead then
            tooLong ()
        elif head.Length > 0 && head.Status < 200 && head.Status <> 101 then
            // 100 Continue and its like: the response itself is behind it.
            isInterim <- true
            inHead (from + head.Length) until
        elif head.Length > 0 then
            begin' head (from + head.Length) until
        else
            if until > from then
                isInterim <- false

            if from > 0 then
                Buffer.BlockCopy(buffer, from, buffer, 0, until - from)

            filled <- until - from

            if filled > maxHead then
                tooLong ()
            else
                if filled = buffer.Length then
                    Array.Resize(&buffer, 2 * filled)

                ResponseProgress.Incomplete

    /// Begins with a new response. `forHead`: the request was a HEAD, whose response has no body.
    member _.Start(forHead: bool) : unit =
        part <- BodyPart.Head
        filled <- 0
        isHead <- forHead
        status <- 0
        closes <- false
        date <- 0L
        isInterim <- false
        bodyLength <- 0L
        matches <- true
        extra <- 0
        trouble <- null
        location <- null

    /// Where the next bytes go: the buffer from Filled on.
    member _.Buffer = buffer
    member _.Filled = filled

    /// So many bytes were put there.
    member _.Take(count: int) : ResponseProgress =
        let from = filled
        let until = filled + count

        match part with
        | BodyPart.Head -> inHead 0 until
        | BodyPart.Counted -> counted from until
        | BodyPart.UntilClose -> untilClose from until
        | _ -> chunks from until

    /// The peer has closed: whether the response is complete.
    member _.End() : ResponseProgress =
        if part = BodyPart.UntilClose then
            ResponseProgress.Complete
        else
            ResponseProgress.Incomplete

    /// The status; 0 before there is one.
    member _.Status = status
    /// Its Date, in seconds since 1970; 0: it has none.
    member _.Date = date
    /// Interim responses have come, and nothing of the response itself.
    member _.IsInterim = isInterim
    /// Where it redirects to, or null.
    member _.Location = location
    /// The connection cannot be used again.
    member _.Closes = closes
    /// Bytes that came behind the end of the response.
    member _.Extra = extra
    /// Bytes of the body.
    member _.BodyLength = bodyLength

    /// The body is the expected one.
    member _.IsExpected =
        match expected with
        | null -> true
        | expected -> matches && bodyLength = int64 expected.Length

    /// The response has no length: it ends with the connection.
    member _.EndsWithConnection = part = BodyPart.UntilClose

    /// The error, if it is not HTTP/1.1.
    member _.Trouble = trouble
