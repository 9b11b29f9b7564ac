// The modules of the runtime and its libraries, which are not the user's code. The readers of stacks ask it for each
// frame.
namespace Plait.Doctor

open System

/// Which modules are the runtime's, its libraries' or FSharp.Core's.
[<RequireQualifiedAccess>]
module FrameworkModules =

    // A name of the framework stands for itself and for longer names that continue with a dot. By module, never by
    // namespace: a user's own module "Microsoft.MyTeam" is the user's.
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

    /// Whether a module is the framework's: by its name (with or without ".dll") or, where it is known, by the path of its file.
    /// A module without a name is the framework's only by its path.
    let isFramework (moduleName: string) (path: string option) : bool =
        let name =
            if moduleName.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) then
                moduleName[.. moduleName.Length - 5]
            else
                moduleName

        isNamed name || path |> Option.exists isShared

    /// Whether a method was made at run time, as an expression is when it is compiled: the runtime has a word of its own for the type
    /// of such methods, which have no source.
    let isMadeAtRunTime (method': string) : bool =
        method'.StartsWith("dynamicClass.", StringComparison.OrdinalIgnoreCase)

    /// Whether a method is one that the runtime itself has made between two others, such as the one that resumes an
    /// async method: it is not in the user's code.
    let isStub (method': string) : bool =
        method'.StartsWith("IL_STUB", StringComparison.Ordinal)
        || isMadeAtRunTime method' && method'.Contains(".IL_STUB", StringComparison.Ordinal)
