// Under test: what F# 11 makes of code that this project is not compiled as: sequence points of a builder without a debug point, and
// code without optimisation.
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
let ``F# 11 writes the sequence points if it does not inline what it counts as code of size 1`` () =
    Assert.Equal<int list>([ 22; 23 ], lines [ "--inlinethreshold:-1" ] "expression")

let private unoptimised =
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
let main _ =
    let calls () =
        for x in 1..10000 do
            small(x).Result |> ignore

    calls ()
    let before = GC.GetAllocatedBytesForCurrentThread()
    calls ()
    let bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / 10000L
    let mutable depth = ref 0
    let thread = Thread((fun () -> depth.Value <- (deep 20000).Result), 8 * 1024 * 1024)
    thread.Start()
    thread.Join()
    Console.Write $"{bytes} {depth.Value}"
    0
"""

[<Fact>]
let ``a call of code without optimisation costs 32 bytes, and 20,000 levels fit on 8 MB`` () =
    let found, said =
        Refused.compiled
            [ "--target:exe"; "--optimize-"; "--debug:portable"; "--langversion:preview" ]
            unoptimised
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
                                [ Path.Combine(folder, "Snippet.dll") ],
                                RedirectStandardOutput = true
                            )
                        )
                    )

                let text = running.StandardOutput.ReadToEnd()
                running.WaitForExit()
                text)

    Assert.Empty found
    Assert.Equal("32 20000", said)
