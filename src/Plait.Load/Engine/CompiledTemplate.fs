// Requests of one template: parts of bytes that are the same in all of them, and values between the parts. For the thread that makes
// requests.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Text

open Plait.Common

/// A request that waits to be sent. `Times`: the places in its bytes of the time of sending.
[<Struct>]
type internal QueuedRequest = { Request: PreparedRequest; Times: int[]; Destination: int }

/// Bytes that are being written.
[<Sealed>]
type internal ByteBuffer() =
    let mutable bytes = Array.zeroCreate<byte> 4096
    let mutable length = 0

    /// How many there are.
    member _.Length = length
    member _.Written = ReadOnlySpan(bytes, 0, length)
    member _.Clear() : unit = length <- 0

    /// Room for so many more.
    member _.Room(count: int) : Span<byte> =
        if length + count > bytes.Length then
            Array.Resize(&bytes, int (min (2L * int64 (length + count)) (int64 Array.MaxLength)))

        Span(bytes, length, bytes.Length - length)

    /// So many were put there.
    member _.Took(count: int) : unit = length <- length + count

    member this.Add(more: byte[]) : unit =
        more.AsSpan().CopyTo(this.Room more.Length)
        length <- length + more.Length

    /// Puts bytes before all that were written.
    member this.Prepend(more: byte[]) : unit =
        let _ = this.Room more.Length
        Span(bytes, 0, length).CopyTo(Span(bytes, more.Length, length))
        more.AsSpan().CopyTo(Span bytes)
        length <- length + more.Length

/// The values of variables, for one request after the other.
type internal VariableValues(plan: Plan, share: Share, data: DataRows) =
    let random = Random(plan.Seed + share.Index)

    let mutable number = int64 share.Index
    let mutable row: DataCell[] = [||]
    let mutable rowNumber = 0

    let between (least: int64) (most: int64) : int64 =
        // Without a sign it holds every span.
        let span = uint64 most - uint64 least

        if span < uint64 Int64.MaxValue then
            least + random.NextInt64(int64 span + 1L)
        else
            // At least every second number of 64 random bits is one of them.
            let bits = Array.zeroCreate<byte> 8
            let mutable drawn = least
            let mutable isDrawn = false

            while not isDrawn do
                random.NextBytes bits
                drawn <- BitConverter.ToInt64 bits
                isDrawn <- least <= drawn && drawn <= most

            drawn

    /// The number of requests before this one.
    member _.Number = number

    /// Goes on to the next request. `turn`: the number of requests with a row before it, if it has a row.
    member _.Begin(turn: int64 voption) : unit =
        match turn with
        | ValueNone -> rowNumber <- 0
        | ValueSome turn ->
            let at =
                match plan.Data with
                | Some { Order = AtRandom } -> random.Next data.Rows.Length
                | _ -> int (turn % int64 data.Rows.Length)

            row <- data.Rows[at]
            rowNumber <- at + 1

    /// The number of the request's row, from 1; 0: it has none.
    member _.Row = rowNumber

    /// Writes the value of a variable. `isInUrl`: percent-encoded.
    member _.Write(variable: Variable, isInUrl: bool, bodyLength: int, buffer: ByteBuffer) : unit =
        let mutable written = 0

        match variable with
        | Column at -> buffer.Add(if isInUrl then row[at].Escaped else row[at].Plain)
        | Uuid ->
            Utf8Formatter.TryFormat(Guid.NewGuid(), buffer.Room 40, &written) |> ignore
            buffer.Took written
        | _ ->
            let whole =
                match variable with
                | Between(least, most) -> between least most
                | Sequence -> number
                | BodyLength -> int64 bodyLength
                // It has as many digits as the time of sending.
                | _ -> DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()

            Utf8Formatter.TryFormat(whole, buffer.Room 24, &written) |> ignore
            buffer.Took written

    /// The request is made.
    member _.End() : unit = number <- number + int64 share.Of

/// Bytes, and the variable behind them.
[<Struct>]
type private TemplatePart = { Bytes: byte[]; Variable: Variable voption; IsInUrl: bool }

/// One template, as parts of bytes with variables between them.
type internal CompiledTemplate
    (connecting: ConnectionOptions, index: int, request: HttpRequest, template: Template, data: DataRows) =
    static let latin = Encoding.Latin1
    // HTTP/2 encodes header fields, and a redirection begins with the whole request: both need the request itself, not parts of bytes.
    let isWhole = CompiledTemplate.MadeWhole connecting
    let prepared = Resolve.prepared connecting index template.Request

    // A value in the request line is part of a URL.
    let split (lineLength: int) (bytes: byte[]) : TemplatePart[] =
        let text = latin.GetString bytes

        [|
            let mutable from = 0

            for found in template.Marks.Matches text do
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
    let headBytes = ByteBuffer()
    let bodyBytes = ByteBuffer()
    let times = ResizeArray<int>()

    // The most bytes of a request, and the number of the row of that request.
    let largest, largestRow =
        let uses = Array.zeroCreate<int64> data.Columns.Length

        for variable in template.Variables do
            match variable with
            | Column at -> uses[at] <- uses[at] + 1L
            | _ -> ()

        let used =
            [|
                for at in 0 .. uses.Length - 1 do
                    if uses[at] > 0L then
                        at
            |]

        let mutable most, mostRow = 0L, 0

        if used.Length > 0 then
            for row in 0 .. data.Rows.Length - 1 do
                let size =
                    used |> Array.sumBy (fun at -> uses[at] * int64 data.Rows[row].[at].Escaped.Length)

                if size > most then
                    most <- size
                    mostRow <- row + 1

        let fixedBytes =
            match connecting.Protocol with
            | Http1 -> prepared.Bytes.Length
            | Http2 _ -> prepared.Bytes.Length + prepared.Body.Length

        // No other variable is longer than a UUID.
        most + 36L * int64 template.Variables.Length + int64 fixedBytes, mostRow

    do
        if largest > CompiledTemplate.MaxBytes then
            let row = if largestRow > 0 then $", made of row {largestRow} of the data," else ""

            raise (
                BadInput
                    $"the request {request.MethodAndUrl}{row} would have up to {largest} bytes; there may be {CompiledTemplate.MaxBytes}, so make its body or the values shorter"
            )

    // A line break in the value of a header would make another request.
    do
        for _, text in template.Request.Headers do
            for found in template.Marks.Matches text do
                match template.Variables[int found.Groups[1].Value] with
                | Column at ->
                    for row in 0 .. data.Rows.Length - 1 do
                        if data.Rows[row].[at].Plain.AsSpan().IndexOfAny('\r'B, '\n'B, 0uy) >= 0 then
                            raise (
                                BadInput
                                    $"the {List.item at data.Columns} of row {row + 1} of the data has a line break or a zero in it, and stands in a header; a header is one line"
                            )
                | _ -> ()

    let render (values: VariableValues) (isHead: bool) (parts: TemplatePart[]) (into: ByteBuffer) =
        into.Clear()

        for part in parts do
            into.Add part.Bytes

            match part.Variable with
            | ValueNone -> ()
            | ValueSome variable ->
                let before = into.Length
                values.Write(variable, part.IsInUrl, bodyBytes.Length, into)

                if variable = Time then
                    times.Add(if isHead then before else -1 - before)

    let makeWhole (values: VariableValues) (destination: int) : QueuedRequest =
        let filled (isInUrl: bool) (text: string) =
            template.Marks.Replace(
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

        {
            Request = Resolve.prepared connecting index request
            Times = [||]
            Destination = destination
        }

    let makeOfParts (values: VariableValues) (destination: int) : QueuedRequest =
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
                    // Places in the body were noted before the length of the head was known.
                    [| for time in times -> if time >= 0 then time else headBytes.Length - 1 - time |]
            Destination = destination
        }

    let framing = ChunkFraming()

    /// The rendered body becomes one chunk.
    let frame () =
        if bodyBytes.Length = 0 then
            bodyBytes.Add ChunkedBody.last
        else
            let before = ChunkedBody.before bodyBytes.Length
            bodyBytes.Prepend before
            bodyBytes.Add ChunkedBody.behind

            for at in 0 .. times.Count - 1 do
                times[at] <- times[at] - before.Length

    /// The rendered body is written in chunks: their sizes fit its values.
    let checkSizes (values: VariableValues) =
        if not (framing.TakesWhole bodyBytes.Written) then
            let row = if values.Row > 0 then $", made of row {values.Row} of the data," else ""

            raise (ChunkedBody.misfit $"{request.MethodAndUrl}{row}" "its values")

    /// The most memory of a request, in bytes. A request that is made whole is in memory as text too.
    member _.Largest = if isWhole then 4L * largest else largest

    /// The next request of this template.
    member _.Make(values: VariableValues, destination: int) : QueuedRequest =
        times.Clear()
        render values false body bodyBytes

        match template.InChunks with
        | Some true -> checkSizes values
        | Some false -> frame ()
        | None -> ()

        if isWhole then makeWhole values destination else makeOfParts values destination

    /// The bytes that a request may have.
    static member MaxBytes = 512L * 1024L * 1024L

    /// Requests are made whole, with the time at which they are made; false: of parts, with the time of sending.
    static member MadeWhole(connecting: ConnectionOptions) : bool =
        connecting.Redirects > 0 || connecting.Protocol <> Http1
