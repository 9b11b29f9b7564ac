// What the check costs on fifty files, against its budget. Only where the environment variable PLAIT_CHECK_COST is set, in a process
// that does nothing else: bench/check-cost.sh.
namespace Plait.Check.Tests

open System
open System.Diagnostics
open System.IO
open System.Threading
open Xunit

open Plait.Check

module Cost =
    let private files = 50
    let private budget = TimeSpan.FromSeconds 10.0
    let private budgetMB = 600L

    [<Fact>]
    let ``fifty files are checked within ten seconds and six hundred megabytes`` () =
        Assert.SkipWhen(
            String.IsNullOrEmpty(Environment.GetEnvironmentVariable "PLAIT_CHECK_COST"),
            "PLAIT_CHECK_COST is not set: bench/check-cost.sh measures in a process of its own"
        )

        let clock = Stopwatch.StartNew()

        let project =
            Load.one (Path.Combine(Repository.root, "src", "Plait", "Plait.fsproj"))

        let loading = clock.Elapsed

        // a prefix of the files in their order is a project too; those that the SDK writes are not counted
        let sources = Path.Combine(Repository.root, "src")

        let own, written =
            project.Options.SourceFiles |> Array.partition _.StartsWith(sources)

        let options =
            { project.Options with SourceFiles = Array.append written (Array.truncate files own) }

        let steps = ResizeArray<string * TimeSpan>()
        clock.Restart()
        let progress (step: string) = steps.Add(step, clock.Elapsed)
        let rules = Rules.all |> List.map _.Code

        let report =
            Analysis.run
                ignore
                (Analysis.createChecker ())
                None
                rules
                []
                progress
                CancellationToken.None
                [ { project with Options = options } ]

        let time = clock.Elapsed
        use current = Process.GetCurrentProcess()
        let peak = current.PeakWorkingSet64 / 1_048_576L

        match TestContext.Current.TestOutputHelper with
        | null -> ()
        | output ->
            output.WriteLine $"loading %.1f{loading.TotalSeconds} s"

            for step, (since: TimeSpan) in steps do
                output.WriteLine $"%.1f{since.TotalSeconds} s: {step}"

            output.WriteLine
                $"{report.Coverage.Files} files, {report.Coverage.Lines} lines, {report.Coverage.Declarations} declarations, {report.Findings.Length} findings: %.1f{time.TotalSeconds} s of {budget.TotalSeconds}, {peak} MB of {budgetMB}"

        Assert.Equal(files, report.Coverage.Files)
        Assert.Equal(0, report.Coverage.NotAnalysed)
        Assert.True(time <= budget, $"%.1f{time.TotalSeconds} s")
        Assert.True(peak <= budgetMB, $"{peak} MB")
