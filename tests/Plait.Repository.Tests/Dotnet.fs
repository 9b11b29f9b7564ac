// Commands of the dotnet that this process runs on.
module Plait.Repository.Tests.Dotnet

open System.Diagnostics

/// Starts a command in a folder; what it says is read by the caller.
let start (folder: string) (arguments: string list) : Process =
    let start =
        ProcessStartInfo(
            "dotnet",
            arguments,
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    // a test host may hand on its own MSBuild
    for name in [ "MSBUILD_EXE_PATH"; "MSBuildSDKsPath"; "MSBuildExtensionsPath" ] do
        start.Environment.Remove name |> ignore

    nonNull (Process.Start start)
