// Names of types and methods by metadata, in the form of the runtime's events.
module internal Plait.Doctor.MetadataNames

open System
open System.Reflection
open System.Reflection.Metadata

let private named (reader: MetadataReader) (space: StringHandle) (name: StringHandle) =
    match reader.GetString space with
    | "" -> reader.GetString name
    | space -> $"{space}.{reader.GetString name}"

/// The generic type of a constructed one.
let generic (reader: MetadataReader) (handle: EntityHandle) : EntityHandle option =
    let mutable blob =
        reader.GetBlobReader(
            (reader.GetTypeSpecification(TypeSpecificationHandle.op_Explicit handle)).Signature
        )

    if blob.ReadSignatureTypeCode() = SignatureTypeCode.GenericTypeInstance then
        blob.ReadByte() |> ignore
        Some(blob.ReadTypeHandle())
    else
        None

/// The name of a type, of this assembly or not: "Namespace.Type`1+Nested"; "": it is none, or has no name.
let rec ofType (reader: MetadataReader) (handle: EntityHandle) : string =
    match handle.Kind with
    | HandleKind.TypeDefinition ->
        let found = reader.GetTypeDefinition(TypeDefinitionHandle.op_Explicit handle)

        if found.IsNested then
            let owner: EntityHandle =
                TypeDefinitionHandle.op_Implicit (found.GetDeclaringType())

            $"{ofType reader owner}+{reader.GetString found.Name}"
        else
            named reader found.Namespace found.Name
    | HandleKind.TypeReference ->
        let found = reader.GetTypeReference(TypeReferenceHandle.op_Explicit handle)

        if found.ResolutionScope.Kind = HandleKind.TypeReference then
            $"{ofType reader found.ResolutionScope}+{reader.GetString found.Name}"
        else
            named reader found.Namespace found.Name
    | HandleKind.TypeSpecification ->
        generic reader handle |> Option.map (ofType reader) |> Option.defaultValue ""
    | _ -> ""

/// The name of a method, with that of its type.
let ofMethod (reader: MetadataReader) (handle: MethodDefinitionHandle) : string =
    let method = reader.GetMethodDefinition handle

    let owner: EntityHandle =
        TypeDefinitionHandle.op_Implicit (method.GetDeclaringType())

    let name = reader.GetString method.Name

    // the name of an explicit implementation has that of its interface before it: "System.IDisposable.Dispose"
    let isExplicit =
        method.Attributes &&& MethodAttributes.Virtual <> enum 0
        && method.Attributes &&& MethodAttributes.Public <> MethodAttributes.Public

    let name =
        match name.LastIndexOf '.' with
        | at when at > 0 && isExplicit -> name.Substring(at + 1)
        | _ -> name

    $"{ofType reader owner}.{name}"

/// Whether a type of another assembly is an interface, by its name: "System.IDisposable", and not "System.IO.IOException".
let isInterface (typeName: string) : bool =
    let last = typeName.Substring(typeName.LastIndexOfAny [| '.'; '+' |] + 1)
    last.Length > 2 && last[0] = 'I' && Char.IsUpper last[1] && Char.IsLower last[2]

/// Whether the framework declares a type.
let rec isOfFramework (reader: MetadataReader) (declaring: EntityHandle) : bool =
    match declaring.Kind with
    | HandleKind.TypeReference ->
        (reader.GetTypeReference(TypeReferenceHandle.op_Explicit declaring)).ResolutionScope
        |> isOfFramework reader
    | HandleKind.AssemblyReference ->
        let assembly =
            reader.GetAssemblyReference(AssemblyReferenceHandle.op_Explicit declaring)

        FrameworkModules.isFramework (reader.GetString assembly.Name) None
    | _ -> false
