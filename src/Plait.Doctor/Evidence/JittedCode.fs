// The native code of methods, by the end of a trace: the address of each body, and the IL of its addresses. A method may have
// several bodies, because the JIT compiles it again when it is called often. For code compiled ahead of time the trace has no IL
// offsets.
namespace Plait.Doctor

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Tracing
open Microsoft.Diagnostics.Tracing.Parsers.Clr

/// One body of a method.
type private Body =
    {
        Start: uint64
        Size: int
        Token: int
        /// Native offsets, ascending, each with the IL offset that begins there; empty: not known.
        Map: struct (int * int)[]
    }

/// The bodies in the trace.
[<Sealed>]
type internal JittedCode(source: TraceEventDispatcher) =
    let bodies = List<Body>()
    let pending = Dictionary<int64, struct (int * int)[]>()

    let mutable sorted: Body[] option = None

    do
        let rundown = ClrRundownTraceEventParser source

        // The map of a body comes directly before the body; another body of the same method has another map.
        rundown.add_MethodILToNativeMapDCStop (fun event ->
            pending[event.MethodID] <-
                [|
                    for at in 0 .. event.CountOfMapEntries - 1 ->
                        struct (event.NativeOffset at, event.ILOffset at)
                |]
                // of several at one native offset only the last has code of its own
                |> Array.sort)

        rundown.add_MethodDCStopVerbose (fun event ->
            let map =
                match pending.TryGetValue event.MethodID with
                | true, map -> map
                | _ -> [||]

            pending.Remove event.MethodID |> ignore

            bodies.Add
                {
                    Start = event.MethodStartAddress
                    Size = event.MethodSize
                    Token = event.MethodToken
                    Map = map
                })

    let find (address: uint64) : Body option =
        let all =
            match sorted with
            | Some all -> all
            | None ->
                let all = bodies.ToArray() |> Array.sortBy _.Start
                sorted <- Some all
                all

        // the last one that begins at or before the address
        let mutable low, high = 0, all.Length

        while low < high do
            let middle = (low + high) / 2
            if all[middle].Start <= address then low <- middle + 1 else high <- middle

        if low = 0 then
            None
        else
            let body = all[low - 1]
            if address < body.Start + uint64 body.Size then Some body else None

    /// The method's token of an address on a stack, and the IL offsets around it. The address of a caller is the return address
    /// of its call, which may belong to the next line. None: not in the trace.
    member _.TryFind(address: uint64, isCaller: bool) : (int * (int * int) option) option =
        let address = if isCaller then address - 1UL else address

        find address
        |> Option.map (fun body ->
            let offset = int (address - body.Start)

            let range =
                body.Map
                |> Array.tryFindBack (fun struct (native, il) -> native <= offset && il >= 0)
                |> Option.map (fun struct (_, from) ->
                    let until =
                        body.Map
                        |> Seq.map (fun struct (_, il) -> il)
                        |> Seq.filter (fun il -> il > from)
                        |> Seq.fold min Int32.MaxValue

                    from, until)

            body.Token, range)
