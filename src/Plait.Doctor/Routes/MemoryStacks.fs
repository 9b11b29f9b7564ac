// Stacks from the memory of a process: methods with their names, each read once, the position of a thread in each method, and the
// frames. Only the --ptrace route uses it.
module internal Plait.Doctor.MemoryStacks

open System
open System.Collections.Generic
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Runtime.InteropServices
open Microsoft.Diagnostics.Runtime

/// A method, by the memory of the process.
type Method =
    {
        /// The path of the assembly in the process; "": made at run time.
        Assembly: string
        /// The GUID of its symbols; empty: it has none.
        Build: Guid
        Token: int
        /// In the form of the runtime's events.
        Written: string
    }

/// One frame: a method, and the position in it.
type MethodFrame = { Method: Method; Position: Position }

/// A thread, whether it was in managed code, and its stack.
type Stack = int * bool * MethodFrame list

/// The limit of frames of one stack; deeper ones are cut off.
let private deepest = 2000

/// Reads methods, each once: many threads are in the same ones.
type Methods(memory: IDataReader) =
    let known = Dictionary<uint64, Method>()
    let builds = Dictionary<uint64, Guid>()
    let metadata = Dictionary<uint64, MetadataReader option>()

    // From memory: an assembly in a single file is no file of its own.
    let readMetadata (clrModule: ClrModule) : MetadataReader option =
        let image = Array.zeroCreate<byte>(int clrModule.MetadataLength)

        if image.Length = 0 || memory.Read(clrModule.MetadataAddress, Span image) <> image.Length then
            None
        else
            try
                let image = ImmutableCollectionsMarshal.AsImmutableArray image
                Some((MetadataReaderProvider.FromMetadataImage image).GetMetadataReader())
            with :? BadImageFormatException ->
                None

    let metadataOf (clrModule: ClrModule) =
        match metadata.TryGetValue clrModule.Address with
        | true, found -> found
        | _ ->
            let found = readMetadata clrModule
            metadata[clrModule.Address] <- found
            found

    let build (clrModule: ClrModule) =
        match builds.TryGetValue clrModule.Address with
        | true, build -> build
        | _ ->
            let build =
                clrModule.Pdb |> Option.ofObj |> Option.map _.Guid |> Option.defaultValue Guid.Empty

            builds[clrModule.Address] <- build
            build

    // By the metadata: ClrMD's names contain the arguments of generics.
    let written (method: ClrMethod) =
        let own () =
            let name = method.Name |> Option.ofObj |> Option.defaultValue ""

            match Option.ofObj method.Type.Name with
            // the events' name for code that was made at run time
            | None
            | Some "(dynamicClass)" -> $"dynamicClass.{name}"
            | Some owner -> $"{owner}.{name}"

        match metadataOf method.Type.Module, method.MetadataToken &&& 0xFFFFFF with
        | Some reader, row when row <> 0 ->
            try
                MetadataNames.ofMethod reader (MetadataTokens.MethodDefinitionHandle row)
            with :? BadImageFormatException ->
                own ()
        | _ -> own ()

    member _.Of(method: ClrMethod) : Method =
        match known.TryGetValue method.MethodDesc with
        | true, found -> found
        | _ ->
            let found =
                {
                    Assembly = method.Type.Module.Name |> Option.ofObj |> Option.defaultValue ""
                    Build = build method.Type.Module
                    Token = method.MetadataToken
                    Written = written method
                }

            known[method.MethodDesc] <- found
            found

// Code compiled ahead of time may have no map. Code that the JIT adds before and after the IL has no offset: a synchronized
// method takes its lock there.
let private position (method: ClrMethod) (address: uint64) (isCaller: bool) (callee: string) : Position =
    let offset = if method.ILOffsetMap.IsEmpty then -1 else method.GetILOffset address

    if offset < 0 then
        if callee = "" then Position.Unknown else Position.Calling callee
    else
        let until =
            method.ILOffsetMap
            |> Seq.map _.ILOffset
            |> Seq.filter (fun other -> other > offset)
            |> Seq.fold min Int32.MaxValue

        Position.Between(offset, until, (if isCaller then Some callee else None))

/// The stack of a thread, innermost first.
let stack (methods: Methods) (thread: ClrThread) : MethodFrame list =
    // a thread in native code was called by the innermost managed frame
    let mutable isCaller = thread.GCMode <> GCMode.Cooperative
    let mutable callee = ""

    [
        for frame in thread.EnumerateStackTrace(false, deepest) do
            match Option.ofObj frame.Method with
            | None -> ()
            | Some method ->
                // outer frames have a return address, which may belong to the next line
                let address = frame.InstructionPointer - (if isCaller then 1UL else 0UL)
                let read = methods.Of method

                { Method = read; Position = position method address isCaller callee }

                isCaller <- true
                callee <- read.Written
    ]

/// The samples of these stacks of a process, and notes about their code.
let samples (pid: int) (stacks: Stack list) : Sample list * string list =
    use code = new UserCode()
    let made = Dictionary<MethodFrame, Frame list>()

    let make (raw: MethodFrame) : Frame list =
        Frames.make
            code
            {
                Assembly = raw.Method.Assembly
                Module = Frames.moduleName raw.Method.Assembly
                Written = raw.Method.Written
                Method =
                    if raw.Method.Assembly = "" then
                        None
                    else
                        Some
                            {
                                File = ProcFiles.reach pid raw.Method.Assembly
                                Build = raw.Method.Build
                                Token = raw.Method.Token
                            }
                Position = raw.Position
            }

    let frame raw =
        match made.TryGetValue raw with
        | true, found -> found
        | _ ->
            let found = make raw
            made[raw] <- found
            found

    let found =
        [
            for thread, isManaged, stack in stacks do
                {
                    Thread = thread
                    AtMilliseconds = 0.0
                    IsManaged = isManaged
                    Frames = List.collect frame stack
                }
        ]

    found, code.Notes
