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
open FSharp.Compiler.Syntax
open FSharp.Compiler.Text

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
        /// The compiler has no code of it, because of its errors: no line of it is analysed.
        IsMissing: bool
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
            IsMissing = false
        }

    /// The number of lines of a file; 0 if it cannot be read.
    let lineCount (file: string) : int =
        try
            File.ReadLines file |> Seq.length
        with
        | :? IOException
        | :? UnauthorizedAccessException -> 0

    let private missing (file: string) : LoweredFile =
        {
            File = file
            Declarations = []
            Count = 0
            Skipped = 0
            Lost = [ 1 .. lineCount file ]
            IsMissing = true
        }

    /// The declarations of a module that have one of these errors: the code in their place, and their lines.
    let rec private wrong (errors: FSharpDiagnostic list) (declared: SynModuleDecl) : (string * range) list =
        let place = declared.Range

        let hasError =
            errors
            |> List.exists (fun error -> error.StartLine <= place.EndLine && error.EndLine >= place.StartLine)

        match declared with
        | SynModuleDecl.NestedModule(decls = inner) -> List.collect (wrong errors) inner
        | _ when not hasError -> []
        // a module must have a declaration
        | SynModuleDecl.Let _
        | SynModuleDecl.Expr _ -> [ String(' ', place.StartColumn) + "do ()", place ]
        | _ -> [ "", place ]

    /// The text without the declarations that have errors, on the same lines; and the lines of those.
    let private withoutErrors (results: FSharpParseFileResults) errors (text: string) : string * int list =
        let lines = text.Split '\n'

        let left =
            match results.ParseTree with
            | ParsedInput.ImplFile file ->
                [
                    for SynModuleOrNamespace(decls = declared) in file.Contents do
                        yield! List.collect (wrong errors) declared
                ]
            | ParsedInput.SigFile _ -> []

        for instead, place in left do
            Array.fill lines (place.StartLine - 1) (place.EndLine - place.StartLine + 1) ""
            lines[place.StartLine - 1] <- instead

        String.Join('\n', lines),
        [
            for _, place in left do
                yield! [ place.StartLine .. place.EndLine ]
        ]

    let private errorsIn (diagnostics: FSharpDiagnostic seq) : FSharpDiagnostic list =
        diagnostics
        |> Seq.filter (fun diagnostic -> diagnostic.Severity = FSharpDiagnosticSeverity.Error)
        |> List.ofSeq

    /// The code of a file without the declarations that have errors, and the lines of those. With some errors the
    /// compiler has no code of the whole file.
    let private rest
        (checker: FSharpChecker)
        (options: FSharpProjectOptions)
        (token: CancellationToken)
        (file: string)
        : (FSharpImplementationFileContents * int list) option =
        let check (text: string) =
            checker.ParseAndCheckFileInProject(file, 0, SourceText.ofString text, options)

        let read =
            async {
                let text = File.ReadAllText file

                match! check text with
                | parsed, FSharpCheckFileAnswer.Succeeded results ->
                    let text, left = withoutErrors parsed (errorsIn results.Diagnostics) text

                    match! check text with
                    | _, FSharpCheckFileAnswer.Succeeded results ->
                        return results.ImplementationFile |> Option.map (fun contents -> contents, left)
                    | _ -> return None
                | _ -> return None
            }

        try
            Async.RunSynchronously(read, cancellationToken = token)
        with error when not (error :? OperationCanceledException) ->
            None

    /// The number of files that `rest` checks by themselves, each twice: with more, the project itself is broken.
    [<Literal>]
    let private MostAlone = 20

    // The compiler's names for the files of its options.
    let private ofNoFile = set [ "startup"; "commandLineArgs"; "unknown" ]

    /// Lowers all files of a checked project.
    let ofResults
        (checker: FSharpChecker)
        (options: FSharpProjectOptions)
        (table: EffectTable)
        (token: CancellationToken)
        (results: FSharpCheckProjectResults)
        : LoweredProject =
        let lowering = Lowering table

        // errors of the options, such as a reference that does not exist, are of no line
        let ofOptions, ofLines =
            errorsIn results.Diagnostics
            |> List.partition (fun error -> ofNoFile.Contains error.FileName)

        let errors = ofLines @ ofOptions

        let contents =
            // raises an exception without the assemblies of a framework, for example
            if results.HasCriticalErrors then
                Map.empty
            else
                results.AssemblyContents.ImplementationFiles
                |> List.map (fun file -> Path.GetFullPath file.FileName, file)
                |> Map.ofList

        let sources =
            [
                for file in options.SourceFiles do
                    let isSignature = file.EndsWith(".fsi", StringComparison.OrdinalIgnoreCase)

                    if not (isSignature || DotNet.isWritten file) then
                        let path = Path.GetFullPath file
                        // the compiler names a file after its signature file
                        file, contents.TryFind path |> Option.orElse (contents.TryFind(path + "i"))
            ]

        let areMany =
            results.HasCriticalErrors
            || (sources |> List.filter (snd >> Option.isNone)).Length > MostAlone

        let files =
            [
                for file, found in sources do
                    match found with
                    | Some found -> ofFile token lowering found
                    | None when areMany -> missing file
                    | None when errors.IsEmpty -> ()
                    | None ->
                        match rest checker options token file with
                        | Some(found, left) ->
                            let lowered = ofFile token lowering found
                            { lowered with Lost = left @ lowered.Lost }
                        | None -> missing file
            ]

        {
            Files = files
            Lost =
                [
                    for error in ofLines do
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
