// Under test: the list of build/test.sh, which says where each test runs: every test program by `make test`, nothing twice, and
// what is marked for `make test-more` by that; and the parts that can be tested by themselves.
module Plait.Repository.Tests.Suites

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Xunit
open Plait.Repository.Tests.Projects

type private Row = { Suite: string; Part: string; Stage: string; Job: string }

let private script = lazy (File.ReadAllText(Repository.path [ "build"; "test.sh" ]))

let private rows =
    lazy
        (let text =
            Regex.Match(script.Value, "<<'END'\n(.*?)\nEND\n", RegexOptions.Singleline).Groups[1].Value

         [
             for line in text.Split '\n' do
                 match line.Split([| ' ' |], 4, StringSplitOptions.RemoveEmptyEntries) with
                 | [| suite; part; stage; job |] ->
                     { Suite = suite; Part = part; Stage = stage; Job = job.Trim() }
                 | _ -> failwith $"build/test.sh: '{line}' is no suite, part, stage and job."
         ])

/// The programs that a suite runs, with their configurations.
let private runs (suite: string) =
    [
        for row in rows.Value do
            match row.Job.Split ' ' with
            | [| "run"; project; configuration |] when row.Suite = suite -> project, configuration
            | _ -> ()
    ]

/// All but those that need .NET 11, which build/fsharp11/test.sh runs.
let private programs =
    lazy
        (all.Value
         |> List.filter (fun project ->
             List.contains "xunit.v3" (packages project)
             && not (project.Name.StartsWith "Plait.RuntimeAsync")))

/// What the sources of a project give the trait `run`.
let private marks (project: Project) =
    [
        for ending in [ ".fs"; ".cs" ] do
            for file in Repository.files ending (Repository.shown project.Folder) do
                let text = File.ReadAllText file

                for written in
                    [
                        @"Trait\(""run"", ""([^""]*)""\)"
                        @"Traits = \[\| ""run""; ""([^""]*)"" \|\]"
                        @"Traits\[""run""\] <- HashSet \[ ""([^""]*)"" \]"
                    ] do
                    for mark in Regex.Matches(text, written) do
                        mark.Groups[1].Value
    ]

[<Fact>]
let ``make test runs every test program, in Release and once`` () =
    Assert.NotEmpty programs.Value

    Assert.Equal<(string * string) list>(
        [ for project in programs.Value -> project.Name, "release" ] |> List.sort,
        runs "test" |> List.sort
    )

[<Fact>]
let ``make test-more runs the Release build of the programs that have marked tests, and of no other`` () =
    let marked =
        programs.Value |> List.filter (marks >> List.isEmpty >> not) |> List.map _.Name

    Assert.NotEmpty marked

    Assert.Equal<string list>(
        List.sort marked,
        runs "more" |> List.filter (snd >> (=) "release") |> List.map fst |> List.sort
    )

[<Fact>]
let ``a test is marked for make test-more or not at all`` () =
    Repository.none
        "The trait 'run' has only the value 'more':"
        [
            for project in programs.Value do
                for mark in marks project do
                    if mark <> "more" then
                        $"{project.Name}: {mark}"
        ]

    // what one suite chooses by the mark is what the other leaves out
    Assert.Contains("test-*) echo '--pre-enumerate-theories on --filter-not-trait run=more'", script.Value)
    Assert.Contains("more-release) echo '--pre-enumerate-theories on --filter-trait run=more'", script.Value)

[<Fact>]
let ``each job is in the list once, and has a stage of the build`` () =
    let build = File.ReadAllText(Repository.path [ "build"; "Together.proj" ])

    Repository.none
        "More than once:"
        (rows.Value
         |> List.filter (fun row -> not (row.Job.EndsWith " release"))
         |> List.countBy _.Job
         |> List.filter (fun (_, count) -> count > 1)
         |> List.map fst)

    Repository.none
        "No stage of build/Together.proj, or of the other suite:"
        [
            for row in rows.Value do
                if
                    (row.Stage <> "processes" && row.Stage <> row.Suite)
                    || not (build.Contains $"         {row.Stage} ")
                then
                    $"{row.Suite} {row.Stage} {row.Job}"
        ]

/// What the script says, and its exit code: it refuses before it builds.
let private refusal (arguments: string list) =
    let info =
        ProcessStartInfo(
            "bash",
            Repository.path [ "build"; "test.sh" ] :: arguments,
            RedirectStandardError = true
        )

    use child = nonNull (Process.Start info)
    let said = child.StandardError.ReadToEnd()
    child.WaitForExit()
    child.ExitCode, said.Trim()

[<Fact>]
let ``each program of make test is in a part, and a project of src has its tests in the part of its name``
    ()
    =
    let parts =
        [
            for row in rows.Value do
                if row.Suite = "test" then
                    row.Part, row.Job
        ]

    Assert.DoesNotContain("-", List.map fst parts)

    for project in [ "Report"; "Load"; "Lab"; "Check"; "Doctor"; "Tool" ] do
        Assert.Contains((project.ToLowerInvariant(), $"run Plait.{project}.Tests release"), parts)

[<Fact>]
let ``an unknown part is refused with the parts that there are, and make test-more takes none`` () =
    let code, said = refusal [ "test"; "loads" ]
    Assert.Equal(2, code)
    Assert.StartsWith("the tests have no part 'loads': PART is one of ", said)

    for row in rows.Value do
        if row.Suite = "test" then
            Assert.Contains(row.Part, said)

    let code, said = refusal [ "more"; "load" ]
    Assert.Equal(2, code)
    Assert.Contains("make test PART=load", said)
