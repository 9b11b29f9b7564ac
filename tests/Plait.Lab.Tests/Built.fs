// Where the things lie that tests start as processes. They are the Release builds, whatever these tests are built as.
module Plait.Lab.Tests.Built

open System
open System.IO
open Xunit

open Plait.Lab

/// The folder of the repository.
let root =
    Candidate.repository AppContext.BaseDirectory
    |> Option.defaultWith (fun () -> failwith $"No folder above {AppContext.BaseDirectory} holds Plait.slnx.")

let private built (parts: string list) =
    let file = Path.Combine(Array.ofList (root :: "artifacts" :: "bin" :: parts))

    if not (File.Exists file) then
        Assert.Fail $"{file} is missing: build it first, with 'make build'."

    file

/// The folder of the candidates.
let candidatesFolder = Path.Combine(root, "artifacts", "bin", "candidates")

/// The candidates, in their order.
let candidates = lazy Candidate.discover candidatesFolder

/// The stand-in for a candidate.
let fakeWorker () =
    built [ "Plait.Lab.FakeWorker"; "release"; "Plait.Lab.FakeWorker.dll" ]

/// The tool.
let tool () =
    built [ "Plait.Tool"; "release"; "plait.dll" ]

/// A new folder that goes away with the value.
type Folder() =
    let path = Directory.CreateTempSubdirectory("plait-lab-tests-").FullName
    /// Its full path.
    member _.Path = path
    /// The full path of something in it.
    member _.File(name: string) = Path.Combine(path, name)

    interface IDisposable with
        member _.Dispose() = Directory.Delete(path, true)
