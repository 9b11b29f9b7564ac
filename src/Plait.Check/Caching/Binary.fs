// Values of F# in the cache, as bytes: records, unions, tuples, lists and options, by their types. A shared record
// stays shared. Only the program that wrote bytes reads them: the keys of the cache have its identity.
module internal Plait.Check.Binary

open System
open System.Collections.Generic
open System.IO
open System.IO.Compression
open System.Text

open FSharp.Compiler.Text
open Microsoft.FSharp.Reflection

type private Writer(stream: Stream) =
    member val Out = new BinaryWriter(stream, Encoding.UTF8, true)
    member val Texts = Dictionary<string, int>()
    member val Records = Dictionary<obj, int>(HashIdentity.Reference)

type private Reader(stream: Stream) =
    member val In = new BinaryReader(stream, Encoding.UTF8, true)
    member val Texts = List<string>()
    member val Records = List<obj>()

[<AbstractClass>]
type private Codec() =
    abstract Write: Writer * obj | null -> unit
    abstract Read: Reader -> obj | null

type private Simple<'T>(write: Writer -> 'T -> unit, read: Reader -> 'T) =
    inherit Codec()
    override _.Write(writer, value) = write writer (unbox<'T> value)
    override _.Read reader = box (read reader)

/// A type may contain itself.
type private Later() =
    inherit Codec()
    member val Codec: Codec option = None with get, set
    override this.Write(writer, value) = this.Codec.Value.Write(writer, value)
    override this.Read reader = this.Codec.Value.Read reader

type private ListCodec<'T>(item: Codec) =
    inherit Codec()

    override _.Write(writer, value) =
        let items = unbox<'T list> value
        writer.Out.Write7BitEncodedInt items.Length

        for one in items do
            item.Write(writer, one)

    override _.Read reader =
        box [ for _ in 1 .. reader.In.Read7BitEncodedInt() -> unbox<'T>(item.Read reader) ]

let private text =
    let write (writer: Writer) (value: string) =
        match writer.Texts.TryGetValue value with
        | true, index -> writer.Out.Write7BitEncodedInt(index + 1)
        | _ ->
            writer.Texts[value] <- writer.Texts.Count
            writer.Out.Write7BitEncodedInt 0
            writer.Out.Write value

    let read (reader: Reader) =
        match reader.In.Read7BitEncodedInt() with
        | 0 ->
            let value = reader.In.ReadString()
            reader.Texts.Add value
            value
        | index -> reader.Texts[index - 1]

    write, read

let private place =
    let write (writer: Writer) (value: range) =
        fst text writer value.FileName

        for number in [ value.StartLine; value.StartColumn; value.EndLine; value.EndColumn ] do
            writer.Out.Write7BitEncodedInt number

    let read (reader: Reader) =
        let file = snd text reader
        let number () = reader.In.Read7BitEncodedInt()
        let start = Position.mkPos (number ()) (number ())
        Range.mkRange file start (Position.mkPos (number ()) (number ()))

    Simple<range>(write, read)

type private Fields(codecs: Codec[]) =
    member _.Write(writer, values: (obj | null) array) =
        for index in 0 .. codecs.Length - 1 do
            codecs[index].Write(writer, values[index])

    member _.Read reader : obj array =
        [| for codec in codecs -> codec.Read reader |> Unchecked.nonNull |]

type private Record(shape: Type, fields: Fields) =
    inherit Codec()
    let take = FSharpValue.PreComputeRecordReader(shape, true)
    let make = FSharpValue.PreComputeRecordConstructor(shape, true)

    override _.Write(writer, value) =
        let value = Unchecked.nonNull value

        match writer.Records.TryGetValue value with
        | true, index -> writer.Out.Write7BitEncodedInt(index + 1)
        | _ ->
            writer.Out.Write7BitEncodedInt 0
            fields.Write(writer, take value)
            writer.Records[value] <- writer.Records.Count

    override _.Read reader =
        match reader.In.Read7BitEncodedInt() with
        | 0 ->
            let value = make (fields.Read reader)
            reader.Records.Add value
            value
        | index -> reader.Records[index - 1]

type private Tuple(shape: Type, fields: Fields) =
    inherit Codec()
    let take = FSharpValue.PreComputeTupleReader shape
    let make = FSharpValue.PreComputeTupleConstructor shape

    override _.Write(writer, value) =
        fields.Write(writer, take (Unchecked.nonNull value))

    override _.Read reader = make (fields.Read reader)

type private Union(shape: Type, cases: (UnionCaseInfo * Fields) array) =
    inherit Codec()
    let tag = FSharpValue.PreComputeUnionTagReader(shape, true)

    let cases =
        [|
            for case, fields in cases ->
                FSharpValue.PreComputeUnionReader(case, true),
                FSharpValue.PreComputeUnionConstructor(case, true),
                fields
        |]

    override _.Write(writer, value) =
        // a case without fields may be null, as None is
        let tag = tag (Unchecked.nonNull value)
        let take, _, fields = cases[tag]
        writer.Out.Write7BitEncodedInt tag
        fields.Write(writer, take (Unchecked.nonNull value))

    override _.Read reader =
        let _, make, fields = cases[reader.In.Read7BitEncodedInt()]
        make (fields.Read reader)

let private known = Dictionary<Type, Codec>()

let rec private codec (shape: Type) : Codec =
    match known.TryGetValue shape with
    | true, found -> found
    | _ ->
        let later = Later()
        known[shape] <- later
        let made = make shape
        later.Codec <- Some made
        known[shape] <- made
        made

and private make (shape: Type) : Codec =
    let fields (types: Type seq) =
        Fields [| for one in types -> codec one |]

    if shape = typeof<string> then
        Simple<string>(fst text, snd text)
    elif shape = typeof<int> then
        Simple<int>((fun writer value -> writer.Out.Write value), (fun reader -> reader.In.ReadInt32()))
    elif shape = typeof<bool> then
        Simple<bool>((fun writer value -> writer.Out.Write value), (fun reader -> reader.In.ReadBoolean()))
    elif shape = typeof<range> then
        place
    elif shape = typeof<byte[]> then
        let write (writer: Writer) (value: byte[]) =
            writer.Out.Write7BitEncodedInt value.Length
            writer.Out.Write value

        Simple<byte[]>(write, (fun reader -> reader.In.ReadBytes(reader.In.Read7BitEncodedInt())))
    elif shape.IsGenericType && shape.GetGenericTypeDefinition() = typedefof<_ list> then
        let item = shape.GetGenericArguments()[0]
        let list = typedefof<ListCodec<_>>.MakeGenericType item

        let flags =
            Reflection.BindingFlags.Instance
            ||| Reflection.BindingFlags.Public
            ||| Reflection.BindingFlags.NonPublic

        Unchecked.nonNull (Activator.CreateInstance(list, flags, null, [| box (codec item) |], null))
        :?> Codec
    elif FSharpType.IsTuple shape then
        Tuple(shape, fields (FSharpType.GetTupleElements shape))
    elif FSharpType.IsRecord(shape, true) then
        Record(shape, fields [ for one in FSharpType.GetRecordFields(shape, true) -> one.PropertyType ])
    elif FSharpType.IsUnion(shape, true) then
        Union(
            shape,
            [|
                for case in FSharpType.GetUnionCases(shape, true) ->
                    case, fields [ for one in case.GetFields() -> one.PropertyType ]
            |]
        )
    else
        invalidOp $"values of {shape} have no form in the cache"

/// One thread at a time makes the codec of a type, once.
let private codecOf (shape: Type) : Codec = lock known (fun () -> codec shape)

let private write (value: 'T) : byte[] =
    let bytes = new MemoryStream()

    using (new DeflateStream(bytes, CompressionLevel.Fastest, true)) (fun stream ->
        use buffered = new BufferedStream(stream, 65536)
        (codecOf typeof<'T>).Write(Writer buffered, box value))

    bytes.ToArray()

let private read<'T> (bytes: byte[]) : 'T =
    use stream =
        new BufferedStream(new DeflateStream(new MemoryStream(bytes), CompressionMode.Decompress), 65536)

    unbox<'T>((codecOf typeof<'T>).Read(Reader stream))

/// Stores a value under a key.
let store (cache: Cache) (key: string) (value: 'T) : unit = cache.Store(key, write value)

/// The value under a key; None: there is no readable one.
let find<'T> (cache: Cache) (key: string) : 'T option =
    cache.Find key
    |> Option.bind (fun bytes ->
        try
            Some(read<'T> bytes)
        with
        | :? IOException
        | :? InvalidDataException -> None)
