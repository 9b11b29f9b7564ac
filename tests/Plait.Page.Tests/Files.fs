// Where the page and its sources lie. The tests read them in place; nothing is copied.
module Plait.Page.Tests.Files

open System
open System.IO
open Xunit

let private web = Path.Combine("src", "Plait.Report", "web")

/// The folder of the page's sources, found upward from the test assembly.
let webFolder =
    let rec search (folder: DirectoryInfo | null) =
        match folder with
        | null -> failwith $"No folder above {AppContext.BaseDirectory} holds {web}."
        | folder when File.Exists(Path.Combine(folder.FullName, web, "package.json")) ->
            Path.Combine(folder.FullName, web)
        | folder -> search folder.Parent

    search (DirectoryInfo AppContext.BaseDirectory)

/// What the tool replaces by the results.
let marker = "<!--PLAIT-RESULTS-->"

/// The built page, without results.
let page () =
    let file = Path.Combine(webFolder, "dist", "page.html")

    if not (File.Exists file) then
        Assert.Fail $"{file} is missing: build it first, with `npm ci` and `npm run build` in {webFolder}."

    File.ReadAllText file
