// The modules of the runtime and its libraries: no user's code. Each frame is checked here.
namespace Plait.Doctor

open System

/// Which modules are the runtime's, its libraries' or FSharp.Core's.
[<RequireQualifiedAccess>]
module FrameworkModules =

    // A name matches itself and longer names after a dot. It is a module's name, never a namespace: a user's own module
    // "Microsoft.MyTeam" is the user's.
    let private names =
        [
            "System"
            "mscorlib"
            "netstandard"
            "FSharp.Core"
            "WindowsBase"
            "Microsoft.Win32"
            "Microsoft.CSharp"
            "Microsoft.VisualBasic"
            "Microsoft.AspNetCore"
            "Microsoft.Extensions"
            "Microsoft.JSInterop"
            "Microsoft.Net.Http"
        ]

    // The library's own, each by its whole name: a program may be called "Plait.Shop".
    let private packages = [ "Plait"; "Plait.ThreadPool" ]

    let private isNamed (name: string) =
        packages
        |> List.exists (fun known -> name.Equals(known, StringComparison.OrdinalIgnoreCase))
        || names
           |> List.exists (fun known ->
               name.StartsWith(known, StringComparison.OrdinalIgnoreCase)
               && (name.Length = known.Length || name[known.Length] = '.'))

    // ".../shared/Microsoft.NETCore.App/10.0.12/System.Private.CoreLib.dll", with either kind of slash: a saved trace may come
    // from another system.
    let private isShared (path: string) =
        path.Split('/', '\\')
        |> Array.pairwise
        |> Array.exists (fun (folder, inside) ->
            folder.Equals("shared", StringComparison.OrdinalIgnoreCase)
            && inside.StartsWith("Microsoft.", StringComparison.OrdinalIgnoreCase))

    /// Whether a module is the framework's: by its name (with or without ".dll") or by the path of its file. A module without a
    /// name is the framework's only by its path.
    let isFramework (moduleName: string) (path: string option) : bool =
        let name =
            if moduleName.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) then
                moduleName[.. moduleName.Length - 5]
            else
                moduleName

        isNamed name || path |> Option.exists isShared

    /// Whether a method was made at run time, as a compiled expression is: the runtime has a special type name for such methods.
    /// They have no source.
    let isMadeAtRunTime (method': string) : bool =
        method'.StartsWith("dynamicClass.", StringComparison.OrdinalIgnoreCase)

    /// Whether the runtime made the method between two others, as the one that resumes an async method: it is not in the user's
    /// code.
    let isStub (method': string) : bool =
        method'.StartsWith("IL_STUB", StringComparison.Ordinal)
        || isMadeAtRunTime method' && method'.Contains(".IL_STUB", StringComparison.Ordinal)
