// One type-checked project: its declarations as Code, and the assembly of its signature. It has no reference to the
// compiler service, so the service can forget the project, and the cache can store it.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics
open FSharp.Compiler.Symbols

/// The declarations of a file.
type internal LoweredFile =
    {
        File: string
        Declarations: Declaration list
        /// The number of declarations, skipped ones among them.
        Count: int
        /// The number of declarations that build state machines by hand.
        Skipped: int
        /// The lines that could not be lowered.
        Lost: int list
    }

/// A project after the compiler.
type internal LoweredProject =
    {
        Files: LoweredFile list
        /// Lines with type errors.
        Lost: struct (string * int) list
        /// The files that declare single-use types.
        Own: string list
        Errors: int
        /// The first type error: it tells the user why lines are lost.
        FirstError: string
    }

/// The result of type-checking a project.
type internal CheckedProject =
    {
        /// None: the project is only referenced.
        Lowered: LoweredProject option
        /// None: the compiler service makes none.
        Signature: byte[] option
    }

module internal LoweredProject =
    let private ofFile
        (token: CancellationToken)
        (lowering: Lowering)
        (file: FSharpImplementationFileContents)
        : LoweredFile =
        let declarations = List<Declaration>()
        let mutable count = 0
        let mutable skipped = 0

        let rec declaration (declared: FSharpImplementationFileDeclaration) =
            token.ThrowIfCancellationRequested()

            match declared with
            | FSharpImplementationFileDeclaration.Entity(_, inner) -> List.iter declaration inner
            | FSharpImplementationFileDeclaration.InitAction expression ->
                count <- count + 1

                Declaration.OfCode(
                    $"init {expression.Range}",
                    "the code that runs when the file is loaded",
                    expression.Range,
                    lowering.Action expression
                )
                |> declarations.Add

                declarations.AddRange(lowering.TakeFields())
            | FSharpImplementationFileDeclaration.MemberOrFunctionOrValue(symbol, parameters, body) ->
                count <- count + 1

                match lowering.Declaration(symbol, parameters, body) with
                | Some lowered -> declarations.Add lowered
                | None -> skipped <- skipped + 1

                declarations.AddRange(lowering.TakeFields())

        let before = HashSet lowering.Lost
        List.iter declaration file.Declarations

        {
            File = file.FileName
            Declarations = List.ofSeq declarations
            Count = count
            Skipped = skipped
            Lost =
                [
                    for place in lowering.Lost do
                        if not (before.Contains place) then
                            let struct (_, line) = place
                            line
                ]
        }

    let private errorsOf (results: FSharpCheckProjectResults) =
        results.Diagnostics
        |> Seq.filter (fun diagnostic -> diagnostic.Severity = FSharpDiagnosticSeverity.Error)
        |> List.ofSeq

    /// Lowers all files of a checked project.
    let ofResults (table: EffectTable) token (results: FSharpCheckProjectResults) : LoweredProject =
        let lowering = Lowering table
        let errors = errorsOf results

        let files =
            [
                for file in results.AssemblyContents.ImplementationFiles do
                    if not (DotNet.isWritten file.FileName) then
                        ofFile token lowering file
            ]

        {
            Files = files
            Lost =
                [
                    for error in errors do
                        for line in error.StartLine .. error.EndLine do
                            struct (error.FileName, line)
                ]
                |> List.distinct
            Own = List.ofSeq lowering.Own
            Errors = errors.Length
            FirstError =
                match errors with
                | [] -> ""
                | first :: _ ->
                    let message = first.Message.ReplaceLineEndings " "
                    let name = Path.GetFileName first.FileName
                    $"{first.ErrorNumberText} in {name}, line {first.StartLine}: {message}"
        }
