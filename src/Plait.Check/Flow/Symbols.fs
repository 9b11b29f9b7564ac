// Names and types of the compiler's symbols: the names in the table and of declarations, and the kinds of types.
namespace Plait.Check

open System
open System.IO
open System.Collections.Generic

open FSharp.Compiler.Symbols

/// Names for the table and for declarations.
module internal Symbol =
    let private withoutArity (name: string) : string =
        if name.Contains '`' then
            Text.RegularExpressions.Regex.Replace(name, "`[0-9]+", "")
        else
            name

    /// The full compiled name of a type or module, without the number of its type parameters.
    let entity (entity: FSharpEntity) : string =
        match entity.TryFullName with
        | Some name -> withoutArity name
        | None -> withoutArity entity.CompiledName

    /// The last part of a name; an extension member's has the name of its type before a dot.
    let lastPart (name: string) : string =
        // ..ctor
        let dot = name.TrimStart('.').LastIndexOf '.'
        if dot < 0 then name else name.Substring(dot + 1)

    let owner (symbol: FSharpMemberOrFunctionOrValue) : string =
        let declared =
            if symbol.IsExtensionMember then
                symbol.ApparentEnclosingEntity
            else
                symbol.DeclaringEntity

        match declared with
        | Some declared -> entity declared
        | None -> ""

    /// TYPE.MEMBER.
    let full (symbol: FSharpMemberOrFunctionOrValue) : string =
        owner symbol + "." + lastPart symbol.CompiledName

    /// Whether it is a function of FSharp.Core's operators, by its compiled name.
    let isOperator (name: string) (symbol: FSharpMemberOrFunctionOrValue) : bool =
        symbol.CompiledName = name && owner symbol = "Microsoft.FSharp.Core.Operators"

    /// Whether it is an operator of FSharp.Core that calls the operator of a user's type.
    let isArithmetic (symbol: FSharpMemberOrFunctionOrValue) : bool =
        match symbol.CompiledName with
        | "op_Addition"
        | "op_Subtraction"
        | "op_Multiply"
        | "op_Division"
        | "op_Modulus"
        | "op_Exponentiation"
        | "op_BitwiseAnd"
        | "op_BitwiseOr"
        | "op_ExclusiveOr"
        | "op_LeftShift"
        | "op_RightShift"
        | "op_LogicalNot"
        | "op_UnaryPlus"
        | "op_UnaryNegation" as name -> isOperator name symbol
        | _ -> false

    /// Whether a type is of F# source that the check may have.
    let isOfSource (entity: FSharpEntity) : bool =
        entity.IsFSharp && File.Exists entity.DeclarationLocation.FileName

    let isPipe (symbol: FSharpMemberOrFunctionOrValue) : bool =
        match symbol.CompiledName with
        | "op_PipeRight"
        | "op_PipeLeft"
        | "op_PipeRight2"
        | "op_ComposeRight"
        | "op_ComposeLeft" as name -> isOperator name symbol
        | _ -> false

    /// Whether it is Seq.delay. A call in the source begins before its argument; the compiler's own have the same range.
    let isDelay (symbol: FSharpMemberOrFunctionOrValue) : bool =
        symbol.CompiledName = "Delay" && owner symbol = "Microsoft.FSharp.Collections.SeqModule"

    let parameters (symbol: FSharpMemberOrFunctionOrValue) : FSharpParameter list =
        symbol.CurriedParameterGroups |> Seq.concat |> List.ofSeq

    /// TYPE.FIELD of a static field.
    let staticField (field: FSharpField) : string =
        let name = field.Name.TrimEnd '@'

        match field.DeclaringEntity with
        | Some owner -> $"{entity owner}.{name}"
        | None -> name

    /// CASE.FIELD.
    let field (case: FSharpUnionCase) (field: FSharpField) : string = $"{case.CompiledName}.{field.Name}"

    /// Whether a part with this name is a field of a case, and no property.
    let isField (part: string) : bool =
        part.Contains '.' && not (part.Contains ".get_")

    /// Identifies a function across projects: overloads differ by the types of their parameters.
    let key (symbol: FSharpMemberOrFunctionOrValue) : string =
        let types =
            try
                parameters symbol
                |> List.map (fun parameter ->
                    if parameter.Type.HasTypeDefinition then
                        parameter.Type.TypeDefinition.CompiledName
                    else
                        "_")
            with _ ->
                []

        match types with
        // an override of a member without parameters has a parameter of type unit
        | [ "unit" | "Unit" ] -> $"{full symbol}()"
        | types ->
            let joined = String.concat "," types
            $"{full symbol}({joined})"

    /// The key of a function value.
    let applied (key: string) : string = key + " applied"

    let isApplied (key: string) : bool = key.EndsWith " applied"

    /// Whether it is an external function.
    let isForeign (symbol: FSharpMemberOrFunctionOrValue) : bool =
        symbol.Attributes
        |> Seq.exists (fun attribute -> attribute.AttributeType.CompiledName = "DllImportAttribute")

    /// The name of an abstract member, as `full` has it.
    let slot (signature: FSharpAbstractSignature) : string =
        $"{entity signature.DeclaringType.TypeDefinition}.{lastPart signature.Name}"

    /// The names of the abstract members that a member implements, as `full` has them; none of libraries: a call of
    /// Stream.Write is not a call of the only stream in the check.
    let implemented (symbol: FSharpMemberOrFunctionOrValue) : string list =
        if not symbol.IsOverrideOrExplicitInterfaceImplementation then
            []
        else
            try
                [
                    for signature in symbol.ImplementedAbstractSignatures do
                        if
                            signature.DeclaringType.HasTypeDefinition
                            && File.Exists signature.DeclaringType.TypeDefinition.DeclarationLocation.FileName
                        then
                            slot signature
                ]
            with _ ->
                []

    /// The value of any integer constant that fits into an int.
    let (|WholeNumber|_|) (constant: obj | null) : int option =
        let code = Convert.GetTypeCode constant

        if code >= TypeCode.SByte && code <= TypeCode.UInt64 then
            let value = Convert.ToDecimal constant
            if abs value <= decimal Int32.MaxValue then Some(int value) else None
        else
            None

    /// Symbols hash by their names alone, and a large file has thousands of `x` and `Invoke`: these hash by their places too.
    let byPlace: IEqualityComparer<FSharpMemberOrFunctionOrValue> =
        HashIdentity.FromFunctions
            (fun symbol -> HashCode.Combine(symbol.LogicalName, symbol.DeclarationLocation))
            (fun a b -> a.Equals b)

    /// The same for members of libraries: these have a type instead of a place.
    let byOwner: IEqualityComparer<FSharpMemberOrFunctionOrValue> =
        HashIdentity.FromFunctions
            (fun symbol -> HashCode.Combine(symbol.LogicalName, symbol.DeclaringEntity))
            (fun a b -> a.Equals b)

/// The kinds of types. One instance serves a project; it caches names, because most expressions ask for one.
type internal Kinds(table: EffectTable) =
    let names = Dictionary<FSharpEntity, string>(HashIdentity.Structural)
    let kinds = Dictionary<FSharpEntity, Kind>(HashIdentity.Structural)
    let remote = Dictionary<FSharpEntity, bool>(HashIdentity.Structural)
    let own = HashSet<string>()

    let rec stripped (ty: FSharpType) : FSharpType =
        if ty.IsAbbreviation then stripped ty.AbbreviatedType else ty

    let nameOf (entity: FSharpEntity) : string =
        match names.TryGetValue entity with
        | true, name -> name
        | _ ->
            let name = Symbol.entity entity
            names[entity] <- name
            name

    let kindOfEntity (entity: FSharpEntity) : Kind =
        match kinds.TryGetValue entity with
        | true, kind -> kind
        | _ ->
            let isMarked () =
                entity.Attributes
                |> Seq.exists (fun attribute -> attribute.AttributeType.CompiledName = "SingleUseAttribute")

            let kind =
                match table.Kind(nameOf entity) with
                | Kind.Plain when isMarked () -> Kind.SingleUse entity.DisplayName
                | kind -> kind

            if kind.IsSingleUse then
                own.Add entity.DeclarationLocation.FileName |> ignore

            kinds[entity] <- kind
            kind

    let rec kindOf (ty: FSharpType) : Kind =
        try
            let ty = stripped ty

            if not ty.HasTypeDefinition then
                Kind.Plain
            elif ty.TypeDefinition.IsByRef then
                // the object of a struct's member
                kindOf ty.GenericArguments[0]
            else
                kindOfEntity ty.TypeDefinition
        with _ ->
            Kind.Plain

    // A function that returns a task is a cold operation: unit -> Task, CancellationToken -> Task.
    let startKindOf (ty: FSharpType) : StartKind =
        let rec of' (ty: FSharpType) : StartKind =
            let ty = stripped ty

            if ty.IsFunctionType then
                match of' ty.GenericArguments[1] with
                | StartKind.Plain -> StartKind.Plain
                | _ -> StartKind.Cold
            else
                match kindOf ty with
                | Kind.Task
                | Kind.SingleUse _ -> StartKind.Hot
                | Kind.Cold -> StartKind.Cold
                | Kind.Plain ->
                    let isAsyncSequence =
                        ty.HasTypeDefinition
                        && (let name = nameOf ty.TypeDefinition
                            name.Contains "IAsyncEnumerable" || name.Contains "TaskSeq")

                    if isAsyncSequence then StartKind.Cold else StartKind.Plain

        try
            of' ty
        with _ ->
            StartKind.Plain

    let isOf (holds: FSharpEntity -> bool) (ty: FSharpType) : bool =
        try
            let ty = stripped ty
            ty.HasTypeDefinition && holds ty.TypeDefinition
        with _ ->
            false

    let rec isRemote (entity: FSharpEntity) : bool =
        match remote.TryGetValue entity with
        | true, known -> known
        | _ ->
            let found =
                table.IsRemote(nameOf entity)
                || entity.BaseType |> Option.exists (fun ty -> isRemote (stripped ty).TypeDefinition)

            remote[entity] <- found
            found

    let isPointer (entity: FSharpEntity) : bool =
        match entity.CompiledName with
        | "nativeptr`1"
        | "voidptr"
        | "ilsigptr`1" -> true
        | _ -> false

    let isOnlyOnStack (entity: FSharpEntity) : bool =
        entity.IsByRef
        || entity.Attributes
           |> Seq.exists (fun attribute -> attribute.AttributeType.CompiledName = "IsByRefLikeAttribute")

    let rec isOfMachine (ty: FSharpType) : bool =
        let ty = stripped ty

        ty.HasTypeDefinition
        && (if ty.TypeDefinition.IsByRef then
                isOfMachine ty.GenericArguments[0]
            else
                ty.TypeDefinition.CompiledName.StartsWith "Resum")

    let givesValue (ty: FSharpType) : bool =
        match List.ofSeq (stripped ty).GenericArguments with
        | [] -> false
        | given :: _ ->
            let given = stripped given
            not (given.HasTypeDefinition && given.TypeDefinition.CompiledName = "Unit")

    /// A type without abbreviations.
    member _.Stripped(ty: FSharpType) : FSharpType = stripped ty

    /// The name of a type, as the table has it.
    member _.Name(entity: FSharpEntity) : string = nameOf entity

    member _.Of(ty: FSharpType) : Kind = kindOf ty

    /// Whether it is the type of a task, or of a collection of tasks.
    member _.HasTask(ty: FSharpType) : bool =
        try
            kindOf ty = Kind.Task
            || (stripped ty).GenericArguments |> Seq.exists (fun inner -> kindOf inner = Kind.Task)
        with _ ->
            false

    /// The kind of an expression's value, and whether awaiting it gives something.
    member _.OfExpression(expression: FSharpExpr) : Kind * bool =
        try
            match kindOf expression.Type with
            | Kind.Plain -> Kind.Plain, false
            | kind -> kind, givesValue expression.Type
        with _ ->
            Kind.Plain, false

    /// Whether it is the type of lists or arrays.
    member _.IsMaterialized(ty: FSharpType) : bool =
        isOf
            (fun entity -> entity.IsArrayType || nameOf entity = "Microsoft.FSharp.Collections.FSharpList")
            ty

    member _.HasResult(ty: FSharpType) : bool =
        try
            givesValue ty
        with _ ->
            false

    member _.IsFunction(ty: FSharpType) : bool = (stripped ty).IsFunctionType

    /// The types of a function's parameters, and of its result.
    member _.Function(ty: FSharpType) : FSharpType list * FSharpType =
        let rec parts (ty: FSharpType) : FSharpType list * FSharpType =
            let ty = stripped ty

            if ty.IsFunctionType then
                let given, result = parts ty.GenericArguments[1]
                ty.GenericArguments[0] :: given, result
            else
                [], ty

        parts ty

    /// When a computation expression of this type runs.
    member _.StartKind(ty: FSharpType) : StartKind = startKindOf ty

    /// Whether this is the type of FSharp.Core's `async`.
    member _.IsAsync(ty: FSharpType) : bool =
        let ty = stripped ty

        ty.HasTypeDefinition && nameOf ty.TypeDefinition = "Microsoft.FSharp.Control.FSharpAsync"

    /// Whether only state machines that are written by hand handle values of this type.
    member _.IsOfMachine(ty: FSharpType) : bool = isOfMachine ty

    /// Whether the expression is a stream in memory.
    member kinds.IsInMemory(expression: FSharpExpr) : bool =
        match expression with
        | FSharpExprPatterns.Coerce(_, inner) -> kinds.IsInMemory inner
        | _ -> isOf (fun entity -> nameOf entity = "System.IO.MemoryStream") expression.Type

    /// Whether it is the type of streams to another process or machine.
    member _.IsRemote(ty: FSharpType) : bool = isOf isRemote ty

    /// Whether this is the type of any object.
    member _.IsObject(ty: FSharpType) : bool =
        isOf (fun entity -> List.contains (nameOf entity) [ "System.Object"; "Microsoft.FSharp.Core.obj" ]) ty

    /// Whether values of this type are pointers.
    member _.IsPointer(ty: FSharpType) : bool = isOf isPointer ty

    /// Whether values of this type may only be on the stack: a Span, a byref.
    member _.IsOnlyOnStack(ty: FSharpType) : bool = isOf isOnlyOnStack ty

    /// The files that declare single-use types: their own code makes these values, and rules do not judge it.
    member _.Own: string seq = own
