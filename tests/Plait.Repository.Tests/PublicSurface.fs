// What can be seen of a compiled assembly from outside: its public types and their public and protected members, without
// what the compiler adds by itself.
module Plait.Repository.Tests.PublicSurface

open System
open Mono.Cecil

let private generated (owner: ICustomAttributeProvider) =
    owner.CustomAttributes
    |> Seq.exists (fun attribute ->
        attribute.AttributeType.FullName = "System.Runtime.CompilerServices.CompilerGeneratedAttribute")

let private named (name: string) =
    not (name.Contains '@')
    && not (name.Contains '<')
    && not (name.EndsWith "$W") // the twin that a member with trait calls gets
    && name <> "value__"

let rec private reachable (kind: TypeDefinition) =
    (kind.IsPublic || kind.IsNestedPublic || kind.IsNestedFamily)
    && (isNull kind.DeclaringType || reachable kind.DeclaringType)

/// The public types.
let types (assembly: AssemblyDefinition) =
    [
        for kind in assembly.MainModule.GetTypes() do
            if
                reachable kind
                && named kind.Name
                && not (generated kind)
                && not (kind.Namespace.StartsWith "<StartupCode$")
            then
                kind
    ]

let private visible (one: MethodDefinition) =
    (one.IsPublic || one.IsFamily || one.IsFamilyOrAssembly) && named one.Name

let private visibleMethod (one: MethodDefinition) = visible one && not (generated one)

/// The constructors and methods, without the accessors of properties and events.
let methods (kind: TypeDefinition) =
    [
        for one in kind.Methods do
            if
                visibleMethod one
                && not one.IsGetter
                && not one.IsSetter
                && not one.IsAddOn
                && not one.IsRemoveOn
            then
                one
    ]

// those of `member val` are the compiler's
let private accessors (one: PropertyDefinition) =
    [ one.GetMethod; one.SetMethod ]
    |> List.filter (fun accessor -> not (isNull accessor) && visible accessor)

/// The properties that can be read or written from outside.
let properties (kind: TypeDefinition) =
    [
        for one in kind.Properties do
            if named one.Name && not (generated one) && not (accessors one).IsEmpty then
                one
    ]

/// The events.
let events (kind: TypeDefinition) =
    [
        for one in kind.Events do
            if named one.Name && visibleMethod one.AddMethod then
                one
    ]

/// The fields.
let fields (kind: TypeDefinition) =
    [
        for one in kind.Fields do
            if (one.IsPublic || one.IsFamily) && named one.Name && not (generated one) then
                one
    ]

let private manner (one: MethodDefinition) =
    if one.IsStatic && one.IsAbstract then "static abstract "
    elif one.IsStatic then "static "
    elif one.IsAbstract then "abstract "
    elif one.IsVirtual && not one.IsNewSlot then "override "
    elif one.IsVirtual && not one.IsFinal then "virtual "
    else ""
    + (if one.IsFamily || one.IsFamilyOrAssembly then "protected " else "")

let private headOf (kind: TypeDefinition) =
    let form =
        if kind.IsInterface then "interface"
        elif kind.IsEnum then "enum"
        elif kind.IsValueType then "struct"
        elif kind.IsAbstract && kind.IsSealed then "static"
        elif kind.IsAbstract then "abstract class"
        elif kind.IsSealed then "sealed class"
        else "class"

    let parent =
        match kind.BaseType with
        | null -> []
        | parent when parent.FullName = "System.Object" || parent.FullName = "System.ValueType" -> []
        | parent -> [ Names.show parent ]

    let interfaces =
        [ for one in kind.Interfaces -> Names.show one.InterfaceType ] |> List.sort

    let kinship =
        match parent @ interfaces with
        | [] -> ""
        | all -> " : " + String.Join(", ", all)

    $"{Names.show kind} [{form}]{kinship}{Names.constraints kind}"

let private propertyLine (owner: string) (one: PropertyDefinition) =
    let seen = accessors one
    let access = [ for accessor in seen -> if accessor.IsGetter then "get" else "set" ]

    let index =
        [ for parameter in one.Parameters -> Names.show parameter.ParameterType ]

    let index = if index.IsEmpty then "" else "[" + String.Join(", ", index) + "]"
    let access = String.Join(", ", access)
    $"{owner}.{manner seen.Head}{one.Name}{index}: {Names.show one.PropertyType} with {access}"

let private fieldLine (owner: string) (one: FieldDefinition) =
    let kind = if one.IsStatic then "static " else ""
    let access = if one.IsInitOnly then "readonly" else "mutable"
    $"{owner}.{kind}{one.Name}: {Names.show one.FieldType} ({access})"

let private eventLine (owner: string) (one: EventDefinition) =
    $"{owner}.{manner one.AddMethod}event {one.Name}: {Names.show one.EventType}"

let private methodLine (owner: string) (one: MethodDefinition) =
    if one.IsConstructor then
        $"{owner}.{manner one}new{Names.arguments one}"
    else
        $"{owner}.{manner one}{one.Name}{Names.parameters one}{Names.arguments one}: {Names.show one.ReturnType}{Names.constraints one}"

/// The whole surface, one line each, sorted.
let lines (file: string) =
    use assembly = AssemblyDefinition.ReadAssembly file

    [
        for kind in types assembly do
            let owner = Names.show kind
            headOf kind

            if kind.IsEnum then
                for field in kind.Fields do
                    if field.HasConstant then
                        $"{owner}.{field.Name} = {field.Constant}"
            else
                for one in methods kind do
                    if not (one.IsConstructor && one.IsStatic) then
                        methodLine owner one

                yield! properties kind |> List.map (propertyLine owner)
                yield! events kind |> List.map (eventLine owner)
                yield! fields kind |> List.map (fieldLine owner)
    ]
    |> List.sortWith (fun left right -> String.CompareOrdinal(left, right))
