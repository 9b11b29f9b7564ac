// The check on libraries that people use. Their sources are not part of the repository: the environment variable
// PLAIT_CHECK_REAL_CODE names a folder with one folder a repository. A file projects.txt there lists project files, one a line and
// relative to it; without one, every project that is no test, sample or benchmark is taken.
namespace Plait.Check.Tests

open System
open System.Diagnostics
open System.IO
open System.Threading
open Xunit

open Plait.Check
open Plait.Common

module RealCode =
    let private folder =
        match Environment.GetEnvironmentVariable "PLAIT_CHECK_REAL_CODE" with
        | null
        | "" -> None
        | folder -> Some(Path.GetFullPath folder)

    let private projectsOf (folder: string) : string list =
        let list = Path.Combine(folder, "projects.txt")

        if File.Exists list then
            [
                for line in File.ReadAllLines list do
                    if line.Trim() <> "" && not (line.StartsWith '#') then
                        Path.Combine(folder, line.Trim())
            ]
        else
            let isOther (file: string) =
                [ "test"; "bench"; "sample"; "example"; "build" ]
                |> List.exists (fun word ->
                    Path.GetRelativePath(folder, file).ToLowerInvariant().Contains word)

            Directory.GetFiles(folder, "*.fsproj", SearchOption.AllDirectories)
            |> Seq.filter (isOther >> not)
            |> Seq.sort
            |> List.ofSeq

    let private say (text: string) =
        match TestContext.Current.TestOutputHelper with
        | null -> ()
        | output -> output.WriteLine text

    [<Fact>]
    let ``libraries are checked without a crash, to the last declaration, and nothing in them is definitely used twice``
        ()
        =
        Assert.SkipWhen(folder.IsNone, "PLAIT_CHECK_REAL_CODE names no folder with clones of libraries")
        let projects = folder |> Option.map projectsOf |> Option.defaultValue []
        Assert.NotEmpty projects
        let rules = Rules.all |> List.map _.Code
        let wrong = ResizeArray<string>()

        for file in projects do
            let name = Path.GetFileNameWithoutExtension file

            try
                let request = { Load.request [ file ] with Degraded = true }
                let loaded = Load.withProgress ignore request
                let clock = Stopwatch.StartNew()

                let report =
                    Analysis.run
                        ignore
                        (Analysis.createChecker ())
                        None
                        rules
                        []
                        ignore
                        CancellationToken.None
                        loaded

                let coverage = report.Coverage

                say
                    $"{name}: {coverage.Files} files, {coverage.Lines} lines, at least {coverage.TypeErrors} type errors, {coverage.LostLines} lost lines; of {coverage.Declarations} declarations {coverage.NotAnalysed} not analysed, {coverage.Skipped} left out; {coverage.Tracked} of {coverage.Seen} values followed; %.1f{clock.Elapsed.TotalSeconds} s"

                for finding in report.Findings do
                    if finding.Severity = Severity.Warning then
                        let place =
                            $"{finding.Rule} {finding.Location.File}({finding.Location.Line},{finding.Location.Column}): {finding.Message}"

                        say $"  {place}"

                        if finding.Rule = "PLT101" then
                            wrong.Add place

                if coverage.NotAnalysed > 0 then
                    wrong.Add $"{name}: {coverage.NotAnalysed} declarations not analysed"
            with :? BadInput as refused ->
                wrong.Add $"{name}: {refused.Message}"

        Assert.True(wrong.Count = 0, String.Join('\n', wrong))
