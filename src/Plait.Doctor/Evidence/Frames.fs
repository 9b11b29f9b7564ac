// Frames of stacks, from the data of a route. All readers of stacks make their frames here.
namespace Plait.Doctor

open System.IO

/// The data of a frame from a route.
type internal RawFrame =
    {
        /// The path of the assembly in the process; "": not known.
        Assembly: string
        /// The name of its module.
        Module: string
        /// The method in the form of the runtime's events, without its signature; the part after a parenthesis may be missing.
        Written: string
        /// None: it cannot be looked up.
        Method: MethodId option
        Position: Position
    }

/// Making frames.
module internal Frames =

    /// The name of a module by the path of its file; "" where there is none.
    let moduleName (path: string) : string =
        Path.GetFileNameWithoutExtension path |> Option.ofObj |> Option.defaultValue ""

    /// The frame, after the frames of the calls that the JIT has inlined in it. A frame of the framework gets no name or line from
    /// files.
    let make (code: UserCode) (raw: RawFrame) : Frame list =
        let path = if raw.Assembly = "" then None else Some raw.Assembly

        let isFramework =
            FrameworkModules.isFramework raw.Module path
            || FrameworkModules.isMadeAtRunTime raw.Written

        let method = if isFramework then None else raw.Method

        let place = method |> Option.bind (fun method -> code.TryFind(method, raw.Position))

        let line = place |> Option.bind _.Line

        let own =
            {
                Module = raw.Module
                IsFramework = isFramework
                IsPackage =
                    not isFramework
                    && code.IsPackage(raw.Method |> Option.map _.File |> Option.defaultValue raw.Assembly)
                Method = method |> Option.bind code.TryName |> Option.defaultValue raw.Written
                File = line |> Option.map fst
                Line = line |> Option.map snd
                Calls = place |> Option.map _.Calls |> Option.defaultValue []
                WrittenIn = place |> Option.bind _.WrittenIn
            }

        [
            for call in place |> Option.map _.Inlined |> Option.defaultValue [] do
                { own with
                    Method = call.Method
                    File = call.Line |> Option.map fst
                    Line = call.Line |> Option.map snd
                    Calls = [ call.Called ]
                    WrittenIn = call.WrittenIn
                }

            own
        ]
