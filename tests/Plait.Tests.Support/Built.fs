// Where the things lie that tests start as processes. They are the Release builds, whatever these tests are built as.
module Plait.Tests.Support.Built

open System
open System.IO
open System.Runtime.InteropServices
open Xunit

/// The folder of the repository.
let root = SolutionFolder.path

/// The dotnet that these tests run on.
let dotnet =
    Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "../../..", "dotnet"))

let private built (parts: string list) =
    let file = Path.Combine(Array.ofList (root :: "artifacts" :: "bin" :: parts))

    if not (File.Exists file) then
        Assert.Fail $"{file} is missing: build it first, with 'make build'."

    file

/// The folder of the candidates.
let candidatesFolder = Path.Combine(root, "artifacts", "bin", "candidates")

/// The stand-in for a candidate.
let fakeWorker () =
    built [ "Plait.Lab.FakeWorker"; "release"; "Plait.Lab.FakeWorker.dll" ]

/// The candidate "plain" of a scenario file.
let plainCandidate () =
    {|
        name = "plain"
        protocol = "worker"
        command = "dotnet"
        args = [ fakeWorker (); "--as"; "plain" ]
    |}

/// The tool.
let tool () =
    built [ "Plait.Tool"; "release"; "plait.dll" ]

/// A new folder that goes away with the value.
type Folder() =
    let path = Directory.CreateTempSubdirectory("plait-tests-").FullName
    /// Its full path.
    member _.Path = path
    /// The full path of something in it.
    member _.File(name: string) = Path.Combine(path, name)

    interface IDisposable with
        member _.Dispose() = Directory.Delete(path, true)
