// The functions and members that code calls: their names, and their effects by the table.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Symbols

/// The callees of one project; each is described once.
type internal Callees(table: EffectTable, kinds: Kinds) =
    let known = Dictionary<FSharpMemberOrFunctionOrValue, Callee>(Symbol.byOwner)

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
        }

    /// The table's line for the member on the static type of the object, or on a base type of it.
    let ofObject (symbol: FSharpMemberOrFunctionOrValue) (object: FSharpExpr) : Effect list option =
        let name = Symbol.lastPart symbol.CompiledName

        let rec on (ty: FSharpType) : Effect list option =
            let ty = kinds.Stripped ty

            if ty.HasTypeDefinition then
                table.Of $"{kinds.Name ty.TypeDefinition}.{name}"
                |> Option.orElseWith (fun () -> ty.BaseType |> Option.bind on)
            else
                None

        try
            on object.Type
        with _ ->
            None

    member _.Of(symbol: FSharpMemberOrFunctionOrValue) : Callee =
        match known.TryGetValue symbol with
        | true, callee -> callee
        | _ ->
            let callee = describe symbol
            known[symbol] <- callee
            callee

    /// A constructor. A reader or a writer of a stream in memory is in memory too.
    member callees.Constructor(symbol: FSharpMemberOrFunctionOrValue, arguments: FSharpExpr list) : Callee =
        let callee = callees.Of symbol

        if callee.Name.StartsWith "System.IO." && List.exists kinds.IsInMemory arguments then
            { callee with Name = "System.IO.MemoryStream..ctor" }
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

    /// A member of an object, if the call has one: the compiler does not call every extension member an instance
    /// member.
    member callees.On(symbol: FSharpMemberOrFunctionOrValue, object: FSharpExpr option) : Callee =
        let callee = callees.Of symbol

        { callee with
            HasObject = object.IsSome
            Effects = object |> Option.bind (ofObject symbol) |> Option.orElse callee.Effects
        }
