// Under test: what the compiler of F# 11 says of code that it does not make an async method of, and that it says nothing of ordinary code
// and of every bind, annotated no more than FSharp.Core's `task` needs it. The compiler is the one that MSBuild runs, with the
// runtime's own assemblies as references.
module Plait.RuntimeAsync.Tests.Refused

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Mono.Cecil
open Plait.Repository.Tests
open Xunit

let private compiler =
    lazy
        (let toolchain =
            File.ReadAllText(Repository.path [ "artifacts"; "dotnet11"; "toolchain.props" ])

         Regex.Match(toolchain, "<FSharp11Compiler>(.*)</FSharp11Compiler>").Groups[1].Value)

/// The host of the compiler, as MSBuild has it: that of the SDK. On the runtime of this process it takes twice the time.
let private host =
    lazy
        ((string (Environment.GetEnvironmentVariable "PATH")).Split Path.PathSeparator
         |> Seq.map (fun folder -> Path.Combine(folder, "dotnet"))
         |> Seq.find File.Exists)

/// The runtime of this process, and the libraries beside this program.
let private references =
    lazy
        (let runtime = string (Path.GetDirectoryName typeof<obj>.Assembly.Location)

         [
             for file in Directory.GetFiles(runtime, "*.dll") do
                 let name = string (Path.GetFileName file)

                 if
                     name.StartsWith "System." && not (name.Contains ".Native.") || name = "netstandard.dll"
                 then
                     "-r:" + file
             for name in [ "FSharp.Core"; "Plait"; "Plait.RuntimeAsync" ] do
                 "-r:" + Path.Combine(AppContext.BaseDirectory, name + ".dll")
         ])

/// Compiles a file: its warnings and errors (line, number and text), and what `look` finds in the folder with Snippet.dll.
let internal compiled (options: string list) (source: string) (look: string -> 'T) =
    let folder = Directory.CreateTempSubdirectory "plait-refused-"

    try
        let file = Path.Combine(folder.FullName, "Snippet.fs")
        let response = Path.Combine(folder.FullName, "options.rsp")
        File.WriteAllText(file, source)

        File.WriteAllLines(
            response,
            [
                "-o:" + Path.Combine(folder.FullName, "Snippet.dll")
                "--targetprofile:netcore"
                "--noframework"
                "--warn:4"
                "--nowarn:57"
                "--checknulls+"
                yield! options
                file
                yield! references.Value
            ]
        )

        let start =
            ProcessStartInfo(
                host.Value,
                [ compiler.Value; "@" + response ],
                RedirectStandardError = true,
                RedirectStandardOutput = true
            )

        start.Environment["DOTNET_ROLL_FORWARD"] <- "Major"
        use running = nonNull (Process.Start start)
        let errors = running.StandardError.ReadToEndAsync()
        let text = running.StandardOutput.ReadToEnd() + errors.Result
        running.WaitForExit()

        let found =
            [
                for one in
                    Regex.Matches(
                        text,
                        @"^(?:.*?\((\d+),.*?\)|FSC): (?:warning|error) FS(\d+): (.*)$",
                        RegexOptions.Multiline
                    ) do
                    let line = one.Groups[1].Value
                    (if line = "" then 0 else int line), int one.Groups[2].Value, one.Groups[3].Value
            ]

        if running.ExitCode <> 0 && found.IsEmpty then
            Assert.Fail $"The compiler ended with {running.ExitCode}: {text}"

        found, look folder.FullName
    finally
        folder.Delete true

let private asLibrary (language: string) =
    [ "--target:library"; "--optimize+"; "--debug-"; $"--langversion:{language}" ]

/// The warnings and errors of a file: line, number and text.
let private said (language: string) (source: string) : (int * int * string) list =
    compiled (asLibrary language) source ignore |> fst

let private head =
    "module Snippet\nopen System\nopen System.Threading.Tasks\nopen Plait.RuntimeAsync\n"

/// Wrong for the type checker, which says so of all of a file at once: name, code, number.
let private typed =
    [
        for builder in [ "task"; "valueTask"; "Guarded.task"; "NonAffine.task" ] do
            let wrong name code number =
                $"{name} under {builder}", (code: string).Replace("co {", builder + " {"), number

            wrong "a bind of a number" "let f () = co { let! x = 5 in return x }" 10410
            wrong "a bind of an option" "let f () = co { let! x = Some 1 in return x }" 10410
            wrong "a bind of a Result" "let f (r: Result<int, string>) = co { let! x = r in return x }" 10412
            wrong "a do! of nothing" "let f () = co { do! () }" 10410
            wrong "a return! of a number" "let f () = co { return! 5 }" 10410

            wrong
                "an and! of a number"
                "let f (t: Task<int>) = co {\n    let! x = t\n    and! y = 5\n    return x + y }"
                10410

            wrong "a value dropped by do!" "let f (t: Task<int>) = co { do! t }" 1

            wrong
                "a result of another type"
                "let f () = co { let! x = Task.FromResult 1 in return (x: string) }"
                1

            if builder <> "NonAffine.task" then
                wrong "a bind of a list" "let f () = co { let! x = [ 1 ] in return x }" 10410
                wrong "a loop over a number" "let f () = co { for x in 5 do () }" 10411
                wrong "a loop over a task" "let f (t: Task<int list>) = co { for x in t do () }" 10411
        "a result of a builder without one", "let f () = taskUnit { return 1 }", 1

        let stepCode builder step =
            $"let f (t: Task<int>) = {builder} {{\n    let! x = [ 1 ] |> List.mapAsync (fun _ -> {step} {{ return! t }})\n    return x }}"

        for builder in [ "taskResult"; "NonAffine.valueTaskResult"; "taskValidation" ] do
            let wrong name code number =
                $"{name} under {builder}", (code: string).Replace("co {", builder + " {"), number

            wrong "a bind of a number" "let f () = co { let! x = 5 in return x }" 10410
            wrong "a return! of a number" "let f () = co { return! 5 }" 10410
            wrong "a bind of an option" "let f () = co { let! x = Some 1 in return x }" 10413
            wrong "a bind of a value option" "let f () = co { let! x = ValueSome 1 in return x }" 10413

            wrong "a value of an Ok dropped by do!" "let f (t: Task<Result<int, string>>) = co { do! t }" 1

            wrong
                "a result of another type"
                "let f () = co { let! x = Task.FromResult(Ok 1: Result<int, string>) in return (x: string) }"
                1

        "Errors of two types",
        "let f (a: Result<int, int>) (b: Result<int, string>) = taskResult {\n    let! a = a\n    let! b = b\n    return a + b }",
        193

        "a step on the context in a builder off it", stepCode "NonAffine.task" "step", 10412
        "a step off the context in a builder on it", stepCode "task" "NonAffine.step", 41
    ]

/// What the compiler says of each code, compiled together in a module each: number and text, in their order.
let private saidOfEach (language: string) (codes: string list) : (int * string) list list =
    let texts =
        [
            for index, code in List.indexed codes ->
                $"module M{index} =\n    " + code.Replace("\n", "\n    ") + "\n"
        ]

    let length (text: string) = text.Split('\n').Length - 1
    let found = said language (head + String.Join("", texts))

    [
        for text, start in
            List.zip texts (List.take texts.Length (List.scan (fun line text -> line + length text) 5 texts)) ->
            [
                for line, number, words in found do
                    if line >= start && line < start + length text then
                        number, words
            ]
    ]

let private answers =
    lazy
        (saidOfEach "preview" [ for _, code, _ in typed -> code ]
         |> List.map2 (fun (name, _, _) answer -> name, answer) typed)

let Typed = [| for name, _, _ in typed -> TheoryDataRow<string> name |]

[<Theory; MemberData(nameof Typed)>]
let ``a type that cannot be awaited is refused`` (name: string) =
    let _, _, number = typed |> List.find (fun (one, _, _) -> one = name)
    let answer = answers.Value |> List.find (fst >> (=) name) |> snd
    Assert.True(answer |> List.exists (fst >> (=) number), $"FS{number} was expected: {answer}")

/// Wrong for a later part of the compiler: name, version of the language, code, number.
let private later =
    [
        "a member of a struct that uses its fields",
        "preview",
        "[<Struct>]\ntype S(k: int) =\n    member _.Add(x: int) = valueTask { return x + k }",
        406
        "a Span that is given", "preview", "let f (span: Span<int>) = valueTask { return span.Length }", 406
        "a byref", "preview", "let f (x: byref<int>) = valueTask { return x }", 406
        "the language that is finished", "11.0", "let f () = task { return 1 }", 3350
    ]

let private laterAnswers =
    lazy
        [
            for language, cases in later |> List.groupBy (fun (_, language, _, _) -> language) do
                let found = saidOfEach language [ for _, _, code, _ in cases -> code ]

                for (name, _, _, number), answer in List.zip cases found do
                    name, number, answer
        ]

let Later = [| for name, _, _, _ in later -> TheoryDataRow<string> name |]

[<Theory; MemberData(nameof Later)>]
let ``code that no async method can contain is refused`` (name: string) =
    let _, number, answer =
        laterAnswers.Value |> List.find (fun (one, _, _) -> one = name)

    Assert.True(answer |> List.exists (fst >> (=) number), $"FS{number} was expected: {answer}")

[<Fact>]
let ``a condition selects one of a lambda's two steps`` () =
    let code =
        "let f (xs: int list) (t: Task<int>) = task {\n    return! xs |> List.mapAsync (fun x ->\n        if x > 1 then\n            step { return! t }\n        else\n            step { return x }) }"

    Assert.Empty(said "preview" (head + code + "\n"))

let private none (source: string) (found: (int * int * string) list) =
    let lines = source.Split '\n'

    Repository.none
        "The compiler says:"
        [
            for line, number, words in found ->
                $"FS{number:D4} {words}\n      in: {if line = 0 then String.Empty else lines[line - 1].Trim()}"
        ]

let private silently (source: string) = none source (said "preview" source)

let private opens = "open Plait\nopen Plait.RuntimeAsync"

[<Fact>]
let ``code for FSharp.Core's task has the same type under this one`` () =
    let functions opens =
        let source = Batch.file opens [ "task" ] TaskCode.snippets

        let found, (uses: string list, functions) =
            compiled (asLibrary "preview") source (fun folder ->
                match Path.Combine(folder, "Snippet.dll") with
                | made when File.Exists made ->
                    use assembly = AssemblyDefinition.ReadAssembly made

                    [ for one in assembly.MainModule.AssemblyReferences -> one.Name ],
                    TaskCode.functions assembly
                | _ -> [], [])

        none source found
        uses, functions

    let _, theirs = functions ""
    let uses, ours = functions "open Plait.RuntimeAsync"
    Assert.NotEmpty theirs
    Assert.Contains("Plait.RuntimeAsync", uses)
    TaskCode.sameTypes theirs ours

[<Fact>]
let ``ordinary code needs no annotation`` () =
    silently (Batch.file opens [ "task"; "Guarded.task"; "backgroundTask" ] Ordinary.valued)

/// Functions that many projects have under the names of the package's, and their use behind these `open`s.
let private withOwnNames (opens: string) =
    String.concat
        "\n"
        [
            "namespace Own"
            "module Option ="
            "    let mapAsync f o = task {"
            "        match o with"
            "        | Some x ->"
            "            let! y = f x"
            "            return Some y"
            "        | None -> return None }"
            "module Steps ="
            "    let step x = x + 1"
            "namespace Snippet"
            opens
            "module Use ="
            "    let f () = task {"
            "        let! x = Some 1 |> Option.mapAsync (fun x -> task { return step x })"
            "        return x }"
            ""
        ]

[<Fact>]
let ``functions of a user that have the package's names are taken if they are opened behind it`` () =
    silently (withOwnNames "open Plait.RuntimeAsync\nopen Own\nopen Own.Steps")

    // what the page on the migration says of the other order
    let found =
        said "preview" (withOwnNames "open Own\nopen Own.Steps\nopen Plait.RuntimeAsync")

    Assert.Contains(found, fun (_, number, words) -> number = 193 && words.Contains "'Step<")

[<Fact>]
let ``ordinary code without a result needs no annotation`` () =
    silently (Batch.file opens [ "taskUnit"; "valueTaskUnit" ] Ordinary.unvalued)

[<Fact>]
let ``builders with a result bind everything`` () =
    silently (
        Awaitables.head
        + opens
        + "\n\n"
        + Matrix.functions
            [ "task"; "NonAffine.task"; "valueTask"; "NonAffine.valueTask"; "Guarded.task" ]
            Matrix.Value
    )

[<Fact>]
let ``builders without a result bind everything`` () =
    silently (
        Awaitables.head
        + opens
        + "\n\n"
        + Matrix.functions [ "taskUnit"; "NonAffine.taskUnit"; "valueTaskUnit" ] Matrix.Nothing
    )

[<Fact>]
let ``builders of results bind everything`` () =
    silently (
        Awaitables.head
        + opens
        + "\n\n"
        + Matrix.functions
            [
                "taskResult"
                "NonAffine.taskResult"
                "valueTaskResult"
                "taskValidation"
                "Guarded.valueTaskResult"
            ]
            Matrix.Value
    )

[<Fact>]
let ``builders of results take every source of a Result apart`` () =
    let file =
        [ "taskResult"; "NonAffine.valueTaskResult"; "valueTaskValidation"; "NonAffine.taskValidation" ]
        |> List.mapi (fun index builder -> $"module M{index} =\n{Matrix.indented (Matrix.apart builder)}\n")

    silently (Awaitables.head + opens + "\n\n" + String.concat "\n" file)
