// A collector of OpenTelemetry metrics on the loopback, which reads of OTLP what tests need: the names of metrics, the counts
// of their points, and the attributes of those. Points are cumulative: the last message has all of them.
namespace Plait.Tool.Tests

open System
open System.Buffers.Binary
open System.Collections.Generic
open System.IO
open System.Net
open System.Text

open Plait.Tests.Support

/// A field of a protobuf message.
[<RequireQualifiedAccess>]
type private Field =
    | Number of uint64
    | Bytes of byte[]

module private Protobuf =
    /// The fields of a message with their numbers, in order.
    let fields (message: byte[]) : (int * Field) list =
        let mutable at = 0

        let varint () =
            let mutable value = 0UL
            let mutable shift = 0
            let mutable more = true

            while more do
                value <- value ||| (uint64 (message[at] &&& 0x7Fuy) <<< shift)
                more <- message[at] >= 0x80uy
                shift <- shift + 7
                at <- at + 1

            value

        [
            while at < message.Length do
                let key = varint ()

                let value =
                    match int (key &&& 7UL) with
                    | 0 -> Field.Number(varint ())
                    | 1 ->
                        at <- at + 8

                        Field.Number(
                            BinaryPrimitives.ReadUInt64LittleEndian(ReadOnlySpan(message, at - 8, 8))
                        )
                    | 2 ->
                        let length = int (varint ())
                        at <- at + length
                        Field.Bytes message[at - length .. at - 1]
                    | 5 ->
                        at <- at + 4

                        Field.Number(
                            uint64 (BinaryPrimitives.ReadUInt32LittleEndian(ReadOnlySpan(message, at - 4, 4)))
                        )
                    | kind -> failwith $"a field of kind {kind}"

                int (key >>> 3), value
        ]

    let below (number: int) (message: byte[]) : byte[] list =
        fields message
        |> List.choose (function
            | other, Field.Bytes bytes when other = number -> Some bytes
            | _ -> None)

    let text (number: int) (message: byte[]) : string =
        below number message
        |> List.tryHead
        |> Option.map Encoding.UTF8.GetString
        |> Option.defaultValue ""

    let number (number: int) (message: byte[]) : uint64 option =
        fields message
        |> List.tryPick (function
            | other, Field.Number value when other = number -> Some value
            | _ -> None)

/// A point of a metric: its attributes, and its value or, of a histogram, its count.
type MetricPoint = { Attributes: Map<string, string>; Value: int64 }

/// A metric as it was sent last.
type Metric = { Name: string; Unit: string; Points: MetricPoint list }

/// A collector that answers with a status.
type OtlpCollector(status: int) =
    let received = List<byte[]>()
    let listener = new HttpListener()

    let port = Ports.free ()

    let attributes (field: int) (point: byte[]) =
        Map.ofList
            [
                for pair in Protobuf.below field point do
                    let value = Protobuf.below 2 pair |> List.head

                    let shown =
                        match Protobuf.fields value with
                        | (1, Field.Bytes text) :: _ -> Encoding.UTF8.GetString text
                        | (_, Field.Number number) :: _ -> string number
                        | other -> failwith $"an attribute of {other}"

                    Protobuf.text 1 pair, shown
            ]

    let metric (message: byte[]) : Metric =
        let points field =
            Protobuf.below field message |> List.collect (Protobuf.below 1)

        {
            Name = Protobuf.text 1 message
            Unit = Protobuf.text 3 message
            Points =
                [
                    // a sum
                    for point in points 7 do
                        {
                            Attributes = attributes 7 point
                            Value = int64 (Option.get (Protobuf.number 6 point))
                        }

                    // a histogram
                    for point in points 9 do
                        {
                            Attributes = attributes 9 point
                            Value = int64 (Option.get (Protobuf.number 4 point))
                        }
                ]
        }

    let serve () =
        try
            while true do
                let context = listener.GetContext()
                use body = new MemoryStream()
                context.Request.InputStream.CopyTo body

                if context.Request.HttpMethod = "POST" && context.Request.RawUrl = "/v1/metrics" then
                    lock received (fun () -> received.Add(body.ToArray()))
                    context.Response.StatusCode <- status
                else
                    context.Response.StatusCode <- 404

                context.Response.Close()
        with
        | :? HttpListenerException
        | :? ObjectDisposedException -> ()

    do
        listener.Prefixes.Add $"http://127.0.0.1:{port}/"
        listener.Start()
        Threading.Thread(serve, IsBackground = true).Start()

    /// Its base address.
    member _.Url = $"http://127.0.0.1:{port}"

    /// How many messages came.
    member _.Messages = lock received (fun () -> received.Count)

    /// The metrics of the last message, by name.
    member _.Metrics: Map<string, Metric> =
        let last = lock received (fun () -> received[received.Count - 1])

        Map.ofList
            [
                for resource in Protobuf.below 1 last do
                    for scope in Protobuf.below 2 resource do
                        for message in Protobuf.below 2 scope do
                            let metric = metric message
                            metric.Name, metric
            ]

    interface IDisposable with
        member _.Dispose() = listener.Close()
