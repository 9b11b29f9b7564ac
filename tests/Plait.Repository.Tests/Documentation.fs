// Under test: the documentation that the packages carry. Everything public has a summary.
module Plait.Repository.Tests.Documentation

open Xunit

[<Theory>]
[<InlineData("Plait", "net10.0"); InlineData("Plait.ThreadPool", "net10.0")>]
[<InlineData("Plait", "net8.0", Traits = [| "run"; "more" |])>]
[<InlineData("Plait.ThreadPool", "net8.0", Traits = [| "run"; "more" |])>]
let ``everything public has a summary`` (package: string, framework: string) =
    Repository.none "Without a summary:" (Documented.missing (Repository.built package framework))
