// Under test: what the package brings into users' builds. buildTransitive/Plait.targets keeps F# Debug builds static, has Debug
// builds refuse every second await, and touches nothing else. It is evaluated by MSBuild from where NuGet puts it.
[<Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.BuildFile

open System
open System.Diagnostics
open System.IO
open Xunit

/// What MSBuild answers for a project that has the package.
let private evaluated (asked: string) (extension: string) (properties: string list) =
    let folder = Directory.CreateTempSubdirectory "plait-build-file-"

    try
        let file name = Path.Combine(folder.FullName, name)
        let targets = Repository.path [ "src"; "Plait"; "buildTransitive"; "Plait.targets" ]
        Directory.CreateDirectory(file "obj") |> ignore

        File.WriteAllText(
            file $"App.{extension}",
            """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"""
        )

        // the file that a restore writes for packages with targets
        File.WriteAllText(
            Path.Combine(folder.FullName, "obj", $"App.{extension}.nuget.g.targets"),
            $"""<Project><Import Project="{targets}" /></Project>"""
        )

        let arguments =
            [ "msbuild"; $"App.{extension}"; "-nologo"; "-nodeReuse:false"; asked ]
            @ List.map ((+) "-p:") properties

        let start =
            ProcessStartInfo(
                "dotnet",
                arguments,
                WorkingDirectory = folder.FullName,
                RedirectStandardOutput = true,
                RedirectStandardError = true
            )

        // a test host may hand on its own MSBuild
        for name in [ "MSBUILD_EXE_PATH"; "MSBuildSDKsPath"; "MSBuildExtensionsPath" ] do
            start.Environment.Remove name |> ignore

        use run = nonNull (Process.Start start)
        let said = run.StandardError.ReadToEndAsync()
        let value = run.StandardOutput.ReadToEnd()
        run.WaitForExit()
        Assert.True((run.ExitCode = 0), $"{value}{said.Result}")
        value
    finally
        folder.Delete true

let private otherFlags extension properties =
    (evaluated "-getProperty:OtherFlags" extension properties)
        .Trim()
        .Split(' ', StringSplitOptions.RemoveEmptyEntries)

let private countOf flag (flags: string[]) =
    flags
    |> Array.filter (fun one -> one.StartsWith(flag, StringComparison.Ordinal))
    |> Array.length

[<Theory>]
[<InlineData("fsproj", "Configuration=Debug", 1)>]
[<InlineData("fsproj", "Configuration=Release", 0)>]
[<InlineData("csproj", "Configuration=Debug", 0)>]
[<InlineData("fsproj", "Configuration=Debug PlaitStaticDebug=false", 0)>]
[<InlineData("fsproj", "Configuration=Debug NETCoreSdkVersion=9.0.100", 0)>]
[<InlineData("fsproj", "Configuration=Debug NETCoreSdkVersion=10.0.399", 0)>]
[<InlineData("fsproj", "Configuration=Debug NETCoreSdkVersion=10.0.400", 1)>]
let ``the package inlines in F# Debug builds of an SDK that can, unless told not to``
    (extension: string, properties: string, expected: int)
    =
    let flags = otherFlags extension (List.ofArray (properties.Split ' '))
    Assert.Equal(expected, countOf "--always-inline" flags)

[<Fact>]
let ``the package leaves a choice that the project has made, and its other flags`` () =
    let flags =
        otherFlags "fsproj" [ "Configuration=Debug"; "OtherFlags=--always-inline- --warnon:3390" ]

    Assert.Equal<string[]>([| "--always-inline-"; "--warnon:3390" |], flags)

[<Theory>]
[<InlineData("fsproj", "Configuration=Debug", true)>]
[<InlineData("csproj", "Configuration=Debug", true)>]
[<InlineData("fsproj", "Configuration=Release", false)>]
[<InlineData("csproj", "Configuration=Release", false)>]
[<InlineData("fsproj", "Configuration=Debug PlaitRefuseSecondAwait=false", false)>]
let ``the package has builds that are not optimised refuse every second await, unless told not to``
    (extension: string, properties: string, expected: bool)
    =
    let options =
        evaluated "-getItem:RuntimeHostConfigurationOption" extension (List.ofArray (properties.Split ' '))

    Assert.Equal(expected, options.Contains("Plait.RefuseSecondAwait", StringComparison.Ordinal))
