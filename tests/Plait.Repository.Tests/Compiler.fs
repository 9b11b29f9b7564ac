// The F# compiler, in process: a user's file compiled as a Release build would, against the library as it is shipped.
module Plait.Repository.Tests.Compiler

open System
open System.Diagnostics
open System.IO
open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics
open Mono.Cecil

/// The Collection of modules whose tests compile: one after another, while F# Interactive runs beside them.
[<Literal>]
let Collection = "the compiler"

/// What came of a file: the words of the compiler, and what it wrote where it wrote something.
type Outcome = { Said: FSharpDiagnostic list; Assembly: AssemblyDefinition | null; Source: string }

let private checker = FSharpChecker.Create()

/// The runtime of this process, its FSharp.Core, and the library from where `make build` puts it.
let private references =
    lazy
        (let trusted = string (AppContext.GetData "TRUSTED_PLATFORM_ASSEMBLIES")
         let runtime = string (Path.GetDirectoryName typeof<obj>.Assembly.Location)

         [
             for file in trusted.Split Path.PathSeparator do
                 let name = string (Path.GetFileName file)

                 if
                     Path.GetDirectoryName file = runtime
                     && (name.StartsWith "System." || name = "mscorlib.dll" || name = "netstandard.dll")
                     || name = "FSharp.Core.dll"
                 then
                     "-r:" + file
             "-r:" + Repository.library "net10.0"
         ])

let private run (folder: string) (options: string list) (source: string) =
    let file = Path.Combine(folder, "Snippet.fs")
    let target = Path.Combine(folder, "Snippet.dll")
    File.WriteAllText(file, source)

    let arguments =
        [
            "fsc.exe"
            $"-o:{target}"
            "--target:library"
            "--targetprofile:netcore"
            "--noframework"
            "--optimize+"
            "--debug-"
            "--warn:4"
            "--warnon:3511,3513,3559"
            "--checknulls+"
            yield! options
            file
            yield! references.Value
        ]

    let said, _ = checker.Compile(Array.ofList arguments) |> Async.RunSynchronously

    said
    |> List.ofArray
    |> List.filter (fun one -> one.Severity >= FSharpDiagnosticSeverity.Warning),
    target

let private inFolder (work: string -> 'a) =
    let folder = Directory.CreateTempSubdirectory "plait-snippet-"

    try
        work folder.FullName
    finally
        folder.Delete true

/// Compiles one file. Warnings and errors are in the outcome, those that are off by default and speak of resumable code
/// among them.
let compile (source: string) : Outcome =
    inFolder (fun folder ->
        let said, target = run folder [] source

        {
            Said = said
            Assembly =
                if File.Exists target then
                    AssemblyDefinition.ReadAssembly(new MemoryStream(File.ReadAllBytes target))
                else
                    null
            Source = source
        })

/// The words of the compiler with the line each is about.
let words (outcome: Outcome) =
    let lines = outcome.Source.Split '\n'

    [
        for one in outcome.Said ->
            $"FS{one.ErrorNumber:D4} {one.Message}\n      in: {lines[one.StartLine - 1].Trim()}"
    ]

/// Compiles a file that must compile without a word.
let silently (source: string) : AssemblyDefinition =
    let outcome = compile source
    Repository.none "The compiler says:" (words outcome)
    nonNull outcome.Assembly

/// The processor time of this process that compiling a file takes. For tests that run alone, as those of CompileTime do.
let cost (source: string) : TimeSpan =
    inFolder (fun folder ->
        let before = Process.GetCurrentProcess().TotalProcessorTime
        let said, _ = run folder [] source
        let spent = Process.GetCurrentProcess().TotalProcessorTime - before

        match said with
        | [] -> spent
        | first :: _ -> failwith $"It does not compile: {first}")
