// Programs as JSON: what is written reads back equal.
module Plait.Lab.Tests.ProgramJson

open System.Text.Json
open Xunit

open Plait.Lab.Language
open Plait.Tests.Support

let private readBack (expr: Expr) =
    use document =
        JsonDocument.Parse(Fleet.evaluation expr, JsonDocumentOptions(MaxDepth = 512))

    ExprJson.read (document.RootElement.GetProperty "program")

[<Fact>]
let ``a random program reads back equal`` () =
    Laws.forAll 500 RandomExpr.programs (fun program -> readBack program = program)

[<Fact>]
let ``the two programs of the lab read back equal`` () =
    Assert.Equal(Program.fizzBuzz, readBack Program.fizzBuzz)
    let boom = Program.fizzBoom "http://127.0.0.1:1/"
    Assert.Equal(boom, readBack boom)
    Assert.Contains("http://127.0.0.1:1/delay/1", Fleet.evaluation boom)

[<Fact>]
let ``an integer of any size reads back`` () =
    for value in [ 0I; -1I; bigint.Pow(10I, 60); -bigint.Pow(2I, 200) ] do
        Assert.Equal(EInt value, readBack (EInt value))
