// Under test: the documentation that the package carries. Everything public has a summary.
module Plait.Repository.Tests.Documentation

open Xunit

[<Theory; InlineData "net10.0"; InlineData "net8.0">]
let ``everything public has a summary`` (framework: string) =
    Repository.none "Without a summary:" (Documented.missing (Repository.library framework))
