// A project as the compiler sees it: the result of loading, the input of the analysis.
namespace Plait.Check

open FSharp.Compiler.CodeAnalysis

/// A project that can be type-checked. Projects that it references and that are checked from source are inside its options.
type LoadedProject =
    {
        /// The file's name without its ending.
        Name: string
        /// The whole path of the project file, or of the script or source file that stands alone.
        File: string
        /// The target framework, as in net10.0; None for a script.
        Framework: string option
        Options: FSharpProjectOptions
        /// Notes about the loading: references that are missing, degraded mode.
        Notes: string list
    }

/// The projects of a request.
type Loaded =
    {
        Projects: LoadedProject list
        /// Projects that cannot be loaded, with the reasons.
        Unloaded: (string * string) list
    }
