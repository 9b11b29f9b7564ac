// Requests that differ from each other, made ready by a thread of their own, so that the thread that sends them only takes them.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Runtime.ExceptionServices
open System.Threading

open Plait.Common

/// A queue of fixed room for one thread that fills it and one that empties it. Neither ever waits in it.
[<Sealed>]
type private RingBuffer(room: int) =
    let items = Array.zeroCreate<QueuedRequest> room
    let mutable put = 0L
    let mutable taken = 0L

    /// False: it is full.
    member _.TryPut(item: QueuedRequest) : bool =
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
    member _.Next: byref<QueuedRequest> = &items[int (taken % int64 room)]

    /// Takes it.
    member this.Take() : QueuedRequest =
        let item = this.Next
        this.Next <- Unchecked.defaultof<QueuedRequest>
        Volatile.Write(&taken, taken + 1L)
        item

/// The use of rows by the requests of a plan: each request with a column takes the next row. `templates`: those of the requests, in
/// turn.
type internal RowUse(templates: Template option[]) =
    let hasRow =
        templates
        |> Array.map (Option.exists (fun template -> template.Variables |> Array.exists _.IsColumn))

    // The number of requests with a row before each request.
    let before =
        hasRow |> Array.scan (fun count has -> if has then count + 1L else count) 0L

    let length = int64 hasRow.Length
    let each = Array.last before

    /// Some request has a row.
    member _.IsAny = each > 0L

    /// The number of requests with a row before this one, if it has a row.
    member _.Turn(number: int64) : int64 voption =
        let at = int (number % length)

        if hasRow[at] then ValueSome(number / length * each + before[at]) else ValueNone

    /// The number of requests that use so many rows.
    member _.Requests(rows: int64) : int64 =
        let last = before |> Array.findIndex ((=) ((rows - 1L) % each + 1L))
        (rows - 1L) / each * length + int64 last

/// The requests of a plan in turn, each with values of its own.
[<Sealed>]
type internal VariedRequests(plan: Plan, share: Share, data: DataRows) =
    inherit RequestSource()
    // The most requests that are made ahead, by number and by bytes.
    static let mostAhead = 16_384
    static let mostBytes = 64L * 1024L * 1024L
    let cycle = new RequestCycle(plan, Share.Whole)
    let destinations = cycle.Destinations
    let values = VariableValues(plan, share, data)

    let requests = Array.ofList plan.Requests
    let templates = requests |> Array.map (Template.ofRequest data.Columns)

    let rows = RowUse templates

    let compiled =
        templates
        |> Array.mapi (fun index template ->
            template
            |> Option.map (fun template ->
                CompiledTemplate(plan.Connecting, index, requests[index], template, data)))

    let room =
        // Each share makes its own.
        let fitting =
            mostBytes
            / int64 share.Of
            / (compiled |> Array.choose id |> Array.map _.Largest |> Array.fold max 1024L)

        let ahead =
            match Plan.peak plan with
            | Some perSecond -> int (min 1e6 (perSecond / 4.0))
            | None -> mostAhead

        let hasTime =
            templates
            |> Array.exists (Option.exists (fun template -> Array.contains Time template.Variables))

        // If the time is written when a request is made, it must not be old when the request is sent.
        if hasTime && CompiledTemplate.MadeWhole plan.Connecting then
            Math.Clamp(ahead / 5, 2, 64)
        else
            Math.Clamp(ahead, 64, mostAhead)
        |> int64
        |> min fitting
        |> max 2L
        |> int

    let ring = RingBuffer room
    let mutable isOver = false
    let mutable trouble: ExceptionDispatchInfo | null = null

    let refuse (prepared: PreparedRequest) (why: string) : QueuedRequest =
        let row = if values.Row > 0 then $" of row {values.Row} of the data" else ""

        raise (RunFailed $"the request {prepared.Request.MethodAndUrl} could not be made{row}: {why}")

    let next () : QueuedRequest =
        let destination = cycle.Destination
        let prepared = cycle.Take()
        values.Begin(rows.Turn values.Number)

        let queued =
            match compiled[prepared.Index] with
            | None -> { Request = prepared; Times = [||]; Destination = destination }
            | Some compiled ->
                try
                    compiled.Make(values, destination)
                with
                | :? OutOfMemoryException ->
                    refuse prepared "there is not enough memory for it; shorten its values"
                | :? UriFormatException -> refuse prepared "these values do not give it a URL; change them"

        values.End()

        // The other shares send the requests between.
        for _ in 2 .. share.Of do
            cycle.Take() |> ignore

        queued

    let work () =
        try
            for _ in 1 .. share.Index do
                cycle.Take() |> ignore

            let mutable held = next ()

            while not (Volatile.Read &isOver) do
                if ring.TryPut held then held <- next () else Thread.Sleep 1
        with error ->
            Volatile.Write(&trouble, ExceptionDispatchInfo.Capture error)

    let thread = Thread(work, IsBackground = true, Name = "plait requests")
    do thread.Start()

    /// The time of this wait counts as own lag of the sending thread.
    let await () =
        while not ring.HasNext do
            match Volatile.Read &trouble with
            | null -> Thread.Yield() |> ignore
            | error -> error.Throw()

    /// The most requests that are made ahead.
    member _.Ahead = room

    override _.Destinations = destinations

    override _.Destination =
        await ()
        ring.Next.Destination

    override _.Take() : PreparedRequest =
        await ()
        let queued = ring.Take()

        if queued.Times.Length > 0 then
            let now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()

            for at in queued.Times do
                let mutable written = 0
                Utf8Formatter.TryFormat(now, queued.Request.Bytes.AsSpan at, &written) |> ignore

        queued.Request

    override _.Dispose() =
        Volatile.Write(&isOver, true)
        thread.Join()
