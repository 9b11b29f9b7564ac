// Where the repository lies, seen from a test, and what of it was built.
module Plait.Repository.Tests.Repository

open System
open System.IO
open Xunit

/// The folder that holds the solution.
let root = Plait.Tests.Support.SolutionFolder.path

/// A path below the root, by its parts.
let path (parts: string list) =
    Path.Combine(Array.ofList (root :: parts))

/// How a path is named in a message: from the root, with slashes.
let shown (file: string) =
    Path.GetRelativePath(root, file).Replace('\\', '/')

let private foreign = set [ "artifacts"; "bin"; "obj"; "node_modules" ]

/// All files below a folder of the root whose name ends so, without what was built or downloaded.
let files (ending: string) (folder: string) =
    let rec walk (folder: string) =
        [
            yield! Directory.GetFiles folder |> Array.filter _.EndsWith(ending, StringComparison.Ordinal)

            for inner in Directory.GetDirectories folder do
                let name = string (Path.GetFileName inner)

                if not (name.StartsWith '.' || foreign.Contains name) then
                    yield! walk inner
        ]

    let folder = path [ folder ]
    if Directory.Exists folder then List.sort (walk folder) else []

/// The library of a package as `make build` leaves it, for one framework.
let built (package: string) (framework: string) =
    let file =
        path [ "artifacts"; "bin"; package; $"release_{framework}"; $"{package}.dll" ]

    if not (File.Exists file) then
        Assert.Fail $"{shown file} is missing: build it first, with `dotnet build src/{package} -c Release`."

    file

/// The library itself.
let library (framework: string) = built "Plait" framework

/// Fails with all the lines, where there are any.
let none (what: string) (lines: string seq) =
    if not (Seq.isEmpty lines) then
        Assert.Fail(String.Join("\n", Seq.append [ what ] (Seq.map ((+) "  ") lines)))
