// A project as the compiler sees it: the result of loading, the input of the analysis.
namespace Plait.Check

open FSharp.Compiler.CodeAnalysis

/// A project that can be type-checked. Its options contain the referenced projects that are checked from source.
type LoadedProject =
    {
        /// The file's name without its extension.
        Name: string
        /// The whole path of the project file, of the script or of the source file.
        File: string
        /// The target framework, as in net10.0; None for a script.
        Framework: string option
        Options: FSharpProjectOptions
        /// Notes about the loading: missing references, degraded mode.
        Notes: string list
    }

/// The projects of a request.
type LoadResult =
    {
        Projects: LoadedProject list
        /// Projects that cannot be loaded, with the reasons.
        Unloaded: (string * string) list
    }
