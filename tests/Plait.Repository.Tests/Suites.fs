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

/// Runs build/packages.sh with an apt-get of this text and the policy of services at a place, and gives its code and output.
/// `wanted`: what it is to install.
let private installBy
    (policy: string)
    (folder: string)
    (aptGet: string)
    (wanted: string list)
    : int * string =
    let program (name: string) (script: string) =
        let file = Path.Combine(folder, name)
        File.WriteAllText(file, "#!/bin/sh\n" + script)
        File.SetUnixFileMode(file, enum<UnixFileMode> 0o755)

    program "apt-get" aptGet
    program "systemctl" $"echo systemctl $* >> {folder}/log"

    let info =
        ProcessStartInfo(
            "bash",
            Repository.path [ "build"; "packages.sh" ] :: "the tests of it" :: wanted,
            RedirectStandardOutput = true
        )

    info.Environment["PATH"] <- folder + ":" + string (Environment.GetEnvironmentVariable "PATH")
    info.Environment["PLAIT_POLICY"] <- policy
    use child = nonNull (Process.Start info)
    let said = child.StandardOutput.ReadToEnd()
    child.WaitForExit()
    child.ExitCode, said.Trim()

let private install (folder: string) =
    installBy (Path.Combine(folder, "policy-rc.d")) folder

let private inFolder (use': string -> unit) =
    let folder = Directory.CreateTempSubdirectory("plait-packages").FullName

    try
        use' folder
    finally
        Directory.Delete(folder, true)

[<Theory; InlineData true; InlineData false>]
let ``packages are installed without starting their services, and a policy of the machine is kept``
    (hasPolicy: bool)
    =
    inFolder (fun folder ->
        let policy = Path.Combine(folder, "policy-rc.d")
        let wanted = [ "no-such-program:some-server"; "sh:other" ]

        if hasPolicy then
            File.WriteAllText(policy, "mine")

        let script =
            $"case $* in *update*) exit 0 ;; esac; {folder}/policy-rc.d nginx start; echo $* and services are started: $? >> {folder}/log"

        Assert.Equal((0, "some-server is installed"), install folder script wanted)

        let log = File.ReadAllLines(Path.Combine(folder, "log"))
        Assert.Equal(2, log.Length)
        Assert.Contains("install -y --no-install-recommends some-server and", log[0])
        Assert.Contains("services are started: 101", log[0])
        Assert.Equal("systemctl disable some-server", log[1])

        Assert.Equal(
            (if hasPolicy then "mine" else ""),
            (if File.Exists policy then File.ReadAllText policy else "")
        )

        // Without the package, nothing breaks.
        Assert.Equal(
            (0, "some-server could not be installed (apt-get install failed): the tests of it are skipped"),
            install folder "exit 100" wanted
        )

        Assert.Equal(hasPolicy, File.Exists policy))

[<Fact>]
let ``a package that cannot be installed is named with the error of apt-get, after its other names were tried``
    ()
    =
    inFolder (fun folder ->
        let offline =
            "case $* in *update*) echo 'W: Failed to fetch a list: refused' ;; *) echo 'E: Unable to locate' >&2; exit 100 ;; esac"

        Assert.Equal(
            (0, "one could not be installed (Failed to fetch a list: refused): the tests of it are skipped"),
            install
                folder
                offline
                [ "no-such-program:one,no-such-program:two"; "no-such-program:three,sh:four" ]
        )

        Assert.Equal(
            (0, "two is installed"),
            install folder "case $* in *one) exit 100 ;; esac" [ "no-such-program:one,no-such-program:two" ]
        ))

[<Fact>]
let ``without a root, apt-get is not tried`` () =
    inFolder (fun folder ->
        // nobody may write into a folder that is not there
        Assert.Equal(
            (0, "one, two could not be installed (apt-get needs root): the tests of it are skipped"),
            installBy
                (Path.Combine(folder, "gone", "policy-rc.d"))
                folder
                "echo it was tried"
                [ "no-such-program:one"; "no-such-program:two,none:three" ]
        ))

[<Fact>]
let ``CI installs the servers that tests attack`` () =
    Assert.Matches(@"make .*\bservers\b", File.ReadAllText(Repository.path [ ".ci"; "run" ]))
    Assert.Contains("\nservers:", File.ReadAllText(Repository.path [ "Makefile" ]))
