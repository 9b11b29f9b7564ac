// The identity of an assembly, for the keys of the cache.
module internal Plait.Check.AssemblyIdentity

open System
open System.IO
open System.Reflection.Metadata
open System.Reflection.PortableExecutable

/// The identity of an assembly, and whether it has a type provider: provided types may depend on anything.
let ofFile (file: string) : string * bool =
    try
        use stream = File.OpenRead file
        use image = new PEReader(stream)
        let reader = image.GetMetadataReader()
        let version = reader.GetGuid((reader.GetModuleDefinition()).Mvid)

        let isProvider =
            reader.GetAssemblyDefinition().GetCustomAttributes()
            |> Seq.exists (fun handle ->
                let attribute = reader.GetCustomAttribute handle

                attribute.Constructor.Kind = HandleKind.MemberReference
                && (let owner =
                        reader
                            .GetMemberReference(MemberReferenceHandle.op_Explicit attribute.Constructor)
                            .Parent

                    owner.Kind = HandleKind.TypeReference
                    && reader.StringComparer.Equals(
                        reader.GetTypeReference(TypeReferenceHandle.op_Explicit owner).Name,
                        "TypeProviderAssemblyAttribute"
                    )))

        string version, isProvider
    with
    | :? IOException
    | :? UnauthorizedAccessException -> "absent", false
    | :? BadImageFormatException
    | :? InvalidOperationException -> Key.ofFile file, false
