// The independent implementation that histogram files are compared with: hdr-histogram-js, run by node. Skips with a reason
// where there is no node or the package is not installed ('make test' installs it).
module Plait.Load.Tests.Judge

open System.ComponentModel
open System.Diagnostics
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open Xunit

open Plait.Tests.Support

let private folder = Path.Combine(Built.root, "tests", "Plait.Load.Tests", "hdr")

let private hasNode =
    lazy
        (try
            use child =
                nonNull (
                    Process.Start(ProcessStartInfo("node", [ "--version" ], RedirectStandardOutput = true))
                )

            child.WaitForExit()
            child.ExitCode = 0
         with :? Win32Exception ->
             false)

/// Asks the other implementation a question in JSON; see hdr/judge.cjs.
let ask (question: JsonObject) : JsonElement =
    Assert.SkipUnless(hasNode.Value, "node is not installed, so nothing else can judge histogram files")

    Assert.SkipUnless(
        Directory.Exists(Path.Combine(folder, "node_modules", "hdr-histogram-js")),
        "hdr-histogram-js is not installed: run 'npm ci' in tests/Plait.Load.Tests/hdr, or 'make judge'"
    )

    let info =
        ProcessStartInfo(
            "node",
            [ "judge.cjs" ],
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    use child = nonNull (Process.Start info)
    let out = child.StandardOutput.ReadToEndAsync()
    let err = child.StandardError.ReadToEndAsync()
    child.StandardInput.Write(question.ToJsonString())
    child.StandardInput.Close()
    let out = Within.result "what hdr-histogram-js says" out
    let err = Within.result "what node says" err
    child.WaitForExit()
    Assert.True((child.ExitCode = 0), err)
    (JsonDocument.Parse out).RootElement
