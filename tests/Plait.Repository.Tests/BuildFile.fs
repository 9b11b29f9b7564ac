// Under test: what the package brings into users' builds. buildTransitive/Plait.targets makes F# Debug builds static where asked, has Debug
// builds refuse every second await, and touches nothing else. It is evaluated by MSBuild from where NuGet puts it.
[<Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.BuildFile

open System
open System.Diagnostics
open System.IO
open Xunit

/// Extension and properties of a project.
type private Asked = string * string list

let private inlining: (string * string * int) list =
    [
        "fsproj", "Configuration=Debug", 0
        "fsproj", "Configuration=Debug PlaitStaticDebug=true", 1
        "fsproj", "Configuration=Release PlaitStaticDebug=true", 0
        "csproj", "Configuration=Debug PlaitStaticDebug=true", 0
        "fsproj", "Configuration=Debug PlaitStaticDebug=false", 0
        "fsproj", "Configuration=Debug PlaitStaticDebug=true NETCoreSdkVersion=9.0.100", 0
        "fsproj", "Configuration=Debug PlaitStaticDebug=true NETCoreSdkVersion=10.0.399", 0
        "fsproj", "Configuration=Debug PlaitStaticDebug=true NETCoreSdkVersion=10.0.400", 1
    ]

let private refusing: (string * string * bool) list =
    [
        "fsproj", "Configuration=Debug", true
        "csproj", "Configuration=Debug", true
        "fsproj", "Configuration=Release", false
        "csproj", "Configuration=Release", false
        "fsproj", "Configuration=Debug PlaitRefuseSecondAwait=false", false
    ]

let private asked (extension: string) (properties: string) : Asked =
    extension, List.ofArray (properties.Split ' ')

let private chosen: Asked =
    "fsproj", [ "Configuration=Debug"; "PlaitStaticDebug=true"; "OtherFlags=--always-inline- --warnon:3390" ]

/// Every project that has the package, with the compiler's flags and the runtime's options that MSBuild gives it: one MSBuild for
/// all of them, which starts longer than it evaluates.
let private evaluated: Lazy<Map<Asked, string[] * string>> =
    lazy
        (let all =
            [
                for extension, properties, _ in inlining do
                    asked extension properties
                for extension, properties, _ in refusing do
                    asked extension properties
                chosen
            ]
            |> List.distinct

         let folder = Directory.CreateTempSubdirectory "plait-build-file-"

         try
             let file name = Path.Combine(folder.FullName, name)
             let targets = Repository.path [ "src"; "Plait"; "buildTransitive"; "Plait.targets" ]
             Directory.CreateDirectory(file "obj") |> ignore

             for extension in [ "fsproj"; "csproj" ] do
                 File.WriteAllText(
                     file $"App.{extension}",
                     """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"""
                 )

                 // the file that a restore writes for packages with targets
                 File.WriteAllText(
                     Path.Combine(folder.FullName, "obj", $"App.{extension}.nuget.g.targets"),
                     $"""<Project>
  <Import Project="{targets}" />
  <Target Name="Tell">
    <WriteLinesToFile File="$(Told).flags" Lines="$(OtherFlags)" />
    <WriteLinesToFile File="$(Told).options" Lines="@(RuntimeHostConfigurationOption)" />
  </Target>
</Project>"""
                 )

             File.WriteAllLines(
                 file "All.proj",
                 [
                     "<Project><Target Name=\"Tell\">"
                     for index, (extension, properties) in List.indexed all do
                         let properties = String.Join(';', $"Told={file (string index)}" :: properties)
                         $"<MSBuild Projects=\"App.{extension}\" Targets=\"Tell\" Properties=\"{properties}\" />"
                     "</Target></Project>"
                 ]
             )

             let start =
                 ProcessStartInfo(
                     "dotnet",
                     [ "msbuild"; "All.proj"; "-t:Tell"; "-nologo"; "-v:q"; "-nodeReuse:false" ],
                     WorkingDirectory = folder.FullName,
                     RedirectStandardOutput = true,
                     RedirectStandardError = true
                 )

             // a test host may hand on its own MSBuild
             for name in [ "MSBUILD_EXE_PATH"; "MSBuildSDKsPath"; "MSBuildExtensionsPath" ] do
                 start.Environment.Remove name |> ignore

             use run = nonNull (Process.Start start)
             let said = run.StandardError.ReadToEndAsync()
             let printed = run.StandardOutput.ReadToEnd()
             run.WaitForExit()
             Assert.True((run.ExitCode = 0), $"{printed}{said.Result}")

             let told index ending =
                 let told = file $"{index}.{ending}"
                 if File.Exists told then File.ReadAllText told else ""

             Map
                 [
                     for index, one in List.indexed all ->
                         one,
                         ((told index "flags")
                             .Split([| ' '; '\n'; '\r' |], StringSplitOptions.RemoveEmptyEntries),
                          told index "options")
                 ]
         finally
             folder.Delete true)

let private flags (one: Asked) = fst evaluated.Value[one]

let private countOf flag (flags: string[]) =
    flags
    |> Array.filter (fun one -> one.StartsWith(flag, StringComparison.Ordinal))
    |> Array.length

[<Fact>]
let ``the package inlines in F# Debug builds where told to, of an SDK that can`` () =
    for extension, properties, expected in inlining do
        let count = countOf "--always-inline" (flags (asked extension properties))
        Assert.Equal((extension, properties, expected), (extension, properties, count))

[<Fact>]
let ``the package leaves a choice that the project has made, and its other flags`` () =
    Assert.Equal<string[]>([| "--always-inline-"; "--warnon:3390" |], flags chosen)

[<Fact>]
let ``the package has builds that are not optimised refuse every second await, unless told not to`` () =
    for extension, properties, expected in refusing do
        let options = (snd evaluated.Value[asked extension properties]).Split '\n'

        let refuses =
            options |> Array.exists (fun one -> one.Trim() = "Plait.RefuseSecondAwait")

        Assert.Equal((extension, properties, expected), (extension, properties, refuses))
