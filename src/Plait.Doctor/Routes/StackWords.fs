// The objects on the stack of a thread that waits in the kernel, by the memory of the running process: a waiting thread has the
// object of its wait on its stack.
module internal Plait.Doctor.StackWords

open System
open System.Buffers.Binary
open System.Globalization
open Microsoft.Diagnostics.Runtime

/// The bytes of a stack that are searched, from its innermost frame on.
let private mostBytes = 64 <<< 10

/// The start of the innermost frame of a thread that waits in the kernel; None: it runs, or this is not ours to read.
let private stackPointer (pid: int) (thread: int) : uint64 option =
    ProcFiles.call pid thread
    |> Option.bind (fun call ->
        match call.Split ' ' with
        | words when words.Length >= 3 && words[words.Length - 2].StartsWith "0x" ->
            Some(UInt64.Parse(words[words.Length - 2].AsSpan 2, NumberStyles.HexNumber))
        | _ -> None)

/// The words of a stack from its innermost frame on, up to the end of its memory.
let private words (memory: IDataReader) (from: uint64) : uint64 list =
    let page = 4096UL
    let buffer = Array.zeroCreate<byte>(int page)

    let rec read (at: uint64) =
        [
            let length = int (page - at % page)
            let got = memory.Read(at, Span(buffer, 0, length))

            for offset in 0..8 .. got - 8 do
                BinaryPrimitives.ReadUInt64LittleEndian(ReadOnlySpan(buffer, offset, 8))

            if got = length && at + uint64 length - from < uint64 mostBytes then
                yield! read (at + uint64 length)
        ]

    read (from &&& ~~~7UL)

/// The objects that the words of a thread's stack refer to, from the innermost frame on, each once.
let objects (pid: int) (runtime: ClrRuntime) (thread: int) : ClrObject list =
    stackPointer pid thread
    |> Option.map (words runtime.DataTarget.DataReader)
    |> Option.defaultValue []
    |> List.distinct
    |> List.filter (fun word -> not (isNull (runtime.Heap.GetSegmentByAddress word)))
    |> List.choose (Objects.at runtime)
