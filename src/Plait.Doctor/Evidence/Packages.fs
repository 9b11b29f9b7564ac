// The packages of a program's assemblies, by the file *.deps.json that the SDK writes beside a program. Only Frames uses it.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.IO
open System.Text.Json

/// Looks up assemblies, and reads the lists of each folder once.
[<Sealed>]
type internal Packages() =
    let folders = Dictionary<string, IReadOnlySet<string>>()

    let fileName (path: string) : string =
        Path.GetFileName path |> Option.ofObj |> Option.defaultValue ""

    let properties (name: string) (element: JsonElement) : (string * JsonElement) list =
        match element.TryGetProperty name with
        | true, found when found.ValueKind = JsonValueKind.Object ->
            [ for property in found.EnumerateObject() -> property.Name, property.Value ]
        | _ -> []

    let isPackage (library: JsonElement) =
        match library.TryGetProperty "type" with
        | true, kind -> kind.ValueKind = JsonValueKind.String && kind.ValueEquals "package"
        | _ -> false

    // { "libraries": { "NAME/VERSION": { "type": "package" } },
    //   "targets": { "FRAMEWORK": { "NAME/VERSION": { "runtime": { "lib/net10.0/NAME.dll": {} } } } } }
    let listed (file: string) : string list =
        try
            use document = JsonDocument.Parse(File.ReadAllText file)

            let packages =
                HashSet
                    [
                        for name, library in properties "libraries" document.RootElement do
                            if isPackage library then
                                name
                    ]

            [
                for _, target in properties "targets" document.RootElement do
                    for name, library in
                        [ for library in target.EnumerateObject() -> library.Name, library.Value ] do
                        if packages.Contains name then
                            for path, _ in properties "runtime" library @ properties "runtimeTargets" library do
                                fileName path
            ]
        with
        | :? IOException
        | :? UnauthorizedAccessException
        | :? InvalidOperationException
        | :? JsonException -> []

    let assemblies (folder: string) : IReadOnlySet<string> =
        match folders.TryGetValue folder with
        | true, known -> known
        | _ ->
            let files =
                try
                    Directory.GetFiles(folder, "*.deps.json")
                with
                | :? IOException
                | :? UnauthorizedAccessException -> [||]

            let known = HashSet(Seq.collect listed files, StringComparer.OrdinalIgnoreCase)
            folders[folder] <- known
            known

    // a program that was built and not published loads them from NuGet's folder
    let isInCache (path: string) =
        path.Split('/', '\\') |> Array.pairwise |> Array.contains (".nuget", "packages")

    /// Whether a package has the assembly at this path.
    member _.Has(path: string) : bool =
        path <> ""
        && (isInCache path
            || match Path.GetDirectoryName path with
               | null
               | "" -> false
               | folder -> (assemblies folder).Contains(fileName path))
