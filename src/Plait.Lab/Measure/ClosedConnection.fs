// One keep-alive connection of the closed loop: it sends a request, reads and checks the whole response, and sends
// the next one until the slice's deadline. It allocates nothing for a request, and counts for itself alone, so that
// connections share nothing while they run.
namespace Plait.Lab.Measure

open System
open System.Diagnostics
open System.Net.Sockets
open System.Threading

open Plait.Load

open Plait.Lab.Measure

/// One connection. `idle` is called once for each `Begin`, when the connection has come to rest.
type internal ClosedConnection(target: Target, idle: Action) as this =
    // Connecting again is worthwhile when a connection was dropped, not when nobody listens any more.
    static let attemptsInARow = 3
    let request = target.Request
    let buffer = Array.zeroCreate<byte> 16384
    let arguments = new SocketAsyncEventArgs()
    let mutable socket: Socket | null = null
    let mutable deadline = 0L
    let mutable sentAt = 0L
    let mutable filled = 0
    let mutable bodyLeft = -1L
    let mutable right = true
    let mutable closes = false
    let mutable timedOut = false
    let mutable failuresInARow = 0
    let mutable requests = 0L
    let mutable errors = Errors.None
    let mutable complaint: string | null = null

    do
        arguments.Completed.Add(fun _ ->
            if this.Received() then
                this.Pump())

    let drop () =
        match socket with
        | null -> ()
        | open' ->
            socket <- null
            open'.Dispose()

    let connect () =
        let fresh =
            new Socket(target.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp, NoDelay = true)

        try
            fresh.Connect target.Address
            timedOut <- false
            socket <- fresh
        with _ ->
            fresh.Dispose()
            reraise ()

    let send () =
        filled <- 0
        bodyLeft <- -1L
        right <- true
        closes <- false
        arguments.SetBuffer(buffer, 0, buffer.Length)
        Volatile.Write(&sentAt, Stopwatch.GetTimestamp())

        match socket with
        | null -> connect ()
        | _ -> ()

        (nonNull socket).Send(ReadOnlySpan request) |> ignore

    let rest () =
        Volatile.Write(&sentAt, 0L)
        idle.Invoke()
        false

    let countBroken () =
        failuresInARow <- failuresInARow + 1

        errors <-
            if timedOut then
                { errors with Timeout = errors.Timeout + 1L }
            else
                { errors with Connection = errors.Connection + 1L }

    /// Sends a request on a working connection, connecting again if need be; false: given up, and at rest.
    let rec next () : bool =
        let sent =
            try
                send ()
                true
            with
            | :? SocketException
            | :? ObjectDisposedException -> false

        sent || broken ()

    /// Counts the failure, and tries again as long as that is worthwhile.
    and broken () : bool =
        countBroken ()
        drop ()

        if failuresInARow < attemptsInARow && Stopwatch.GetTimestamp() < deadline then
            next ()
        else
            rest ()

    let complain sentence =
        if isNull complaint then
            complaint <- sentence

    let wrongLength sentence =
        errors <- { errors with Length = errors.Length + 1L }
        complain sentence
        // Where the next response begins is not known any more.
        drop ()

    let another () =
        if Stopwatch.GetTimestamp() < deadline then next () else rest ()

    let complete () =
        failuresInARow <- 0

        if right then
            requests <- requests + 1L

        if closes then
            drop ()

        another ()

    /// True: more of the body is to be received.
    let readBody () : bool =
        if bodyLeft > 0L then
            true
        elif bodyLeft = 0L then
            complete ()
        else
            wrongLength $"{-bodyLeft} bytes came behind the end of the body"
            another ()

    let readHead () : bool =
        let head = ResponseHead.read (ReadOnlySpan(buffer, 0, filled))

        if head.Length < 0 || (head.Length = 0 && filled = buffer.Length) then
            wrongLength "the response is not HTTP/1.1, or its head is longer than 16 kB"
            another ()
        elif head.Length = 0 then
            arguments.SetBuffer(filled, buffer.Length - filled)
            true
        elif head.Chunked || head.BodyLength < 0L then
            wrongLength
                "the response has no Content-Length (it may come in chunks): the client counts only bodies whose length is stated"

            another ()
        else
            closes <- head.Closes

            if head.Status <> 200 then
                right <- false
                errors <- { errors with Status = errors.Status + 1L }
                complain $"the status was {head.Status} instead of 200"
            elif head.BodyLength <> target.BodyLength then
                right <- false
                errors <- { errors with Length = errors.Length + 1L }
                complain $"the body has {head.BodyLength} bytes instead of {target.BodyLength}"

            bodyLeft <- head.BodyLength - int64 (filled - head.Length)

            if bodyLeft > 0L then
                arguments.SetBuffer(0, buffer.Length)

            readBody ()

    /// Requests answered rightly since the last `Begin`.
    member _.Requests = requests
    /// Errors since the last `Begin`.
    member _.Errors = errors
    /// What was wrong with the first wrong response, or null.
    member _.Complaint = complaint

    /// Looks at what came in. True: another receive is to be posted.
    member private _.Received() : bool =
        let count = arguments.BytesTransferred

        if arguments.SocketError <> SocketError.Success || count = 0 then
            broken ()
        elif bodyLeft < 0L then
            filled <- filled + count
            readHead ()
        else
            bodyLeft <- bodyLeft - int64 count
            readBody ()

    member private _.Pump() =
        let mutable more = true

        while more do
            let pending =
                try
                    match socket with
                    | null -> ValueNone
                    | open' -> ValueSome(open'.ReceiveAsync arguments)
                with
                | :? ObjectDisposedException
                | :? SocketException -> ValueNone

            more <-
                match pending with
                | ValueSome true -> false
                | ValueSome false -> this.Received()
                | ValueNone -> broken ()

    /// Starts to send requests, one after the other, until `until` (a Stopwatch time).
    member _.Begin(until: int64) =
        deadline <- until
        requests <- 0L
        errors <- Errors.None
        complaint <- null
        failuresInARow <- 0

        if next () then
            this.Pump()

    /// Opens the connection without sending anything.
    member _.Open() =
        if isNull socket then
            connect ()

    /// Breaks the connection if its request was sent before `limit` (a Stopwatch time); the request then counts as
    /// timed out. May be called from another thread than the connection's.
    member _.BreakIfSentBefore(limit: int64) =
        let sent = Volatile.Read &sentAt

        if sent <> 0L && sent < limit then
            timedOut <- true
            // Disposing wakes the pending receive, which does the counting.
            match socket with
            | null -> ()
            | open' -> open'.Dispose()

    interface IDisposable with
        member _.Dispose() =
            drop ()
            arguments.Dispose()
