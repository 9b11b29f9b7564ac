// How the types of a compiled assembly are written in the surface file: F#-like, without the namespaces of the BCL and
// of FSharp.Core.
module Plait.Repository.Tests.Names

open System
open Mono.Cecil

let private short =
    dict
        [
            "System.Boolean", "bool"
            "System.Byte", "byte"
            "System.Int16", "int16"
            "System.Int32", "int"
            "System.UInt32", "uint32"
            "System.Int64", "int64"
            "System.Object", "obj"
            "System.String", "string"
            "System.Void", "void"
            "System.Exception", "exn"
            "Microsoft.FSharp.Core.Unit", "unit"
        ]

let private bare (name: string) =
    match name.IndexOf '`' with
    | -1 -> name
    | tick -> name.Substring(0, tick)

/// The full name of a type, outer types included, without arguments.
let rec private plain (kind: TypeReference) =
    match kind.DeclaringType with
    | null ->
        match short.TryGetValue kind.FullName with
        | true, name -> name
        | _ when kind.Namespace.StartsWith "System" || kind.Namespace.StartsWith "Microsoft.FSharp" ->
            bare kind.Name
        | _ when kind.Namespace = "" -> bare kind.Name
        | _ -> $"{kind.Namespace}.{bare kind.Name}"
    | outer -> $"{plain outer}.{bare kind.Name}"

let private listed (items: string seq) = String.Join(", ", items)

/// A type as it is used: with arguments, as an array or by reference.
let rec show (kind: TypeReference) : string =
    match kind with
    | :? GenericParameter as parameter -> "'" + parameter.Name
    | :? ByReferenceType as reference -> show reference.ElementType + "&"
    | :? ArrayType as array -> show array.ElementType + "[]"
    | :? RequiredModifierType as modified -> show modified.ElementType
    | :? GenericInstanceType as instance when
        instance.ElementType.FullName = "Microsoft.FSharp.Core.FSharpFunc`2"
        ->
        $"({show instance.GenericArguments[0]} -> {show instance.GenericArguments[1]})"
    | :? GenericInstanceType as instance ->
        $"{plain instance.ElementType}<{listed (Seq.map show instance.GenericArguments)}>"
    | kind when kind.HasGenericParameters -> $"{plain kind}<{listed (Seq.map show kind.GenericParameters)}>"
    | kind -> plain kind

/// The type parameters of a method, with angle brackets; nothing where there are none.
let parameters (owner: IGenericParameterProvider) =
    if owner.HasGenericParameters then
        "<" + listed (owner.GenericParameters |> Seq.map show) + ">"
    else
        ""

/// What the type parameters must be; nothing where they may be anything.
let constraints (owner: IGenericParameterProvider) =
    let said =
        [
            for parameter in owner.GenericParameters do
                for one in parameter.Constraints do
                    $"{show parameter} :> {show one.ConstraintType}"

                if parameter.HasReferenceTypeConstraint then
                    $"{show parameter} : not struct"

                if parameter.HasNotNullableValueTypeConstraint then
                    $"{show parameter} : struct"
        ]

    if said.IsEmpty then "" else " when " + String.Join(" and ", said)

/// The arguments of a method, in brackets.
let arguments (owner: MethodDefinition) =
    "("
    + listed (
        owner.Parameters
        |> Seq.map (fun one ->
            let optional = if one.IsOptional then "?" else ""
            $"{optional}{one.Name}: {show one.ParameterType}")
    )
    + ")"
