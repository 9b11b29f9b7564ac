// A method by its assembly and symbols: its name; for a position in it the source line and the calls of the statement; and the
// function in which a closure of F# was written. Only UserCode opens an assembly.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.Reflection
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Reflection.PortableExecutable

/// A method of a process.
type internal MethodId =
    {
        /// The path of the assembly, as the doctor reaches it.
        File: string
        /// The GUID of its symbols in the loaded assembly; empty: not known.
        Build: Guid
        /// Its token in the metadata of the assembly.
        Token: int
    }

/// The position of a frame in a method.
[<RequireQualifiedAccess>]
type internal Position =
    /// Between two offsets of its IL. `callee`: the method, as "Namespace.Type.Method", for whose return it waits there, or "", if
    /// that is not known; None: it waits for none.
    | Between of from: int * until: int * callee: string option
    /// At its call of a method, as "Namespace.Type.Method": code compiled ahead of time has no offsets.
    | Calling of string
    | Unknown

/// A call in a method that the JIT has inlined.
type internal InlinedCall =
    {
        /// The method, as "Namespace.Type.Method".
        Method: string
        Line: (string * int) option
        /// The called method, in the same form.
        Called: string
        /// As in StatementFacts.
        WrittenIn: string option
    }

/// The facts about the statement at a position of a method.
type internal StatementFacts =
    {
        /// Source file and line; None: there are no symbols.
        Line: (string * int) option
        /// The methods of other assemblies that the statement calls, as "Namespace.Type.Method".
        Calls: string list
        /// The function in which the closure of this method was written, as "Namespace.Type.Method"; None: it is no closure.
        WrittenIn: string option
        /// The calls between the statement and the method for whose return it waits, if these are known; innermost first.
        Inlined: InlinedCall list
    }

/// One assembly on disk.
type internal AssemblyCode(image: PEReader, symbols: MetadataReaderProvider option) =
    let reader = image.GetMetadataReader()
    let code = MethodCalls(image, reader)
    let methodName = MetadataNames.ofMethod reader
    let withoutLines = HashSet<int>()

    /// MethodImplOptions.Async, of .NET 11.
    let suspendedByRuntime: MethodImplAttributes = enum 0x2000

    let builds =
        [
            for entry in image.ReadDebugDirectory() do
                if entry.Type = DebugDirectoryEntryType.CodeView then
                    image.ReadCodeViewDebugDirectoryData(entry).Guid
        ]

    let isClosure (handle: EntityHandle) =
        handle.Kind = HandleKind.TypeDefinition
        && (reader.GetString (reader.GetTypeDefinition(TypeDefinitionHandle.op_Explicit handle)).Name)
            .Contains
            '@'

    /// The method that creates each closure, and the offset in it. Read at the first request.
    let makers =
        lazy
            (let found = Dictionary<EntityHandle, MethodDefinitionHandle * int>()

             for handle in reader.MethodDefinitions do
                 let method = reader.GetMethodDefinition handle
                 let own = code.Entity(method.GetDeclaringType())

                 for at, _, token in code.TokensOf method do
                     match code.Owner(MetadataTokens.EntityHandle token) with
                     | Some made when made <> own && isClosure made ->
                         found.TryAdd(made, (handle, at)) |> ignore
                     | _ -> ()

             found)

    let writtenIn (method: MethodDefinition) : string option =
        let rec go (depth: int) (closure: EntityHandle) =
            match makers.Value.TryGetValue closure with
            | true, (maker, _) when depth < 20 ->
                let owner = code.Entity((reader.GetMethodDefinition maker).GetDeclaringType())
                if isClosure owner then go (depth + 1) owner else Some(methodName maker)
            | _ -> None

        let own = code.Entity(method.GetDeclaringType())

        // A closure from a file's start-up code was written at the top level, outside of functions.
        if isClosure own then
            go 0 own
            |> Option.filter (fun name ->
                not (
                    name.Contains "StartupCode$"
                    || name.EndsWith ".cctor"
                    || name.Contains "staticInitialization@"
                ))
        else
            None

    /// Statements of a method: offset and, for a visible line, file and line.
    let statements (handle: MethodDefinitionHandle) : (int * (string * int) option) list =
        match symbols with
        | None -> []
        | Some symbols ->
            let symbols = symbols.GetMetadataReader()

            [
                for point in
                    symbols.GetMethodDebugInformation(handle.ToDebugInformationHandle()).GetSequencePoints() do
                    point.Offset,
                    (if point.IsHidden then
                         None
                     else
                         Some(symbols.GetString (symbols.GetDocument point.Document).Name, point.StartLine))
            ]

    let hasLines (statements: (int * (string * int) option) list) =
        statements |> List.exists (fun (_, line) -> line.IsSome)

    /// Without symbols, the bytes after a position in which its call is searched.
    let near = 40

    /// The offsets of the statement around a position; native code has positions as ranges of IL.
    let statement
        (statements: (int * (string * int) option) list)
        (calls: (int * EntityHandle) list)
        (from: int)
        (until: int)
        (callee: string option)
        =
        let next at =
            statements
            |> List.tryFind (fun (other, _) -> other > at)
            |> Option.map fst
            |> Option.defaultValue Int32.MaxValue

        let hasCall (isMeant: EntityHandle -> bool) at =
            calls
            |> List.exists (fun (call, called) -> call >= at && call < min until (next at) && isMeant called)

        let before, within =
            statements
            |> List.map fst
            |> List.filter (fun at -> at < until)
            |> List.partition (fun at -> next at <= from)

        let found =
            match callee with
            | Some callee ->
                // Statements that leave a value for the next one share its native code: a waiting thread is in the call that blocks.
                let isNamed (isMeant: string -> bool) (called: EntityHandle) = code.IsNamed(isMeant, called)

                let leads (called: EntityHandle) =
                    not (code.Inlined(callee, [ 0, called ])).IsEmpty

                within
                |> List.tryFindBack (hasCall (fun called -> code.Name called = callee))
                |> Option.orElse (within |> List.tryFindBack (hasCall (isNamed (BlockingCalls.mayBe callee))))
                |> Option.orElse (within |> List.tryFindBack (hasCall leads))
                |> Option.orElse (within |> List.tryFindBack (hasCall (isNamed BlockingCalls.isWait)))
                |> Option.orElse (within |> List.tryFindBack (hasCall code.IsOutside))
                |> Option.orElse (within |> List.tryFindBack (hasCall (fun _ -> true)))
                // The JIT moves a value that is used once to its use: the call is in an earlier statement.
                |> Option.orElse (before |> List.tryFindBack (hasCall (fun _ -> true)))
            | None -> None

        let isCall (at: int, called: EntityHandle) =
            at >= from && at < until && code.IsOutside called

        if hasLines statements then
            match found |> Option.orElse (List.tryHead within) |> Option.orElse (List.tryLast before) with
            | Some at -> at, next at
            | None -> from, from + near
        // The symbols mark no end of the statement. The native range does, if it has a call.
        elif callee.IsSome && until < Int32.MaxValue && List.exists isCall calls then
            from, until
        else
            from, from + near

    let handleOf (token: int) =
        MetadataTokens.MethodDefinitionHandle(token &&& 0xFFFFFF)

    /// The line of a statement that begins at or before an offset.
    let lineOf (statements: (int * (string * int) option) list) (from: int) =
        statements
        |> List.tryFindBack (fun (at, line) -> at <= from && line.IsSome)
        |> Option.orElse (statements |> List.tryFind (fun (_, line) -> line.IsSome))
        |> Option.bind snd

    /// The line and the calls of a range of IL.
    let between statements calls (from: int, until: int) =
        lineOf statements from,
        [
            for at, called in calls do
                if at >= from && at < until && code.IsOutside called then
                    code.Name called
        ]

    /// The same for the only line with a call of the method, else for the only line whose call blocks in the same way: the JIT
    /// inlines a small method into its caller. Several such lines: nothing.
    let calling statements (calls: (int * EntityHandle) list) (name: string) =
        let lines (isMeant: string -> bool) =
            calls
            |> List.map (fun (at, called) -> at, code.Name called)
            |> List.filter (snd >> isMeant)
            |> List.map (fun (at, called) -> lineOf statements at, called)
            |> List.distinct

        let kind = BlockingCalls.ofCall name

        let found =
            match lines ((=) name) with
            | [] when kind.IsSome -> lines (fun other -> BlockingCalls.ofCall other = kind)
            | found -> found

        match found with
        | [ line, called ] -> line, [ called ]
        | _ -> None, []

    /// The calls, one a line, of a thread that waits in the handler of an exception: the runtime shows the frame of a handler at the
    /// statement that threw. Empty: that statement may wait itself, or its handlers do not wait.
    let handling (method: MethodDefinition) statements calls (from: int) (until: int) (callee: string) =
        let statement, others =
            calls |> List.partition (fun (at, _) -> at >= from && at < until)

        if (BlockingCalls.ofCall callee).IsNone || code.LeadTo(callee, true, statement) then
            []
        else
            let regions =
                (image.GetMethodBody method.RelativeVirtualAddress).ExceptionRegions
                |> Seq.filter (fun region ->
                    from < region.TryOffset + region.TryLength && until > region.TryOffset)
                |> List.ofSeq

            let isHandled (at: int) =
                regions
                |> List.exists (fun region ->
                    at >= region.HandlerOffset && at < region.HandlerOffset + region.HandlerLength)

            others
            |> List.filter (fun (at, called) -> isHandled at && code.LeadTo(callee, false, [ at, called ]))
            |> List.map fst
            |> List.distinctBy (lineOf statements)

    let inlined (site: CallSite) : InlinedCall =
        {
            Method = methodName site.Method
            Line = lineOf (statements site.Method) site.Offset
            Called = code.Name site.Called
            WrittenIn = writtenIn (reader.GetMethodDefinition site.Method)
        }

    /// The line at which a closure is made: one that a name of a function stands for has no line of its own.
    let madeAt (method: MethodDefinition) : (string * int) option =
        let own = code.Entity(method.GetDeclaringType())

        if isClosure own then
            match makers.Value.TryGetValue own with
            | true, (maker, at) -> lineOf (statements maker) at
            | _ -> None
        else
            None

    /// Whether this may be the assembly with that GUID.
    member _.Is(build: Guid) =
        build = Guid.Empty || builds.IsEmpty || List.contains build builds

    /// The name of a method, as "Namespace.Type+Nested.Method".
    member _.Name(token: int) : string = methodName (handleOf token)

    /// Requested methods that the runtime suspends and that have no line in the symbols.
    member _.WithoutLines: int = withoutLines.Count

    member _.Place(token: int, position: Position) : StatementFacts =
        let handle = handleOf token
        let method = reader.GetMethodDefinition handle
        let found = statements handle
        let isSuspended = method.ImplAttributes &&& suspendedByRuntime = suspendedByRuntime

        if symbols.IsSome && isSuspended && not (hasLines found) then
            withoutLines.Add token |> ignore

        // F# 11 leaves one line in the whole of such a method: the line of the builder's name
        let apart =
            match found |> List.choose snd |> List.distinct with
            | [ _ ] when isSuspended -> []
            | _ -> found

        let line, calls, inside =
            match position with
            | Position.Between(from, until, callee) ->
                let calls = code.Of method
                let from, until = statement apart calls (max 0 from) until callee
                let callees = Option.toList callee

                match callees |> List.collect (handling method found calls from until) with
                | [] ->
                    let own = calls |> List.filter (fun (at, _) -> at >= from && at < until)
                    let line, names = between found calls (from, until)
                    line, names, callees |> List.collect (fun callee -> code.Inlined(callee, own))
                | [ at ] ->
                    let line, names = between found calls (at, at + 1)
                    line, names, []
                | _ -> None, [], []
            // it takes its lock before its first statement
            | Position.Calling name when
                method.ImplAttributes &&& MethodImplAttributes.Synchronized =
                    MethodImplAttributes.Synchronized
                && BlockingCalls.ofCall name = Some BlockKind.Lock
                ->
                lineOf found 0, [], []
            | Position.Calling name ->
                let line, names = calling found (code.Of method) name
                line, names, []
            | Position.Unknown -> None, [], []

        {
            Line = if hasLines found || isSuspended then line else madeAt method
            Calls = calls
            WrittenIn = writtenIn method
            Inlined = inside |> List.rev |> List.map inlined
        }

    interface IDisposable with
        member _.Dispose() =
            symbols |> Option.iter _.Dispose()
            image.Dispose()
