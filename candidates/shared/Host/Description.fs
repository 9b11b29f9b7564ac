// Layer: host. The description of a candidate, from the candidate.json beside its assembly and from the library that the file
// names.
namespace Plait.Lab.Host

open System
open System.IO
open System.Reflection
open System.Text.Json

/// The keys of candidate.json that the worker needs.
type Description =
    {
        /// The name of the candidate.
        Name: string
        /// The library it is named after; None: none.
        Library: string option
        /// The version of that library, without the build behind it.
        LibraryVersion: string option
        /// Whether the flag --sync-fn applies.
        SyncFn: bool
    }

/// Reads the description of this process.
module Description =

    let private versionOf (library: string) =
        match Assembly.Load(library).GetCustomAttribute<AssemblyInformationalVersionAttribute>() with
        | null -> None
        | attribute ->
            // Behind these stands how the package was built, not which one it is.
            let version =
                attribute.InformationalVersion.Split([| "+"; "-servicing" |], StringSplitOptions.None)

            Some version[0]

    /// Reads it; raises when candidate.json is missing or is no description.
    let read () : Description =
        let file = Path.Combine(AppContext.BaseDirectory, "candidate.json")
        use document = JsonDocument.Parse(File.ReadAllText file)
        let root = document.RootElement
        let library = Option.ofObj (root.GetProperty("library").GetString())

        {
            Name = nonNull (root.GetProperty("name").GetString())
            Library = library
            LibraryVersion = Option.bind versionOf library
            SyncFn = root.GetProperty("syncFn").GetBoolean()
        }
