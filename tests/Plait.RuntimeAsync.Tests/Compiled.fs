// Under test: what F# 11 makes of code that this project is not compiled as: sequence points of a builder without a debug point, and
// programs with and without optimisation.
module Plait.RuntimeAsync.Tests.Compiled

open System
open System.Diagnostics
open System.IO
open System.Reflection.Metadata
open System.Reflection.PortableExecutable
open Xunit

/// The case for the F# team, which docs/explanation/runtime-async-limits.md quotes.
let private case =
    """
module Case

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

type Builder() =
    member inline _.Delay([<InlineIfLambda>] code: unit -> 'T) : unit -> 'T = code
    member inline _.Return(value: 'T) : 'T = value

    member inline _.Bind(work: Task<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
        rest (AsyncHelpers.Await work)

    member inline _.Run([<InlineIfLambda>] code: unit -> 'T) : Task<'T> =
        StateMachineHelpers.__runtimeAsyncReturn (code ())

let builder = Builder()

let expression (work: Task<int>) =
    builder {
        let! x = work
        return x + 1
    }

let calls (work: Task<int>) =
    builder.Run(
        builder.Delay(fun () ->
            builder.Bind(work, fun x ->
                builder.Return(x + 1)))
    )
"""

/// The lines of the visible sequence points of a function.
let private lines (options: string list) (name: string) : int list =
    let found, lines =
        Refused.compiled
            ([ "--target:library"; "--optimize+"; "--debug:portable"; "--langversion:preview" ]
             @ options)
            case
            (fun folder ->
                use image = new PEReader(File.OpenRead(Path.Combine(folder, "Snippet.dll")))
                let code = image.GetMetadataReader()

                use symbols =
                    MetadataReaderProvider.FromPortablePdbStream(
                        File.OpenRead(Path.Combine(folder, "Snippet.pdb"))
                    )

                let points = symbols.GetMetadataReader()

                [
                    for handle in code.MethodDefinitions do
                        if code.GetString(code.GetMethodDefinition(handle).Name) = name then
                            for point in
                                points
                                    .GetMethodDebugInformation(handle.ToDebugInformationHandle())
                                    .GetSequencePoints() do
                                if not point.IsHidden then
                                    point.StartLine
                ])

    Assert.DoesNotContain(found, fun (_, number, _) -> number <> 75)
    List.distinct lines

[<Fact>]
let ``F# 11 writes no sequence points for the expression of a bare builder, and has them for its calls`` () =
    Assert.Empty(lines [] "expression")
    Assert.Equal<int list>([ 29; 30 ], lines [] "calls")

[<Fact>]
let ``F# 11 writes the sequence points if it does not inline code of size 1`` () =
    Assert.Equal<int list>([ 22; 23 ], lines [ "--inlinethreshold:-1" ] "expression")

/// Counts the bytes of a call, and goes as many levels down as its argument says.
let private callsAndDepth =
    """
module Program

open System
open System.Threading
open System.Threading.Tasks
open Plait.RuntimeAsync

let small (x: int) : ValueTask<int> = valueTask { return x + 1 }

let rec deep (n: int) : ValueTask<int> =
    valueTask {
        if n = 0 then
            return 0
        else
            let! below = deep (n - 1)
            return below + 1
    }

[<EntryPoint>]
let main arguments =
    let calls () =
        for x in 1..10000 do
            small(x).Result |> ignore

    calls ()
    let before = GC.GetAllocatedBytesForCurrentThread()
    calls ()
    let bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / 10000L
    let depth = ref 0
    let thread = Thread((fun () -> depth.Value <- (deep (int arguments[0])).Result), 8 * 1024 * 1024)
    thread.Start()
    thread.Join()
    Console.Write $"{bytes} {depth.Value}"
    0
"""

[<Theory>]
[<InlineData("--optimize+", 30000, 0); InlineData("--optimize-", 20000, 32)>]
let ``so many levels fit on 8 MB, and a call costs so many bytes``
    (option: string)
    (levels: int)
    (bytes: int)
    =
    let found, said =
        Refused.compiled
            [ "--target:exe"; option; "--debug:portable"; "--langversion:preview" ]
            callsAndDepth
            (fun folder ->
                File.WriteAllText(
                    Path.Combine(folder, "Snippet.runtimeconfig.json"),
                    """{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"11.0.0"},"configProperties":{"System.Runtime.TieredCompilation":false}}}"""
                )

                for name in [ "FSharp.Core"; "Plait"; "Plait.RuntimeAsync" ] do
                    File.Copy(
                        Path.Combine(AppContext.BaseDirectory, name + ".dll"),
                        Path.Combine(folder, name + ".dll")
                    )

                use running =
                    nonNull (
                        Process.Start(
                            ProcessStartInfo(
                                string Environment.ProcessPath,
                                [ Path.Combine(folder, "Snippet.dll"); string levels ],
                                RedirectStandardOutput = true
                            )
                        )
                    )

                let text = running.StandardOutput.ReadToEnd()
                running.WaitForExit()
                text)

    Assert.Empty found
    Assert.Equal($"{bytes} {levels}", said)
