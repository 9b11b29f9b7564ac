// The assembly of a checked project's signature. It replaces the project as a reference of others: the compiler service
// then does not load the project and its references once for each of them.
module internal Plait.Check.SignatureAssembly

open System
open System.Collections
open System.Collections.Generic
open System.Reflection
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Reflection.PortableExecutable
open System.Runtime.CompilerServices
open System.Security.Cryptography

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Text

/// The content of an assembly of F# beside its code: the pickled signature, and the attributes that the compiler reads.
type private Content =
    {
        Name: string
        AutoOpen: string list
        Friends: string list
        Resources: (string * byte[]) list
    }

// The compiler service makes the signature of each checked project and has no public member for it. The service's
// version is pinned, and a test reads a project through its signature.
let private everything =
    BindingFlags.Instance ||| BindingFlags.Public ||| BindingFlags.NonPublic

let private invoke (name: string) (arguments: (obj | null) array) (target: obj) : obj | null =
    target.GetType().InvokeMember(name, everything ||| BindingFlags.InvokeMethod, null, target, arguments)

let private call (data: obj) (name: string) (arguments: (obj | null) array) : obj | null =
    let owner =
        data.GetType().GetInterfaces()
        |> Array.find (fun one -> one.Name = "IRawFSharpAssemblyData")

    (nonNull (owner.GetMethod name)).Invoke(data, arguments)

let private valueOf (option: obj | null) : obj option =
    Option.ofObj option |> Option.map (invoke "get_Value" [||] >> nonNull)

let private bytesOf (get: obj) : byte[] =
    get |> invoke "Invoke" [| null |] |> nonNull |> invoke "ToArray" [||] |> unbox

let private contentOf (results: FSharpCheckProjectResults) : Content option =
    let details =
        nonNull (typeof<FSharpCheckProjectResults>.GetField("details", everything))

    valueOf (details.GetValue results)
    |> Option.bind (fun details ->
        (details :?> ITuple)[6] |> nonNull |> invoke "Invoke" [| null |] |> valueOf)
    |> Option.map (fun data ->
        let each name arguments =
            nonNull (call data name arguments) :?> IEnumerable |> Seq.cast<obj>

        let texts name =
            each name [||] |> Seq.map string |> List.ofSeq

        {
            Name = string (call data "get_ShortAssemblyName" [||])
            AutoOpen = texts "GetAutoOpenAttributes"
            Friends = texts "GetInternalsVisibleToAttributes"
            Resources =
                [
                    for one in each "GetRawFSharpSignatureData" [| box Range.range0; ""; "" |] do
                        let one = one :?> ITuple
                        let parts = nonNull one[1] :?> ITuple
                        $"FSharpSignatureData.{one[0]}", bytesOf (nonNull parts[0])

                        match valueOf parts[1] with
                        | Some nullness -> $"FSharpSignatureDataB.{one[0]}", bytesOf nullness
                        | None -> ()
                ]
        })

let private write (content: Content) : byte[] =
    let metadata = MetadataBuilder()
    let text (value: string) = metadata.GetOrAddString value
    let resources = BlobBuilder()

    for name, bytes in content.Resources do
        resources.Align 8
        let handle = text name

        metadata.AddManifestResource(
            ManifestResourceAttributes.Public,
            handle,
            EntityHandle(),
            uint32 resources.Count
        )
        |> ignore

        resources.WriteInt32 bytes.Length
        resources.WriteBytes bytes

    // equal contents have equal identities
    let identity =
        use hash = IncrementalHash.CreateHash HashAlgorithmName.SHA256
        hash.AppendData(resources.ToArray())

        for one in content.Name :: content.AutoOpen @ content.Friends do
            hash.AppendData(Text.Encoding.UTF8.GetBytes(one + "\n"))

        hash.GetHashAndReset()

    metadata.AddModule(
        0,
        text (content.Name + ".dll"),
        metadata.GetOrAddGuid(Guid identity[..15]),
        GuidHandle(),
        GuidHandle()
    )
    |> ignore

    let assembly =
        metadata.AddAssembly(
            text content.Name,
            Version(0, 0, 0, 0),
            StringHandle(),
            BlobHandle(),
            enum<AssemblyFlags> 0,
            AssemblyHashAlgorithm.None
        )

    metadata.AddTypeDefinition(
        TypeAttributes.NotPublic,
        StringHandle(),
        text "<Module>",
        EntityHandle(),
        MetadataTokens.FieldDefinitionHandle 1,
        MetadataTokens.MethodDefinitionHandle 1
    )
    |> ignore

    let reference (name: string) =
        metadata.AddAssemblyReference(
            text name,
            Version(0, 0, 0, 0),
            StringHandle(),
            BlobHandle(),
            enum<AssemblyFlags> 0,
            BlobHandle()
        )

    let fsharp, runtime = reference "FSharp.Core", reference "System.Runtime"

    /// The constructor of an attribute, with parameters of these element types.
    let attribute (library: AssemblyReferenceHandle) space name (types: SignatureTypeCode list) =
        let owner = metadata.AddTypeReference(library, text space, text name)

        let signature = BlobBuilder()
        // an instance method that returns nothing
        signature.WriteByte 0x20uy
        signature.WriteByte(byte types.Length)
        signature.WriteByte(byte SignatureTypeCode.Void)
        types |> List.iter (byte >> signature.WriteByte)

        metadata.AddMemberReference(owner, text ".ctor", metadata.GetOrAddBlob signature)

    let add (constructor: MemberReferenceHandle) (arguments: BlobBuilder -> unit) =
        let value = BlobBuilder()
        value.WriteUInt16 1us
        arguments value
        value.WriteUInt16 0us

        metadata.AddCustomAttribute(assembly, constructor, metadata.GetOrAddBlob value) |> ignore

    let number = SignatureTypeCode.Int32

    add
        (attribute
            fsharp
            "Microsoft.FSharp.Core"
            "FSharpInterfaceDataVersionAttribute"
            [ number; number; number ])
        (fun value -> List.iter value.WriteInt32 [ 2; 0; 0 ])

    let each constructor (values: string list) =
        for one in values do
            add constructor (fun value -> value.WriteSerializedString one)

    let word = [ SignatureTypeCode.String ]
    each (attribute fsharp "Microsoft.FSharp.Core" "AutoOpenAttribute" word) content.AutoOpen

    each
        (attribute runtime "System.Runtime.CompilerServices" "InternalsVisibleToAttribute" word)
        content.Friends

    let builder =
        ManagedPEBuilder(
            PEHeaderBuilder(imageCharacteristics = Characteristics.Dll),
            MetadataRootBuilder metadata,
            BlobBuilder(),
            managedResources = resources,
            deterministicIdProvider = (fun _ -> BlobContentId identity[..19])
        )

    let image = BlobBuilder()
    builder.Serialize image |> ignore
    image.ToArray()

/// The assembly of a checked project. None: the compiler service makes no signature, because the project could not be
/// checked at all or has a type provider; or the version of the service is another one.
let ofResults (results: FSharpCheckProjectResults) : byte[] option =
    try
        contentOf results |> Option.map write
    with
    | :? NullReferenceException
    | :? InvalidCastException
    | :? KeyNotFoundException
    | :? IndexOutOfRangeException
    | :? MissingMethodException
    | :? TargetInvocationException -> None
