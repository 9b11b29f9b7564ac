// Under test: what the package brings into users' builds. buildTransitive/Plait.targets has Debug builds refuse every second await, and
// changes no option of the compiler. It is evaluated by MSBuild from where NuGet puts it.
[<Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.BuildFile

open System
open System.IO
open Xunit

/// Extension and properties of a project.
type private Asked = string * string list

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

let private flagged: Asked =
    "fsproj", [ "Configuration=Debug"; "OtherFlags=--warnon:3390" ]

/// Every project that has the package, with the compiler's flags and the runtime's options that MSBuild gives it: one MSBuild for
/// all of them, which starts longer than it evaluates.
let private evaluated: Lazy<Map<Asked, string[] * string>> =
    lazy
        (let all =
            [
                for extension, properties, _ in refusing do
                    asked extension properties
                flagged
            ]

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

             use run =
                 Dotnet.start
                     folder.FullName
                     [ "msbuild"; "All.proj"; "-t:Tell"; "-nologo"; "-v:q"; "-nodeReuse:false" ]

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

[<Fact>]
let ``the package leaves the options of the compiler`` () =
    Assert.Equal<string[]>([| "--warnon:3390" |], fst evaluated.Value[flagged])

[<Fact>]
let ``with the package, a build that is not optimised refuses every second await, unless a property turns that off``
    ()
    =
    for extension, properties, expected in refusing do
        let options = (snd evaluated.Value[asked extension properties]).Split '\n'

        let refuses =
            options |> Array.exists (fun one -> one.Trim() = "Plait.RefuseSecondAwait")

        Assert.Equal((extension, properties, expected), (extension, properties, refuses))
