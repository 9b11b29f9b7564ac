// plait check as a process: exit codes, what goes to which stream, baselines, and how it is stopped.
module Plait.Tool.Tests.CheckTool

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Tests.Support

let private clean =
    [
        "module Clean"
        ""
        "open System.Threading.Tasks"
        ""
        "let work () ="
        "    task {"
        "        do! Task.Delay 10"
        "        return 1"
        "    }"
    ]

/// One warning, at line 7.
let private sleeping =
    [
        "module Sleeping"
        ""
        "open System.Threading"
        ""
        "let work () ="
        "    task {"
        "        Thread.Sleep 10"
        "        return 1"
        "    }"
    ]

/// One finding below a warning, at line 7.
let private reading =
    [
        "module Reading"
        ""
        "open System.IO"
        ""
        "let work () ="
        "    task {"
        "        let text = File.ReadAllText \"a.txt\""
        "        return text"
        "    }"
    ]

let private write (folder: Built.Folder) (name: string) (lines: string list) =
    let file = folder.File name
    File.WriteAllText(file, String.concat "\n" lines + "\n")
    file

/// A project of one file. Returns the paths of both.
let private project (folder: Built.Folder) (lines: string list) =
    let source = write folder "Program.fs" lines

    let project =
        write
            folder
            "App.fsproj"
            [
                "<Project Sdk=\"Microsoft.NET.Sdk\">"
                "  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>"
                "  <ItemGroup><Compile Include=\"Program.fs\" /></ItemGroup>"
                "</Project>"
            ]

    project, source

let private check arguments = ToolRun.run ("check" :: arguments)

/// It ended with this code, and with no trace of a stack.
let private endsWith (code: int) (ended: Ended) =
    Assert.True((ended.Code = code), $"exit code {ended.Code}, not {code}:\n{ended.Out}\n{ended.Err}")
    Assert.DoesNotContain("   at ", ended.Err)
    Assert.DoesNotContain("should not happen", ended.Err)

// A check of one file takes seconds: each run shows several behaviours.

[<Fact>]
let ``findings end with 1, with their lines broken between words on sixty columns, and omitted ones are counted``
    ()
    =
    use folder = new Built.Folder()

    let ended =
        ToolRun.runWithin
            60
            [ "check"; write folder "Sleeping.fs" sleeping; write folder "Reading.fs" reading ]

    endsWith 1 ended
    Assert.Contains("warning PLT201", ended.Out)
    Assert.Contains("7 |         Thread.Sleep 10", ended.Out)
    Assert.DoesNotContain("info PLT201", ended.Out)
    Assert.Contains("--min-severity info", ended.Out)

    for line in ended.Out.Split '\n' do
        Assert.True(line.Length <= 60 || not (line.Trim().Contains ' '), $"{line.Length} columns: {line}")

let private wrong (absent: string) : (string list * string list) list =
    [
        [], [ "needs a path" ]
        [ absent ], [ "absent.fsproj" ]
        [ "."; "--rules"; "PLT20" ], [ "--rules"; "'PLT20'"; "did you mean PLT201?" ]
        [ "."; "--min-severity"; "warn" ], [ "--min-severity"; "did you mean warning?" ]
        [ "."; "--write-baseline" ], [ "--baseline FILE" ]
        [ "."; "--watch"; "--fix" ], [ "--watch and --fix do not go together" ]
        [ "."; "--watch"; "--json"; "-" ], [ "--watch and --json - do not go together" ]
        [ "."; "--staged"; "--fix" ], [ "--staged and --fix do not go together" ]
        [ "."; "--sarif"; "/proc/none/x.sarif" ], [ "--sarif"; "cannot be written" ]
        [ "."; "--fxi" ], [ "'--fxi'"; "did you mean --fix?" ]
    ]

[<Fact>]
let ``a project that cannot be analysed ends with 2 and one sentence`` () =
    use folder = new Built.Folder()

    for arguments, words in wrong (folder.File "absent.fsproj") do
        check arguments |> ToolRun.endsBadly 2 words

[<Fact>]
let ``a broken baseline ends with 2 and a sentence that names it`` () =
    use folder = new Built.Folder()
    let baseline = write folder "known.json" [ "{ \"schema\": 1 }" ]

    check [ write folder "Clean.fs" clean; "--baseline"; baseline ]
    |> ToolRun.endsBadly 2 [ "known.json"; "--write-baseline" ]

let private broken =
    [ "module Broken"; ""; "let a () ="; "    undefinedName 1 |> ignore"; "    2" ]

[<Fact>]
let ``lines that do not type-check end with 2`` () =
    use folder = new Built.Folder()
    let ended = check [ write folder "Broken.fs" broken ]
    endsWith 2 ended
    Assert.Contains("could not be type-checked", ended.Err)
    Assert.Contains("--degraded", ended.Err)
    Assert.Contains("Nothing found in the code that could be analysed.", ended.Out)

[<Fact>]
let ``--min-severity selects the reported findings and sets the exit code, and with --json - standard output has JSON alone``
    ()
    =
    use folder = new Built.Folder()

    let ended =
        check [ write folder "Reading.fs" reading; "--min-severity"; "info"; "--json"; "-" ]

    endsWith 1 ended
    use document = JsonDocument.Parse ended.Out
    let root = document.RootElement
    Assert.Equal("plait-check/1", root.GetProperty("schema").GetString())
    Assert.Equal(1, root.GetProperty("exitCode").GetInt32())
    let one = root.GetProperty("findings").[0]
    Assert.Equal("PLT201", one.GetProperty("rule").GetString())
    Assert.Equal(7, one.GetProperty("place").GetProperty("line").GetInt32())
    Assert.Contains("info PLT201", ended.Err)

[<Fact; Trait("run", "more")>]
let ``only the rules that are asked for are run`` () =
    use folder = new Built.Folder()
    let file = write folder "Sleeping.fs" sleeping
    endsWith 0 (check [ file; "--rules"; "PLT101" ])
    endsWith 1 (check [ file; "--rules"; "PLT101,PLT201" ])

[<Fact>]
let ``findings of a baseline are not reported again, new ones are, and gone ones are counted`` () =
    use folder = new Built.Folder()

    // a finding is known by its line
    let more (milliseconds: int) =
        [
            ""
            "let more () ="
            "    task {"
            $"        Thread.Sleep {milliseconds}"
            "        return 2"
            "    }"
        ]

    let file = write folder "Sleeping.fs" (sleeping @ more 20)
    let baseline = folder.File "known/baseline.json"
    let against = [ file; "--baseline"; baseline ]
    endsWith 0 (check (against @ [ "--write-baseline" ]))
    Assert.Contains("\"../Sleeping.fs\"", File.ReadAllText baseline)

    write folder "Sleeping.fs" ("// One line more." :: sleeping @ more 30) |> ignore
    let ended = check against
    endsWith 1 ended
    Assert.Contains("1 finding known in the baseline.", ended.Out)
    Assert.Contains("1 finding of the baseline gone", ended.Out)
    Assert.Contains("14 |         Thread.Sleep 30", ended.Out)
    Assert.DoesNotContain("8 |         Thread.Sleep 10", ended.Out)

[<Fact>]
let ``a comment with a reason suppresses, the SARIF has the finding as suppressed, and with --degraded broken lines do not end with 2``
    ()
    =
    use folder = new Built.Folder()

    let file =
        sleeping
        |> List.map (fun line -> line.Replace("Sleep 10", "Sleep 10 // plait: ignore PLT201 start-up only"))
        |> write folder "Sleeping.fs"

    let sarif = folder.File "out/check.sarif"

    let ended =
        check [ file; write folder "Broken.fs" broken; "--degraded"; "--sarif"; sarif ]

    endsWith 0 ended
    Assert.Contains("Nothing found", ended.Out)
    use document = JsonDocument.Parse(File.ReadAllText sarif)
    let result = document.RootElement.GetProperty("runs").[0].GetProperty("results").[0]
    let suppression = result.GetProperty("suppressions").[0]
    Assert.Equal("start-up only", suppression.GetProperty("justification").GetString())
    // Nothing else is left beside it.
    Assert.Single(Directory.GetFiles(folder.File("out"))) |> ignore

[<Fact>]
let ``--fix applies the fixes, and the remaining findings set the exit code`` () =
    use folder = new Built.Folder()
    let file = write folder "Sleeping.fs" sleeping
    let ended = check [ file; "--fix" ]
    endsWith 0 ended
    Assert.Contains("1 fix was applied.", ended.Out)
    Assert.Contains("Looked at 1 project", ended.Out)
    let text = File.ReadAllText file
    Assert.Contains("do! ", text)
    Assert.DoesNotContain("Thread.Sleep", text)

[<Theory>]
[<InlineData("INT")>]
[<InlineData("TERM", Traits = [| "run"; "more" |])>]
let ``a check that is stopped while loading ends its processes and leaves no file`` (name: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let project, _ = project folder clean
    let sarif = folder.File "check.sarif"
    let running = ToolRun.start [ "check"; project; "--sarif"; sarif ]
    running.Says "now: "
    let children = running.Children
    Assert.NotEmpty children
    running.Signal name
    let ended = running.Wait()
    endsWith 2 ended
    Assert.Contains("stopped", ended.Err)
    Assert.False(File.Exists sarif)

    Within.comes "the end of the process that checks" (fun () ->
        children |> List.forall (fun child -> not (Directory.Exists $"/proc/{child}")))

[<Fact; Trait("run", "more")>]
let ``a killed check leaves no process running`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let project, _ = project folder clean
    let running = ToolRun.start [ "check"; project; "--watch" ]
    running.Says "waiting for changes"
    let children = running.Children
    Assert.NotEmpty children
    running.Signal "KILL"

    Within.comes "the end of the process that checks" (fun () ->
        children |> List.forall (fun child -> not (Directory.Exists $"/proc/{child}")))

[<Fact>]
let ``--watch checks again after an edit, and ends by Ctrl-C with the code of the last check`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let project, source = project folder clean
    let running = ToolRun.start [ "check"; project; "--watch" ]

    let times () =
        running.Errors |> List.filter _.Contains("waiting for changes") |> List.length

    Within.comes "the first check" (fun () -> times () = 1)
    File.WriteAllText(source, String.concat "\n" sleeping)
    Within.comes "the check after the edit" (fun () -> times () >= 2)
    running.Signal "INT"
    let ended = running.Wait()
    endsWith 1 ended
    Assert.Contains("checking again: Program.fs changed", ended.Err)
    Assert.Contains("Nothing found.", ended.Out)
    Assert.Contains("warning PLT201", ended.Out)

[<Fact; Trait("run", "more")>]
let ``--watch checks again when an editor renames a new file to the old one`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let project, source = project folder sleeping
    let running = ToolRun.start [ "check"; project; "--watch" ]
    running.Says "waiting for changes"
    let beside = write folder "Program.fs.new" clean
    File.Move(beside, source, true)
    running.Says "checking again: Program.fs"

    Within.comes "the check after the edit" (fun () ->
        running.Errors |> List.filter _.Contains("waiting for changes") |> List.length >= 2)

    running.Signal "INT"
    endsWith 0 (running.Wait())

[<Fact; Trait("run", "more")>]
let ``--quiet has a line for each finding and one closing line, and a project that cannot be loaded ends with 2 beside the findings of the others``
    ()
    =
    use folder = new Built.Folder()
    project folder sleeping |> ignore

    write folder "Broken.fsproj" [ "<Project><Import Project=\"gone.props\" /></Project>" ]
    |> ignore

    let ended = check [ folder.Path; "--quiet"; "--no-cache" ]
    endsWith 2 ended
    let lines = ended.Out.Split('\n', StringSplitOptions.RemoveEmptyEntries)
    Assert.Equal(2, lines.Length)
    Assert.Contains(":7:9: warning PLT201: ", lines[0])
    Assert.StartsWith("plait check: 1 finding, 1 project checked, 1 not checked, ", lines[1])
    Assert.Contains("Broken.fsproj was not checked: it cannot be loaded: ", ended.Err)
    Assert.Contains("gone.props", ended.Err)

/// git in a folder, without the settings of the user.
let private git (folder: Built.Folder) (arguments: string list) =
    let settings =
        [ "-c"; "user.name=A"; "-c"; "user.email=a@example.org"; "-c"; "commit.gpgsign=false" ]

    match
        Plait.Common.DotNetSdk.run
            "git"
            folder.Path
            (settings @ arguments)
            ignore
            Threading.CancellationToken.None
    with
    | Ok ended -> Assert.True((ended.Code = 0), String.concat "\n" ended.Lines)
    | Error why -> Assert.Skip $"git cannot be started: {why}"

[<Fact; Trait("run", "more")>]
let ``--staged reports findings in staged lines, and ends with 0 if no line is staged`` () =
    use folder = new Built.Folder()
    let file = write folder "Sleeping.fs" sleeping
    git folder [ "init"; "-q" ]
    git folder [ "add"; "." ]
    git folder [ "commit"; "-q"; "-m"; "first" ]

    // as pre-commit runs the hook, for one file in place of the folder
    let hook = File.ReadAllText(Path.Combine(Built.root, ".pre-commit-hooks.yaml"))
    Assert.Contains("\n  entry: plait check\n  args: [., --staged, --quiet]\n", hook)
    let checkThere () = check [ file; "--staged"; "--quiet" ]

    let nothing = checkThere ()
    endsWith 0 nothing
    Assert.Contains("No F# file of these projects is staged.", nothing.Out)

    let more =
        [ ""; "let more () ="; "    task {"; "        Thread.Sleep 20"; "        return 2"; "    }" ]

    write folder "Sleeping.fs" (sleeping @ more) |> ignore
    git folder [ "add"; file ]
    let ended = checkThere ()
    endsWith 1 ended
    Assert.Contains("Sleeping.fs:13:9: warning PLT201", ended.Out)
    Assert.DoesNotContain("Sleeping.fs:7:", ended.Out)

    // unstaged changes above the staged lines move them
    write folder "Sleeping.fs" (sleeping[..1] @ [ ""; ""; "" ] @ sleeping[2..] @ more @ [ "// the end" ])
    |> ignore

    let moved = checkThere ()
    endsWith 1 moved
    Assert.Contains("Sleeping.fs:16:9: warning PLT201", moved.Out)
    Assert.DoesNotContain("Sleeping.fs:10:", moved.Out)
    write folder "Sleeping.fs" (sleeping @ more) |> ignore

    // of a file that has another name, the changed lines are staged
    git folder [ "commit"; "-q"; "-m"; "second" ]
    git folder [ "mv"; "Sleeping.fs"; "With ö.fs" ]
    let renamed = write folder "With ö.fs" (sleeping @ more @ [ "// the end" ])
    git folder [ "add"; "." ]
    let ended = check [ renamed; "--staged"; "--quiet" ]
    endsWith 0 ended
    Assert.StartsWith("plait check: nothing found", ended.Out.Trim())

[<Fact; Trait("run", "more")>]
let ``--staged checks all projects, also through a symbolic link`` () =
    use folder = new Built.Folder()
    let repository = Directory.CreateDirectory(folder.File "repository").FullName

    let write (name: string) (lines: string list) =
        let file = Path.Combine(repository, name)
        Directory.CreateDirectory(Path.GetDirectoryName file |> string) |> ignore
        File.WriteAllText(file, String.concat "\n" lines + "\n")

    let project (name: string) (items: string) =
        write
            $"{name}/{name}.fsproj"
            [
                "<Project Sdk=\"Microsoft.NET.Sdk\">"
                "  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>"
                $"  <ItemGroup><Compile Include=\"{name}.fs\" />{items}</ItemGroup>"
                "</Project>"
            ]

    for ending in [ "props"; "targets" ] do
        write $"Directory.Build.{ending}" [ "<Project />" ]

    write "Directory.Packages.props" [ "<Project />" ]
    write ".gitignore" [ "obj/" ]
    project "A" ""
    project "B" "<ProjectReference Include=\"../A/A.fsproj\" />"

    write
        "A/A.fs"
        [ "module A"; "let slow (time: int) ="; "    System.Threading.Thread.Sleep time"; "    time" ]

    write "B/B.fs" [ "module B" ]

    let git arguments =
        git folder ([ "-C"; repository ] @ arguments)

    git [ "init"; "-q" ]
    git [ "add"; "." ]
    git [ "commit"; "-q"; "-m"; "first" ]

    write
        "B/B.fs"
        [
            "module B"
            "let work () = task { return A.slow 10 }"
            "let more () = task { return A.slow 10 } // plait: ignore PLT202 the device needs it"
        ]

    git [ "add"; "." ]
    let link = folder.File "link"
    Directory.CreateSymbolicLink(link, repository) |> ignore

    for path in [ repository; link ] do
        let ended = check [ path; "--staged"; "--quiet" ]
        endsWith 1 ended
        Assert.Contains("B.fs:2:", ended.Out)
        Assert.Contains("PLT202", ended.Out)
        Assert.DoesNotContain("B.fs:3:", ended.Out)
        Assert.Contains("2 projects checked", ended.Out)
