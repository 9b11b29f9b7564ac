// Under test: the public surface of Plait.RuntimeAsync, and its documentation.
module Plait.RuntimeAsync.Tests.Library

open Xunit
open Plait.Repository.Tests

let private library =
    Repository.path [ "artifacts"; "bin"; "Plait.RuntimeAsync"; "release"; "Plait.RuntimeAsync.dll" ]

[<Fact>]
let ``the public surface is the committed one`` () =
    Baseline.check library (Repository.path [ "tests"; "Plait.RuntimeAsync.Tests"; "Surface.net11.0.txt" ])

[<Fact>]
let ``everything public has a summary`` () =
    Repository.none "Without a summary:" (Documented.missing library)
