// The functions and members that code calls: their names, and their effects by the table.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Symbols

/// The callees of one project; each is described once.
type internal Callees(table: EffectTable, kinds: Kinds) =
    let known = Dictionary<FSharpMemberOrFunctionOrValue, Callee>(Symbol.byOwner)

    // by the type and the member
    let overrides = Dictionary<struct (string * string), string>()

    let shortName (symbol: FSharpMemberOrFunctionOrValue) : string =
        let without (start: string) (name: string) =
            if name.StartsWith start then name.Substring start.Length else name

        let name = symbol.DisplayName |> without "get_" |> without "set_"
        let owner = Symbol.lastPart (Symbol.owner symbol) |> without "FSharp"

        let owner =
            if owner.EndsWith "Module" then owner.Substring(0, owner.Length - 6) else owner

        match owner with
        | _ when symbol.IsConstructor -> owner
        | ""
        | "Operators"
        | "ExtraTopLevelOperators" -> name
        | _ -> $"{owner}.{name}"

    /// The table's line for an extension member, by the type or the module that declares it.
    let ofExtension (symbol: FSharpMemberOrFunctionOrValue) : Effect list option =
        match symbol.DeclaringEntity with
        | Some declared when symbol.IsExtensionMember ->
            table.Of $"{Symbol.entity declared}.{Symbol.lastPart symbol.CompiledName}"
        | _ -> None

    let effects (symbol: FSharpMemberOrFunctionOrValue) : Effect list option =
        match table.Of(Symbol.full symbol) |> Option.orElseWith (fun () -> ofExtension symbol) with
        // by the interface that the member belongs to
        | None when symbol.CompiledName.EndsWith "Dispose" && Seq.isEmpty (Symbol.parameters symbol) ->
            Some [ Disposes ]
        | effects -> effects

    let takesSingleUse (symbol: FSharpMemberOrFunctionOrValue) (hasObject: bool) : bool list =
        try
            [
                if hasObject then
                    false

                for parameter in Symbol.parameters symbol do
                    (kinds.Of parameter.Type).IsSingleUse
            ]
        with _ ->
            []

    let givesTruth (symbol: FSharpMemberOrFunctionOrValue) : bool =
        try
            let given = kinds.Stripped symbol.ReturnParameter.Type
            given.HasTypeDefinition && kinds.Name given.TypeDefinition = "System.Boolean"
        with _ ->
            false

    let describe (symbol: FSharpMemberOrFunctionOrValue) : Callee =
        let hasObject = symbol.IsInstanceMember && not symbol.IsConstructor

        {
            Name = Symbol.full symbol
            Short = shortName symbol
            Effects = effects symbol
            Key = Symbol.key symbol
            TakesSingleUse = takesSingleUse symbol hasObject
            IsProperty = symbol.IsPropertyGetterMethod || symbol.IsProperty
            HasObject = hasObject
            ReturnsBool = givesTruth symbol
            IsOpen = symbol.IsDispatchSlot || symbol.IsOverrideOrExplicitInterfaceImplementation
            Overriding = ""
        }

    /// The type of an expression and its base types. A call of an inherited member has a conversion around its
    /// object.
    let rec typesOf (expression: FSharpExpr) : FSharpEntity list =
        let rec types (ty: FSharpType) : FSharpEntity list =
            let ty = kinds.Stripped ty

            if ty.HasTypeDefinition then
                ty.TypeDefinition :: (ty.BaseType |> Option.map types |> Option.defaultValue [])
            else
                []

        match expression with
        | FSharpExprPatterns.Coerce(_, inner)
        | FSharpExprPatterns.AddressOf inner -> typesOf inner
        | _ ->
            try
                types expression.Type
            with _ ->
                []

    let findOverriding (symbol: FSharpMemberOrFunctionOrValue) (types: FSharpEntity list) : string =
        let name = Symbol.lastPart symbol.CompiledName

        let isOverride (other: FSharpMemberOrFunctionOrValue) =
            other.IsOverrideOrExplicitInterfaceImplementation
            && Symbol.lastPart other.CompiledName = name
            && (not other.IsExplicitInterfaceImplementation
                || other.ImplementedAbstractSignatures
                   |> Seq.exists (fun signature ->
                       signature.DeclaringType.HasTypeDefinition
                       && kinds.Name signature.DeclaringType.TypeDefinition = Symbol.owner symbol))

        try
            types
            |> List.takeWhile (fun ty -> kinds.Name ty <> Symbol.owner symbol)
            |> List.tryFind (fun ty ->
                Symbol.isOfSource ty && Seq.exists isOverride ty.MembersFunctionsAndValues)
            |> Option.map kinds.Name
            |> Option.defaultValue ""
        with _ ->
            ""

    /// The class among these types, of which each is the base of the one before, that overrides the member. It is below
    /// the type that declares the member.
    let overriding (symbol: FSharpMemberOrFunctionOrValue) (types: FSharpEntity list) : string =
        match types with
        | [] -> ""
        | first :: _ ->
            let key = struct (kinds.Name first, Symbol.full symbol)

            match overrides.TryGetValue key with
            | true, found -> found
            | _ ->
                let found = findOverriding symbol types
                overrides[key] <- found
                found

    /// The operator of a type of the source that a call of an arithmetic operator of FSharp.Core means, or its ToString for
    /// the function `string`. Of several overloads the call does not tell which.
    let operator
        (symbol: FSharpMemberOrFunctionOrValue)
        (arguments: FSharpExpr list)
        : FSharpMemberOrFunctionOrValue option =
        if Symbol.isArithmetic symbol || Symbol.isOperator "ToString" symbol then
            arguments
            |> List.collect (typesOf >> List.truncate 1)
            |> List.filter Symbol.isOfSource
            |> List.distinct
            |> List.collect (fun ty ->
                [
                    for one in ty.MembersFunctionsAndValues do
                        if one.CompiledName = symbol.CompiledName then
                            one
                ])
            |> function
                | [ one ] -> Some one
                | _ -> None
        else
            None

    member _.Of(symbol: FSharpMemberOrFunctionOrValue) : Callee =
        match known.TryGetValue symbol with
        | true, callee -> callee
        | _ ->
            let callee = describe symbol
            known[symbol] <- callee
            callee

    /// A constructor. A reader or a writer of a stream in memory is in memory too, and one of a stream to another
    /// process belongs to that.
    member callees.Constructor(symbol: FSharpMemberOrFunctionOrValue, arguments: FSharpExpr list) : Callee =
        let callee = callees.Of symbol

        if callee.Name.StartsWith "System.IO." && List.exists kinds.IsInMemory arguments then
            { callee with Name = "System.IO.MemoryStream..ctor" }
        elif arguments |> List.exists (typesOf >> List.exists (kinds.Name >> table.IsRemote)) then
            { callee with Effects = Some(Remote :: Option.defaultValue [] callee.Effects) }
        else
            callee

    /// The attribute by which a framework calls a member, and whether that framework is a server.
    member _.Caller(symbol: FSharpMemberOrFunctionOrValue) : (string * bool) option =
        symbol.Attributes
        |> Seq.tryFind (fun attribute ->
            match table.Of(Symbol.entity attribute.AttributeType) with
            | Some effects -> List.contains Reflects effects
            | None -> false)
        |> Option.map (fun attribute ->
            let ty = attribute.AttributeType
            let suffix = "Attribute"

            let name =
                if ty.DisplayName.EndsWith suffix then
                    ty.DisplayName.Substring(0, ty.DisplayName.Length - suffix.Length)
                else
                    ty.DisplayName

            name, table.IsHandler(Symbol.entity ty))

    /// A function, or a member of an object, if the call has one: the compiler does not call every extension
    /// member an instance member.
    member callees.On
        (symbol: FSharpMemberOrFunctionOrValue, object: FSharpExpr option, arguments: FSharpExpr list)
        : Callee =
        let callee =
            match operator symbol arguments with
            | Some meant -> { callees.Of meant with IsOpen = false }
            | None -> callees.Of symbol

        let classes = object |> Option.map typesOf |> Option.defaultValue []
        let types = List.map kinds.Name classes
        let name = Symbol.lastPart symbol.CompiledName

        let callee =
            { callee with
                HasObject = object.IsSome
                Overriding = (if callee.IsOpen then overriding symbol classes else "")
                // the line of the most derived type; an extension member is no member of that
                Effects =
                    if symbol.IsExtensionMember then
                        callee.Effects
                    else
                        types
                        |> List.tryPick (fun ty -> table.Of $"{ty}.{name}")
                        |> Option.orElse callee.Effects
            }

        match List.tryFind table.IsRemote types with
        | Some ty when callee.Effects.IsSome ->
            { callee with Name = $"{ty}.{name}"; Short = $"{Symbol.lastPart ty}.{name}" }
        | _ -> callee
