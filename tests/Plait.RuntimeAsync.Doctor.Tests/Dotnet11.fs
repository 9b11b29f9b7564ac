// The programs of samples/sick that run on .NET 11: those that the runtime suspends itself, by F# 11 and C#, in Release and Debug, and
// the others, which are of .NET 10.
module Plait.RuntimeAsync.Doctor.Tests.Dotnet11

open System
open System.IO

open Plait.Doctor.Tests

let private ofFolder folder project assembly configuration =
    SickProgram.ofFolder SickProgram.dotnet11 folder project configuration assembly

let private fsharp =
    ofFolder "fsharp11" "Plait.Samples.Sick.FSharp11" "sick-fsharp11.dll"

let private csharp =
    ofFolder "csharp11" "Plait.Samples.Sick.CSharp11" "sick-csharp11.dll"

/// The programs of F#, with the line that the sources mark for a configuration.
let private marked configuration =
    [
        for program in fsharp ((configuration: string).ToLowerInvariant()) do
            let line =
                File.ReadAllLines program.File
                |> Array.tryFindIndex _.EndsWith($"// blamed in {configuration}", StringComparison.Ordinal)

            { program with
                Blame =
                    program.Blame
                    |> Option.map (fun blockingLine -> { blockingLine with Line = Option.map ((+) 1) line })
            }
    ]

/// Code that the runtime suspends, in Release: the line of the builder's name, or none for a builder that is not Plait's.
let released = lazy (marked "Release" @ csharp "release")

/// The same of F# in Debug.
let debugged = lazy (marked "Debug")

/// A program of .NET 10 whose async methods the runtime suspends.
let compiledAnew (name: string) : SickProgram =
    let anew = (csharp "release").Head

    { SickProgram.find name with Assembly = anew.Assembly; Start = anew.Start }

/// The programs of .NET 10, on .NET 11: one of each verdict and kind of block.
let older =
    lazy
        (SickProgram.allOn "11"
         |> List.distinctBy (fun program -> program.Verdict, program.Blame |> Option.map _.Kind))

/// Programs of .NET 10 run on the only runtime that this dotnet has.
let private variables =
    [| "DOTNET_ROLL_FORWARD", "Major"; "DOTNET_ROLL_FORWARD_TO_PRERELEASE", "1" |]

/// A program under way, with these variables besides.
let start (program: SickProgram) (more: (string * string) list) : RunningProgram =
    RunningProgram.Start(program, [| yield! variables; yield! more |])
