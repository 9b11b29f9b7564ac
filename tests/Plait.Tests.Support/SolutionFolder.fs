// The folder of the repository, for tests.
module Plait.Tests.Support.SolutionFolder

open System
open System.IO

let path =
    let rec search (folder: DirectoryInfo | null) =
        match folder with
        | null -> failwith $"No folder above {AppContext.BaseDirectory} holds Plait.slnx."
        | folder when File.Exists(Path.Combine(folder.FullName, "Plait.slnx")) -> folder.FullName
        | folder -> search folder.Parent

    search (DirectoryInfo AppContext.BaseDirectory)
