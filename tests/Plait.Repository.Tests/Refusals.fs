// Under test: wrong code is refused, and the message names what a person has to look for. What the compiler says as a
// whole is in the text files beside this one; PLAIT_WRITE_REFUSALS=1 writes them anew, to be read before they are
// committed.
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.Refusals

open System
open System.IO
open Xunit

/// What a builder that binds by `Source` takes for something else: a list is the sequence of a `for`, and a `for` over
/// something of no type awaits it.
let private bySource =
    [
        "a bind of a list", "let f () = co { let! x = [ 1 ] in return x }", 0, [ "int list" ]
        "a loop over something of no type",
        "let f xs = co { for x in xs do do! Task.Delay(x: int) }",
        10411,
        [ "not known"; "annotate" ]
    ]

/// The code, the number of the error and the words that a person needs. `co {` stands for a builder.
let private wrong =
    [
        "let! outside of an expression",
        "let f (t: Task<int>) =\n    let! x = t\n    x",
        750,
        [ "computation expressions" ]
        "a result of another type than the annotation",
        "let f () = co { let! x = Task.FromResult 1 in return (x: string) }",
        1,
        [ "string"; "int" ]
        "a result of another type than the function says",
        "let f () : RESULT<string> = co { return 1 }",
        1,
        [ "string"; "int" ]
        "two returns of different types",
        "let f c = co { if c then return 1 else return \"\" }",
        1,
        [ "string"; "int" ]
        "a branch that returns where the other does not",
        "let f c = co { if c then return 1 }",
        0,
        [ "unit"; "int" ]
        "use of something that cannot be disposed",
        "let f () = co { use x = 5 in return x }",
        41,
        [ "IDisposable" ]
        "a value dropped by do!", "let f (t: Task<int>) = co { do! t }", 1, [ "unit"; "int" ]
        "a do! of a function without its last argument",
        "let f (send: int -> string -> Task) = co { do! send 1 }",
        10414,
        [ "arguments" ]
        "a let! of a function without its arguments",
        "let f (load: int -> int -> Task<string>) = co {\n    let! text = load 1\n    return text + \"\" }",
        10414,
        [ "arguments" ]
        "a return! in an if without else",
        "let f c (t: Task<int>) = co {\n    if c then return! t }",
        0,
        [ "unit"; "int" ]
        "a yield", "let f () = co { yield 1 }", 708, [ "Yield" ]
        "a bind of a number",
        "let f () = co { let! x = 5 in return x }",
        10410,
        [ "cannot be awaited"; "`let`" ]
        "a bind of an option", "let f () = co { let! x = Some 1 in return x }", 10410, [ "cannot be awaited" ]
        "a bind of a result",
        "let f (r: Result<int, string>) = co { let! x = r in return x }",
        10412,
        [ "Result"; "`taskResult`" ]
        "a do! of a result", "let f (r: Result<unit, string>) = co { do! r }", 10412, [ "`strandResult`" ]
        "a return! of a result",
        "let f (r: Result<int, string>) = co { return! r }",
        10412,
        [ "`pooledValueTaskResult`" ]
        "a match! of a number",
        "let f () = co { match! 5 with n -> return n }",
        10410,
        [ "cannot be awaited" ]
        "a do! of nothing", "let f () = co { do! () }", 10410, [ "cannot be awaited" ]
        "a return! of a number", "let f () = co { return! 5 }", 10410, [ "cannot be awaited"; "`return`" ]
        "an and! of a number",
        "let f (t: Task<int>) = co {\n    let! x = t\n    and! y = 5\n    return x + y }",
        10410,
        [ "cannot be awaited" ]
        "a loop over a number", "let f () = co { for x in 5 do () }", 10411, [ "`for`" ]
        "a loop over a task", "let f (t: Task<int list>) = co { for x in t do () }", 10411, [ "`for`" ]
        "an expression where another type is wanted",
        "let f () : string = co { return \"\" }",
        193,
        [ "RESULT<string>"; "not compatible" ]
        "a builder taken for a function", "let f () = BUILDER 1", 3, [ "not a function" ]
    ]

/// Builders, the type of their results, and code that is wrong under them alone.
let private builders =
    [
        "strand",
        "Strand",
        bySource
        @ [
            "a strand bound by async",
            "let f (s: Strand<int>) = async { let! x = s in return x }",
            1,
            [ "Strand<int>"; "Async" ]
        ]
        "pooledValueTask",
        "ValueTask",
        bySource
        @ [
            "a value returned by a builder without a result",
            "let f () = pooledValueTaskUnit { return 1 }",
            1,
            [ "unit" ]
        ]
        "Tasks.task",
        "Task",
        [
            "a bind of a list", "let f () = co { let! x = [ 1 ] in return x }", 10410, [ "cannot be awaited" ]
            "a bind of a resource",
            "let f (r: IO.Stream) = co { let! x = r in return x }",
            41,
            [ "'Bind'"; "Stream" ]
            "a result of another type than the name",
            "let f (t: ValueTask<int>) = co { let! (x: string) = t in return x }",
            1,
            [ "string"; "int" ]
        ]
    ]

/// The code of one builder, and all of it in one file, where each piece has a module and so a range of lines.
let private written (builder: string) (result: string) own =
    let head = "module Snippet\nopen System\nopen System.Threading.Tasks\nopen Plait\n"

    let cases =
        [
            for index, (name: string, code: string, number: int, words: string list) in
                List.indexed (wrong @ own) do
                let code =
                    code.Replace("co {", builder + " {").Replace("BUILDER", builder).Replace("RESULT", result)

                let text = $"module M{index} =\n    " + code.Replace("\n", "\n    ") + "\n"
                name, code, text, number, [ for word in words -> word.Replace("RESULT", result) ]
        ]

    cases, head + String.Join("", [ for _, _, text, _, _ in cases -> text ])

/// Each piece with what the compiler says of its lines.
let private answered builder result own =
    let cases, source = written builder result own
    let outcome = Compiler.compile source
    let length (text: string) = text.Split('\n').Length - 1
    let texts = [ for _, _, text, _, _ in cases -> text ]
    let starts = List.scan (fun line text -> line + length text) 5 texts

    [
        for (name, code, text, number, words), start in List.zip cases (List.take cases.Length starts) do
            let mine =
                outcome.Said
                |> List.filter (fun one -> one.StartLine >= start && one.StartLine < start + length text)

            name, code, number, words, { outcome with Said = mine }
    ]

let Given = [| for builder, _, _ in builders -> TheoryDataRow<string> builder |]

[<Theory; MemberData(nameof Given)>]
let ``wrong code is refused with an error that names the mistake`` (builder: string) =
    let _, result, own = builders |> List.find (fun (name, _, _) -> name = builder)
    let cases = answered builder result own

    Repository.none
        "Refused in other words:"
        [
            for name, _, number, words, outcome in cases do
                let fits =
                    outcome.Said
                    |> List.exists (fun one ->
                        (number = 0 || one.ErrorNumber = number)
                        && words |> List.forall (fun word -> one.Message.Contains word))

                if not fits then
                    $"{name}: FS{number} with {words} was expected; the compiler says:"
                    yield! Compiler.words outcome
        ]

    let text =
        String.Join(
            "\n",
            [
                for name, code, _, _, outcome in cases do
                    $"# {name}\n{code}\n"

                    for one in outcome.Said do
                        let lines = one.Message.Split '\n' |> Array.map _.TrimEnd()
                        $"FS{one.ErrorNumber:D4} " + String.Join("\n", lines).TrimEnd() + "\n"
            ]
        )

    let file =
        Repository.path [ "tests"; "Plait.Repository.Tests"; $"Refusals.{builder}.txt" ]

    if Environment.GetEnvironmentVariable "PLAIT_WRITE_REFUSALS" = "1" then
        File.WriteAllText(file, text)

    Assert.Equal(File.ReadAllText file, text)
