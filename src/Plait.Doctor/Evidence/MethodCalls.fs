// The calls in the methods of an assembly on disk, and the calls to which these lead: the JIT inlines small methods, whose frames are
// then missing on stacks. Only AssemblyCode uses it.
namespace Plait.Doctor

open System.Reflection
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Reflection.PortableExecutable

/// A call in a method of the assembly, by its offset.
type internal CallSite = { Method: MethodDefinitionHandle; Offset: int; Called: EntityHandle }

/// Reads calls.
type internal MethodCalls(image: PEReader, reader: MetadataReader) =
    let entity (handle: TypeDefinitionHandle) : EntityHandle = TypeDefinitionHandle.op_Implicit handle

    let typeName = MetadataNames.ofType reader

    /// The type of a token, or the declaring type of a method's token.
    let rec owner (handle: EntityHandle) : EntityHandle option =
        match handle.Kind with
        | HandleKind.TypeDefinition
        | HandleKind.TypeReference -> Some handle
        | HandleKind.TypeSpecification -> MetadataNames.generic reader handle
        | HandleKind.MethodDefinition ->
            Some(
                entity (
                    (reader.GetMethodDefinition(MethodDefinitionHandle.op_Explicit handle)).GetDeclaringType()
                )
            )
        | HandleKind.FieldDefinition ->
            Some(
                entity (
                    (reader.GetFieldDefinition(FieldDefinitionHandle.op_Explicit handle)).GetDeclaringType()
                )
            )
        | HandleKind.MemberReference ->
            owner (reader.GetMemberReference(MemberReferenceHandle.op_Explicit handle)).Parent
        | HandleKind.MethodSpecification ->
            owner (reader.GetMethodSpecification(MethodSpecificationHandle.op_Explicit handle)).Method
        | _ -> None

    let tokensOf (method: MethodDefinition) =
        if method.RelativeVirtualAddress = 0 then
            []
        else
            match image.GetMethodBody(method.RelativeVirtualAddress).GetILBytes() with
            | null -> []
            | il -> Instructions.tokens il

    let methodName = MetadataNames.ofMethod reader

    /// The calls of a method: offset and called method.
    let callsOf (method: MethodDefinition) : (int * EntityHandle) list =
        [
            for at, isCall, token in tokensOf method do
                if isCall then
                    let called = MetadataTokens.EntityHandle token

                    at,
                    (if called.Kind = HandleKind.MethodSpecification then
                         (reader.GetMethodSpecification(MethodSpecificationHandle.op_Explicit called)).Method
                     else
                         called)
        ]

    let isOutside (called: EntityHandle) =
        called.Kind = HandleKind.MemberReference

    let outsideName (called: EntityHandle) =
        let found = reader.GetMemberReference(MemberReferenceHandle.op_Explicit called)
        $"{typeName found.Parent}.{reader.GetString found.Name}"

    let isNamed (isMeant: string -> bool) (called: EntityHandle) =
        isOutside called && isMeant (outsideName called)

    let calledName (called: EntityHandle) =
        if isOutside called then
            outsideName called
        elif called.Kind = HandleKind.MethodDefinition then
            methodName (MethodDefinitionHandle.op_Explicit called)
        else
            ""

    /// The most calls within each other that are searched for a call that the JIT has inlined.
    let mostInlined = 3

    /// Whether any code may be behind a call: the calls of delegates, functions, interfaces and virtual methods, and those of other
    /// assemblies. Methods of the framework have frames of their own.
    let isOpen (called: EntityHandle) =
        if called.Kind = HandleKind.MethodDefinition then
            let method = reader.GetMethodDefinition(MethodDefinitionHandle.op_Explicit called)

            let has (attribute: MethodAttributes) =
                method.Attributes &&& attribute = attribute

            // a delegate has no body either
            has MethodAttributes.Virtual && not (has MethodAttributes.Final)
            || method.RelativeVirtualAddress = 0 && not (has MethodAttributes.PinvokeImpl)
        else
            match owner called with
            | None -> false
            | Some declaring ->
                let name = calledName called

                not (MetadataNames.isOfFramework reader declaring)
                || name.Contains ".Invoke"
                || MetadataNames.isInterface (typeName declaring)

    /// Whether one of these calls is that of a method, or leads to a call that blocks like it: the JIT inlines small methods.
    /// `isCounted`: calls that count in any case.
    let rec leadsTo (isCounted: EntityHandle -> bool) (callee: string) (depth: int) calls : bool =
        let kind = BlockingCalls.ofCall callee

        calls
        |> List.exists (fun (_, called: EntityHandle) ->
            let name = calledName called

            name = callee
            || BlockingCalls.ofCall name = kind
            || isCounted called
            || depth > 0
               && called.Kind = HandleKind.MethodDefinition
               && reader.GetMethodDefinition(MethodDefinitionHandle.op_Explicit called)
                  |> callsOf
                  |> leadsTo isCounted callee (depth - 1))

    /// The calls that lead from these calls to a method of another assembly, outermost first.
    let rec ways
        (isMeant: string -> bool)
        (depth: int)
        (calls: (int * EntityHandle) list)
        : CallSite list list =
        [
            for _, called in calls do
                if called.Kind = HandleKind.MethodDefinition && not (isOpen called) then
                    let handle = MethodDefinitionHandle.op_Explicit called

                    for at, inner in callsOf (reader.GetMethodDefinition handle) do
                        let site = { Method = handle; Offset = at; Called = inner }

                        if isNamed isMeant inner then
                            [ site ]
                        elif not (isOutside inner) && depth > 1 then
                            for way in ways isMeant (depth - 1) [ at, inner ] do
                                site :: way
        ]

    member _.Entity(handle: TypeDefinitionHandle) : EntityHandle = entity handle

    /// The type of a token, or the declaring type of a method's token.
    member _.Owner(handle: EntityHandle) : EntityHandle option = owner handle

    /// The instructions of a method that have tokens: offset, whether it is a call, and the token.
    member _.TokensOf(method: MethodDefinition) = tokensOf method

    /// The calls of a method: offset and called method.
    member _.Of(method: MethodDefinition) : (int * EntityHandle) list = callsOf method

    /// The name of a called method, as "Namespace.Type.Method"; "": not known.
    member _.Name(called: EntityHandle) : string = calledName called

    /// Whether a called method is of another assembly, or of a generic type.
    member _.IsOutside(called: EntityHandle) : bool = isOutside called

    /// Whether it is so, and its name is meant.
    member _.IsNamed(isMeant: string -> bool, called: EntityHandle) : bool = isNamed isMeant called

    /// Whether one of these calls leads to a call of `callee`, or to one that blocks like it. `mayBeAny`: calls behind which any
    /// code may be count too.
    member _.LeadTo(callee: string, mayBeAny: bool, calls: (int * EntityHandle) list) : bool =
        leadsTo (if mayBeAny then isOpen else fun _ -> false) callee mostInlined calls

    /// The only way from these calls to one of `callee`, or to one that blocks like it, by methods that the JIT may have inlined;
    /// outermost first. Empty: one of these calls is that call itself, there are several ways, or any code may be behind a call.
    member _.Inlined(callee: string, calls: (int * EntityHandle) list) : CallSite list =
        let endsSearch (_, called) =
            isNamed (BlockingCalls.mayBe callee) called || isOpen called

        if callee = "" || List.exists endsSearch calls then
            []
        else
            let ways isMeant = ways isMeant mostInlined calls

            match ways ((=) callee) with
            | [ only ] -> only
            | [] ->
                match ways (BlockingCalls.mayBe callee) with
                | [ only ] -> only
                | _ -> []
            | _ -> []
