// What of a library is public and has no summary in the documentation beside it.
module Plait.Repository.Tests.Documented

open System
open System.IO
open System.Xml.Linq
open Mono.Cecil
open Mono.Cecil.Rocks
open Xunit

/// The ids that have a summary with words in it.
let private documented (library: string) =
    let file = string (Path.ChangeExtension(library, ".xml"))

    if not (File.Exists file) then
        Assert.Fail $"{Repository.shown file} is missing: the library must be built with its documentation."

    set
        [
            for element in XDocument.Load(file).Descendants(XName.Get "member") do
                match element.Element(XName.Get "summary"), element.Attribute(XName.Get "name") with
                | null, _
                | _, null -> ()
                | summary, name ->
                    if summary.Value.Trim() <> "" then
                        name.Value
        ]

let private idOf (one: IMemberDefinition) =
    DocCommentId.GetDocCommentId(one).Replace('#', '.')

let private signatureOf (method: MethodDefinition | null) =
    match method with
    | null -> ""
    | method ->
        let id = idOf method
        id.Substring(id.IndexOf '(' + 1).TrimEnd(')')

/// The ids under which F# may have documented a member. Its own, but with the dots of an extension member's name; a
/// property that can be set, with the argument of its setter; a property that stands for a `val`, as a field; a member with
/// trait calls, with the arguments of its twin.
let private idsOf (one: IMemberDefinition) =
    match one with
    | :? PropertyDefinition as property ->
        let id = idOf one
        [ id; $"{id}({signatureOf property.SetMethod})"; "F" + id.Substring 1 ]
    | :? MethodDefinition as method when method.IsConstructor -> [ DocCommentId.GetDocCommentId method ]
    | :? MethodDefinition as method ->
        [
            idOf method

            // F# leaves out what a conversion converts to
            if method.Name = "op_Implicit" then
                (idOf method).Split('~')[0]

            for twin in method.DeclaringType.Methods do
                if twin.Name = method.Name + "$W" then
                    (idOf twin).Replace("$W", "")
        ]
    | _ -> [ idOf one ]

let private overrides (one: MethodDefinition | null) =
    match one with
    | null -> false
    | one -> one.HasOverrides || (one.IsVirtual && not one.IsNewSlot)

let private isDelegate (kind: TypeDefinition) =
    not (isNull kind.BaseType) && kind.BaseType.FullName = "System.MulticastDelegate"

/// Words are not asked for what has them elsewhere: an implementation, the only constructor of a type, a delegate.
let private speaksForItself (one: MethodDefinition) =
    let constructors =
        PublicSurface.methods one.DeclaringType |> List.filter _.IsConstructor

    overrides one
    || (one.IsConstructor && constructors.Length = 1)
    || isDelegate one.DeclaringType

/// The ids of everything public without a summary.
let missing (library: string) : string list =
    let documented = documented library
    use assembly = AssemblyDefinition.ReadAssembly library
    Assert.NotEmpty documented

    let silent (one: IMemberDefinition) =
        idsOf one |> List.exists documented.Contains |> not

    [
        for kind in PublicSurface.types assembly do
            if silent kind then
                idOf kind

            for one in PublicSurface.methods kind do
                if not (speaksForItself one) && silent one then
                    String.Join(" or ", idsOf one)

            for one in PublicSurface.properties kind do
                if not (overrides one.GetMethod || overrides one.SetMethod) && silent one then
                    String.Join(" or ", idsOf one)

            for one in PublicSurface.events kind do
                if silent one then
                    String.Join(" or ", idsOf one)

            for one in PublicSurface.fields kind do
                if silent one then
                    String.Join(" or ", idsOf one)
    ]
