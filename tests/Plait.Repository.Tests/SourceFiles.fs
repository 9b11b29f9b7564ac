// Under test: the manners of source files. Each says first what it is, and is short enough to be read at once.
module Plait.Repository.Tests.SourceFiles

open System.IO
open Xunit

let private sources =
    lazy
        [
            for folder in [ "src"; "candidates"; "tests"; "bench"; "samples" ] do
                yield! Repository.files ".fs" folder
        ]

[<Fact>]
let ``every F# file begins with a comment`` () =
    Assert.NotEmpty sources.Value

    Repository.none
        "These do not open with a comment:"
        [
            for file in sources.Value do
                let first = Seq.tryHead (File.ReadLines file) |> Option.defaultValue ""

                if not (first.StartsWith "// " || first.StartsWith "/// ") then
                    Repository.shown file
        ]

[<Fact>]
let ``no file of the libraries has 400 lines`` () =
    let library =
        Repository.files ".fs" "src/Plait" @ Repository.files ".fs" "src/Plait.ThreadPool"

    Assert.NotEmpty library

    Repository.none
        "Too long to be read at once:"
        [
            for file in library do
                let lines = Seq.length (File.ReadLines file)

                if lines >= 400 then
                    $"{Repository.shown file}: {lines} lines"
        ]
