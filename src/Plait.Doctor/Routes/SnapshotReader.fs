// The memory of a running process, with copies of the stacks of threads that were stopped. Every reader of that memory uses it:
// the runtime's library calls it from native code, where an exception would end the doctor.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open Microsoft.Diagnostics.Runtime

/// A copy of a stopped thread: its registers, and the memory that a walk of its stack reads.
type internal ThreadSnapshot =
    {
        Thread: int
        Context: byte[]
        Memory: struct (uint64 * byte[]) list
    }

    /// The number of copied bytes.
    member this.Size = this.Memory |> List.sumBy (fun (struct (_, bytes)) -> bytes.Length)

/// The memory of a running process, with the copied stacks in place of the current ones. If the process has ended, or its memory
/// may not be read, each read returns 0 bytes.
[<Sealed>]
type internal SnapshotReader(live: IDataReader) =
    let mutable isRefused = false
    let mutable snapshots: Dictionary<uint32, ThreadSnapshot> = Dictionary()
    let mutable starts: uint64[] = [||]
    let mutable kept: byte[][] = [||]

    let overlay (address: uint64) (target: Span<byte>) =
        let until = address + uint64 target.Length
        let mutable at = Array.BinarySearch(starts, address)

        if at < 0 then
            at <- max 0 (~~~at - 1)

        let mutable covered = 0

        while at < starts.Length && starts[at] < until do
            let from = max address starts[at]
            let ends = min until (starts[at] + uint64 kept[at].Length)

            if from < ends then
                let length = int (ends - from)

                Span(kept[at], int (from - starts[at]), length)
                    .CopyTo(target.Slice(int (from - address), length))

                covered <- covered + length

            at <- at + 1

        covered

    let readLive (address: uint64) (target: Span<byte>) : int =
        try
            live.Read(address, target)
        with
        // it has ended
        | :? InvalidOperationException -> 0
        | :? UnauthorizedAccessException ->
            isRefused <- true
            0

    let read (address: uint64) (target: Span<byte>) : int =
        let covered = overlay address target

        if covered >= target.Length then
            target.Length
        else
            let count = readLive address target

            if count > 0 then
                overlay address (target.Slice(0, count)) |> ignore

            count

    /// Whether the system has refused a read.
    member _.IsRefused = isRefused

    /// From now on reads of these threads' stacks give the copies.
    member _.Show(threads: ThreadSnapshot list) =
        snapshots <- Dictionary()

        for thread in threads do
            snapshots[uint32 thread.Thread] <- thread

        let memory =
            threads
            |> Seq.collect _.Memory
            |> Seq.filter (fun (struct (_, bytes)) -> bytes.Length > 0)
            |> Seq.sortBy (fun (struct (at, _)) -> at)
            |> Array.ofSeq

        starts <- memory |> Array.map (fun (struct (at, _)) -> at)
        kept <- memory |> Array.map (fun (struct (_, bytes)) -> bytes)

    interface IDataReader with
        member _.DisplayName = live.DisplayName
        member _.IsThreadSafe = false
        member _.TargetPlatform = live.TargetPlatform
        member _.Architecture = live.Architecture
        member _.ProcessId = live.ProcessId
        member _.EnumerateModules() = live.EnumerateModules()
        member _.FlushCachedData() = live.FlushCachedData()

        member _.GetThreadContext(thread, _, context) =
            match snapshots.TryGetValue thread with
            | true, thread ->
                Span(thread.Context, 0, min context.Length thread.Context.Length).CopyTo context
                true
            | _ -> false

    interface IMemoryReader with
        member _.PointerSize = live.PointerSize
        member _.Read(address: uint64, target: Span<byte>) : int = read address target

        member _.Read<'T when 'T: unmanaged and 'T: (new: unit -> 'T) and 'T: struct and 'T :> ValueType>
            (address: uint64, value: byref<'T>)
            : bool =
            let target =
                MemoryMarshal.CreateSpan(&Unsafe.As<'T, byte>(&value), Unsafe.SizeOf<'T>())

            read address target = target.Length

        member _.Read<'T when 'T: unmanaged and 'T: (new: unit -> 'T) and 'T: struct and 'T :> ValueType>
            (address: uint64)
            : 'T =
            let mutable value = Unchecked.defaultof<'T>

            let target =
                MemoryMarshal.CreateSpan(&Unsafe.As<'T, byte>(&value), Unsafe.SizeOf<'T>())

            if read address target = target.Length then value else Unchecked.defaultof<'T>

        member _.ReadPointer(address: uint64, value: byref<uint64>) : bool =
            let target = MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(&value, 1))
            read address target = target.Length

        member _.ReadPointer(address: uint64) : uint64 =
            let mutable value = 0UL
            let target = MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(&value, 1))
            if read address target = target.Length then value else 0UL
