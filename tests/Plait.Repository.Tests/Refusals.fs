// Under test: wrong code is refused, and the message names what a person has to look for.
module Plait.Repository.Tests.Refusals

open Xunit

/// Compiles the code in both kernels and looks for the error in what the compiler says.
let private refused (numbers: int list) (words: string list) (snippet: string) =
    for builder in [ "strand"; "pooledValueTask" ] do
        let source =
            "module Snippet\nopen System\nopen System.Threading.Tasks\nopen Plait\n"

        let outcome =
            Compiler.compile (source + snippet.Replace("co {", builder + " {") + "\n")

        let fits =
            outcome.Said
            |> List.exists (fun one ->
                let message: string = one.Message

                List.contains one.ErrorNumber numbers
                && words |> List.forall (fun (word: string) -> message.Contains word))

        if not fits then
            Assert.Fail(
                $"One of FS{numbers} with {words} was expected in {builder}; the compiler says:\n"
                + String.concat "\n" (Compiler.words outcome)
            )

[<Fact>]
let ``a bind of a number`` () =
    refused [ 41 ] [ "Known type of argument: int"; "GetAwaiter" ] "let f () = co { let! x = 5 in return x }"

[<Fact>]
let ``let! outside of an expression`` () =
    refused [ 750 ] [ "computation expressions" ] "let f (t: Task<int>) =\n    let! x = t\n    x"

[<Fact>]
let ``a result of another type than the annotation`` () =
    refused [ 1 ] [ "string" ] "let f () = co { let! x = Task.FromResult 1 in return (x: string) }"

[<Fact>]
let ``a result of another type than the function says`` () =
    let source = "module Snippet\nopen System.Threading.Tasks\nopen Plait\n"

    for code in
        [
            "let f () : Strand<string> = strand { return 1 }"
            "let f () : ValueTask<string> = pooledValueTask { return 1 }"
        ] do
        let outcome = Compiler.compile (source + code + "\n")

        Assert.Contains(
            outcome.Said,
            fun one -> one.ErrorNumber = 1 && one.Message.Contains "string" && one.Message.Contains "int"
        )

[<Fact>]
let ``two returns of different types`` () =
    refused [ 1 ] [ "string" ] "let f c = co { if c then return 1 else return \"\" }"

[<Fact>]
let ``a branch that returns where the other does not`` () =
    refused [ 1; 193 ] [ "unit"; "int" ] "let f c = co { if c then return 1 }"

[<Fact>]
let ``use of something that cannot be disposed`` () =
    refused
        [ 41 ]
        [ "Known types of arguments: int"; "IDisposable" ]
        "let f () = co { use x = 5 in return x }"

[<Fact>]
let ``a value dropped by do!`` () =
    refused [ 1 ] [ "unit" ] "let f (t: Task<int>) = co { do! t }"

[<Fact>]
let ``a value returned by a builder without a result`` () =
    refused [ 1 ] [ "unit" ] "let f () = pooledValueTaskUnit { return 1 }"
