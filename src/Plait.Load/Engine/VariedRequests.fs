// Requests that differ from each other, made ready by a thread of their own, so that the thread that sends them only takes them.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Text
open System.Threading

open Plait.Report

/// A request that was made ready: where in its bytes the time of sending belongs, if it does.
[<Struct>]
type private Ready = { Request: Prepared; Times: int[]; Place: int }

/// A queue of fixed room for one thread that fills it and one that empties it. Neither ever waits in it.
[<Sealed>]
type private Ring(room: int) =
    let items = Array.zeroCreate<Ready> room
    let mutable put = 0L
    let mutable taken = 0L

    /// False: it is full.
    member _.TryPut(item: Ready) : bool =
        let at = put

        if at - Volatile.Read &taken >= int64 room then
            false
        else
            items[int (at % int64 room)] <- item
            Volatile.Write(&put, at + 1L)
            true

    /// There is something to take.
    member _.HasNext = taken < Volatile.Read &put

    /// The item that is next.
    member _.Next: byref<Ready> = &items[int (taken % int64 room)]

    /// Takes it.
    member this.Take() : Ready =
        let item = this.Next
        this.Next <- Unchecked.defaultof<Ready>
        Volatile.Write(&taken, taken + 1L)
        item

/// Bytes that are being written.
[<Sealed>]
type private Scratch() =
    let mutable bytes = Array.zeroCreate<byte> 4096
    let mutable length = 0

    /// How many there are.
    member _.Length = length
    member _.Written = ReadOnlySpan(bytes, 0, length)
    member _.Clear() : unit = length <- 0

    /// Room for so many more.
    member _.Room(count: int) : Span<byte> =
        if length + count > bytes.Length then
            Array.Resize(&bytes, 2 * (length + count))

        Span(bytes, length, bytes.Length - length)

    /// So many were put there.
    member _.Took(count: int) : unit = length <- length + count

    member this.Add(more: byte[]) : unit =
        more.AsSpan().CopyTo(this.Room more.Length)
        length <- length + more.Length

/// A value of the data as it stands in headers and bodies, and as it stands in a URL.
[<Struct>]
type private Cell = { Plain: byte[]; Escaped: byte[] }

/// The variables of one request after the other.
type private Values(plan: Plan, share: Share, data: DataRows) =
    let random = Random(plan.Seed + share.Index)

    let rows =
        data.Rows
        |> Array.map (
            Array.map (fun text ->
                {
                    Plain = Encoding.UTF8.GetBytes text
                    Escaped = Encoding.UTF8.GetBytes(Uri.EscapeDataString text)
                })
        )

    let mutable number = int64 share.Index
    let mutable row: Cell[] = [||]

    /// Goes on to the next request.
    member _.Begin() : unit =
        if rows.Length > 0 then
            let at =
                match plan.Data with
                | Some { Order = AtRandom } -> random.Next rows.Length
                | _ -> int (number % int64 rows.Length)

            row <- rows[at]

    /// Writes the value of a variable. `isInUrl`: as it stands in one.
    member _.Write(variable: Variable, isInUrl: bool, bodyLength: int, scratch: Scratch) : unit =
        let mutable written = 0

        match variable with
        | Column at -> scratch.Add(if isInUrl then row[at].Escaped else row[at].Plain)
        | Uuid ->
            Utf8Formatter.TryFormat(Guid.NewGuid(), scratch.Room 40, &written) |> ignore
            scratch.Took written
        | _ ->
            let whole =
                match variable with
                | Between(least, most) -> least + random.NextInt64(most - least + 1L)
                | Sequence -> number
                | BodyLength -> int64 bodyLength
                // As long as it will be when it is sent.
                | _ -> DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()

            Utf8Formatter.TryFormat(whole, scratch.Room 24, &written) |> ignore
            scratch.Took written

    /// The request is made.
    member _.End() : unit = number <- number + int64 share.Of

/// Bytes, and the variable behind them.
[<Struct>]
type private Piece = { Bytes: byte[]; Variable: Variable voption; IsInUrl: bool }

/// One template, as pieces of bytes with variables between them.
type private Pieces(connecting: Connecting, index: int, template: Template, data: DataRows) =
    static let latin = Encoding.Latin1
    // The header fields of HTTP/2 are encoded, and a redirection begins from the whole request: there are no pieces to copy.
    let isWhole = Pieces.MadeWhole connecting
    let prepared = Resolve.prepared connecting index template.Request

    // What stands in the request line is part of a URL.
    let split (lineLength: int) (bytes: byte[]) : Piece[] =
        let text = latin.GetString bytes

        [|
            let mutable from = 0

            for found in Template.marks.Matches text do
                {
                    Bytes = latin.GetBytes(text.Substring(from, found.Index - from))
                    Variable = ValueSome template.Variables[int found.Groups[1].Value]
                    IsInUrl = found.Index < lineLength
                }

                from <- found.Index + found.Length

            { Bytes = latin.GetBytes(text.Substring from); Variable = ValueNone; IsInUrl = false }
        |]

    let headLength = max 0 (prepared.Bytes.Length - template.Request.Body.Length)

    let head =
        if isWhole then
            [||]
        else
            split (Array.IndexOf(prepared.Bytes, 10uy)) (Array.truncate headLength prepared.Bytes)


    let body = split 0 template.Request.Body
    let headBytes = Scratch()
    let bodyBytes = Scratch()
    let times = ResizeArray<int>()

    // Where a value of a header has a line break, the request would be another one.
    do
        for _, text in template.Request.Headers do
            for found in Template.marks.Matches text do
                match template.Variables[int found.Groups[1].Value] with
                | Column at ->
                    for row in 0 .. data.Rows.Length - 1 do
                        if data.Rows[row].[at].AsSpan().IndexOfAny('\r', '\n', '\000') >= 0 then
                            raise (
                                BadInput
                                    $"the {List.item at data.Columns} of row {row + 1} of the data has a line break or a zero in it, and stands in a header; a header is one line"
                            )
                | _ -> ()

    let render (values: Values) (isHead: bool) (pieces: Piece[]) (into: Scratch) =
        into.Clear()

        for piece in pieces do
            into.Add piece.Bytes

            match piece.Variable with
            | ValueNone -> ()
            | ValueSome variable ->
                let before = into.Length
                values.Write(variable, piece.IsInUrl, bodyBytes.Length, into)

                if variable = Time then
                    times.Add(if isHead then before else -1 - before)

    let makeWhole (values: Values) (place: int) : Ready =
        let filled (isInUrl: bool) (text: string) =
            Template.marks.Replace(
                text,
                fun found ->
                    let variable = template.Variables[int found.Groups[1].Value]
                    headBytes.Clear()
                    values.Write(variable, isInUrl, bodyBytes.Length, headBytes)
                    Encoding.UTF8.GetString headBytes.Written
            )

        let request =
            { template.Request with
                Url = Uri(filled true template.Request.Url.OriginalString)
                Headers = template.Request.Headers |> List.map (fun (name, value) -> name, filled false value)
                Body = bodyBytes.Written.ToArray()
            }

        { Request = Resolve.prepared connecting index request; Times = [||]; Place = place }

    let makeOfPieces (values: Values) (place: int) : Ready =
        render values true head headBytes
        let bytes = GC.AllocateUninitializedArray<byte>(headBytes.Length + bodyBytes.Length)
        headBytes.Written.CopyTo(Span bytes)
        bodyBytes.Written.CopyTo(bytes.AsSpan headBytes.Length)

        {
            Request = { prepared with Bytes = bytes; BodyLength = bodyBytes.Length }
            Times =
                if times.Count = 0 then
                    [||]
                else
                    // Those of the body were noted before the length of the head was known.
                    [| for time in times -> if time >= 0 then time else headBytes.Length - 1 - time |]
            Place = place
        }

    /// The next request of this template.
    member _.Make(values: Values, place: int) : Ready =
        times.Clear()
        render values false body bodyBytes

        if isWhole then makeWhole values place else makeOfPieces values place

    /// Requests are made whole, with the time at which they are made; otherwise of pieces, with that of sending.
    static member MadeWhole(connecting: Connecting) : bool =
        connecting.Redirects > 0 || connecting.Protocol <> Http1

/// The requests of a plan in turn, each with values of its own.
[<Sealed>]
type internal VariedRequests(plan: Plan, share: Share, data: DataRows) =
    inherit RequestSource()
    // So many are made ahead, as far as they fit: what is made long before it is sent is of no use.
    static let mostAhead = 16_384
    static let mostBytes = 64 * 1024 * 1024
    let cycle = new RequestCycle(plan, Share.Whole)
    let destinations = cycle.Destinations
    let values = Values(plan, share, data)

    let templates =
        plan.Requests |> List.map (Template.ofRequest data.Columns) |> Array.ofList

    let pieces =
        templates
        |> Array.mapi (fun index template ->
            template |> Option.map (fun template -> Pieces(plan.Connecting, index, template, data)))

    let room =
        let largest =
            plan.Requests |> List.map (fun request -> request.Body.Length + 1024) |> List.max

        let ahead =
            match Arrivals.peak plan.Model with
            | Some perSecond -> int (min 1e6 (perSecond / 4.0))
            | None -> mostAhead

        let hasTime =
            templates
            |> Array.exists (Option.exists (fun template -> Array.contains Time template.Variables))

        // A time that is not written when the request is sent must not be old then.
        if hasTime && Pieces.MadeWhole plan.Connecting then
            Math.Clamp(ahead / 5, 2, 64)
        else
            Math.Clamp(min ahead (mostBytes / largest), 64, mostAhead)

    let ring = Ring room
    let mutable isOver = false
    let mutable trouble: exn | null = null

    let next () : Ready =
        let place = cycle.Destination
        let prepared = cycle.Take()
        values.Begin()

        let ready =
            match pieces[prepared.Index] with
            | Some pieces -> pieces.Make(values, place)
            | None -> { Request = prepared; Times = [||]; Place = place }

        values.End()

        // The requests between are those of the other shares.
        for _ in 2 .. share.Of do
            cycle.Take() |> ignore

        ready

    let work () =
        try
            for _ in 1 .. share.Index do
                cycle.Take() |> ignore

            let mutable held = next ()

            while not (Volatile.Read &isOver) do
                if ring.TryPut held then held <- next () else Thread.Sleep 1
        with error ->
            Volatile.Write(&trouble, error)

    let thread = Thread(work, IsBackground = true, Name = "plait requests")
    do thread.Start()

    /// The sending thread is late by as long as this takes, and counts it as its own lag.
    let await () =
        while not ring.HasNext do
            match Volatile.Read &trouble with
            | null -> Thread.Yield() |> ignore
            | error -> raise (RunFailed $"a request could not be made: {error.Message}")

    override _.Destinations = destinations

    override _.Destination =
        await ()
        ring.Next.Place

    override _.Take() : Prepared =
        await ()
        let ready = ring.Take()

        if ready.Times.Length > 0 then
            let now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()

            for at in ready.Times do
                let mutable written = 0
                Utf8Formatter.TryFormat(now, ready.Request.Bytes.AsSpan at, &written) |> ignore

        ready.Request

    override _.Dispose() =
        Volatile.Write(&isOver, true)
        thread.Join()

/// The requests of a plan.
module internal Requests =
    /// The plan with what its data say: a run over rows that are used once ends with them.
    let withData (plan: Plan) : Plan =
        match plan.Data with
        | Some { Order = Once; File = file } ->
            let rows = int64 (DataRows.read file).Rows.Length
            { plan with Most = Some(plan.Most |> Option.map (min rows) |> Option.defaultValue rows) }
        | _ -> plan

    /// Those of a share. Raises BadInput for a variable that there is not, or data that cannot be read.
    let source (plan: Plan) (share: Share) : RequestSource =
        let data =
            match plan.Data with
            | Some data -> DataRows.read data.File
            | None -> { Columns = []; Rows = [||] }

        if
            plan.Requests
            |> List.exists (fun request -> (Template.ofRequest data.Columns request).IsSome)
        then
            new VariedRequests(plan, share, data)
        elif plan.Data.IsSome then
            raise (
                BadInput
                    $"""no request has a column of the data in it; write one in double braces, like {{{{{List.head data.Columns}}}}}"""
            )
        else
            new RequestCycle(plan, share)
