// What is asked wrongly: one sentence on stderr that says what to write instead, and exit code 2, before anything runs.
module Plait.Tool.Tests.ToolInput

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Tests.Support

let private absent =
    Path.Combine(Path.GetTempPath(), "plait-lab-tests-absent", "out")

let private fizzbuzz more =
    [ "lab"; "fizzbuzz"; "--out"; absent ] @ more

let private attackJson =
    let file = Path.Combine(Path.GetTempPath(), "plait-lab-tests-attack.json")
    File.WriteAllText(file, "{ \"schema\": \"plait-attack/2\" }")
    file

/// A file that is JSON up to its second line.
let private halfJson =
    let file = Path.Combine(Path.GetTempPath(), "plait-lab-tests-half.json")
    File.WriteAllText(file, "{ \"schema\": \"plait-results/5\",\n  \"rows\": oops }")
    file

/// Arguments, and words of the sentence.
let private wrong: (string * string list * string list) list =
    [
        "an unknown candidate", fizzbuzz [ "--only"; "strnd" ], [ "strnd"; "did you mean strand?" ]
        "an empty list of candidates",
        fizzbuzz [ "--only"; "" ],
        [ "--only takes one or more, with commas between them"; "not ''" ]
        "a list without a name",
        fizzbuzz [ "--only"; "," ],
        [ "--only takes one or more, with commas between them"; "not ','" ]
        "no runtime", fizzbuzz [ "--runtimes"; " , " ], [ "--runtimes takes one or more" ]
        "a budget that nothing can be kept within",
        fizzbuzz [ "--budget"; "1s"; "--only"; "task" ],
        [
            "--budget: 1s is less than this run takes: one launch of 3 rows beside the base takes 1m12s at least"
            "give it so much"
        ]
        "a short run's budget",
        fizzbuzz [ "--budget"; "5s"; "--quick"; "--only"; "task,strand" ],
        [ "--budget: 5s is less than this run takes: 4 launches of 5 rows beside the base take" ]
        "an unknown candidate to skip", fizzbuzz [ "--skip"; "tsk" ], [ "tsk"; "did you mean task?" ]
        "an unknown candidate among names",
        fizzbuzz [ "--candidates"; "task,strnd" ],
        [ "strnd"; "did you mean strand?" ]
        "the base to skip", fizzbuzz [ "--skip"; "sync" ], [ "--skip: 'sync'"; "always measured" ]
        "a candidate like no other", fizzbuzz [ "--only"; "elephant" ], [ "elephant"; "plait lab list" ]
        "a number that is none", fizzbuzz [ "--launches"; "three" ], [ "--launches"; "three"; "1 to 50" ]
        "a number that is too small", fizzbuzz [ "--pairs"; "0" ], [ "--pairs"; "'0'" ]
        "a number that is too large", fizzbuzz [ "--slice"; "9999999" ], [ "--slice"; "9999999" ]
        "a time that is too long", fizzbuzz [ "--slice"; "2m" ], [ "--slice"; "10ms to 1m"; "'2m'" ]
        "a number that is no whole one", fizzbuzz [ "--seed"; "1.5" ], [ "--seed"; "1.5" ]
        "a number that no machine holds",
        fizzbuzz [ "--pairs"; "99999999999999999999" ],
        [ "99999999999999999999" ]
        "a number that is missing", fizzbuzz [ "--connections" ], [ "--connections" ]
        "nothing to measure", fizzbuzz [ "--no-http"; "--no-in-process" ], [ "--no-http"; "--no-in-process" ]
        "an unknown option", fizzbuzz [ "--qick" ], [ "--qick"; "did you mean --quick?" ]
        "an unknown verb", [ "lab"; "fizbuzz" ], [ "fizbuzz"; "did you mean fizzbuzz?" ]
        "an experiment that is an option of another",
        [ "lab"; "fizzboom" ],
        [ "fizzboom"; "fizzbuzz --fizzboom" ]
        "a folder where a file should be", [ "lab"; "run"; Built.root ], [ "it is a folder"; "name a file" ]
        "an unknown first verb", [ "lap" ], [ "lap"; "did you mean lab?" ]
        "no verb", [], [ "lab" ]
        "no experiment", [ "lab" ], [ "fizzbuzz"; "list" ]
        "a folder of candidates that is not there",
        fizzbuzz [ "--candidates"; absent ],
        [ "plait-lab-tests-absent" ]
        "a feed that is not there", fizzbuzz [ "--feed"; absent ], [ "--feed"; "there is no folder" ]
        "a feed without packages",
        fizzbuzz [ "--feed"; Path.Combine(Built.root, "docs") ],
        [ "--feed"; "no .nupkg" ]
        "a runtime that candidates are not built for",
        fizzbuzz [ "--runtimes"; "net7.0" ],
        [ "'net7.0'"; "net8.0, net9.0, net10.0 or net11.0" ]
        "one runtime that candidates are not built for",
        fizzbuzz [ "--runtime"; "7" ],
        [ "--runtime takes 8, 9, 10 or 11, not '7'" ]
        "one runtime and several",
        fizzbuzz [ "--runtime"; "11"; "--runtimes"; "net8.0" ],
        [ "--runtime measures every row on one runtime"; "leave one of them out" ]
        "a candidate of another runtime",
        fizzbuzz [ "--only"; "runtime-task+sync-fn" ],
        [ "'runtime-task+sync-fn' runs on .NET 11 alone; give --runtime 11" ]
        "a candidate of another runtime than the one that is asked for",
        fizzbuzz [ "--runtime"; "10"; "--only"; "csharp-runtime-task" ],
        [ "'csharp-runtime-task' runs on .NET 11 alone" ]
        "built candidates for a runtime",
        fizzbuzz [ "--runtime"; "11"; "--candidates"; Built.candidatesFolder ],
        [ "--runtime builds"; "--candidates DIR" ]
        "two questions at once",
        fizzbuzz [ "--runtimes"; "net8.0"; "--as-published" ],
        [ "--runtimes"; "two runs" ]
        "switches of servers without servers",
        fizzbuzz [ "--as-published"; "--no-http" ],
        [ "--no-http"; "servers" ]
        "a table of functions made at another time",
        fizzbuzz [ "--fn-table"; "sometimes" ],
        [ "per-request or once"; "'sometimes'" ]
        "a name that is no candidate's",
        [ "lab"; "new-candidate"; "No_Name" ],
        [ "'No_Name'"; "like 'no-name'" ]
        "a package without a version",
        [ "lab"; "new-candidate"; "mine"; "--package"; "Ply" ],
        [ "--package Ply"; "--version" ]
        "a file that cannot be written at the end",
        fizzbuzz [ "--json"; "/proc/none/x.json" ],
        [ "--json"; "cannot be written"; "name another file" ]
        "an option where a file should be",
        [ "attack"; "http://127.0.0.1:9/"; "--json"; "--rate"; "5" ],
        [ "--json takes FILE without -- in front, not '--rate'" ]
        "an option where a folder should be",
        fizzbuzz [ "--candidates"; "--quick" ],
        [ "--candidates takes DIR without -- in front, not '--quick'" ]
        "a load run where results should be",
        [ "lab"; "compare"; attackJson; attackJson ],
        [ "'plait-attack/2'"; "'plait report'" ]
        "results that are no JSON",
        [ "lab"; "compare"; halfJson; halfJson ],
        [ "it is not JSON from line 2, column 11 on" ]
        "a run that is no JSON",
        [ "report"; halfJson ],
        [ "it begins like JSON, and is not JSON from line 2, column 11 on" ]
        "a scenario that is no JSON", [ "lab"; "run"; halfJson ], [ "is not JSON from line 2, column 11 on" ]
        "a scenario that is not there",
        [ "lab"; "run"; absent ],
        [ "plait-lab-tests-absent"; "cannot be read as a scenario: there is no such" ]
        "targets where a folder is",
        [ "attack"; "--targets"; Built.root ],
        [ "cannot be read as the value of --targets: it is a folder" ]
        "a body that may not be read",
        [ "attack"; "http://127.0.0.1:9/"; "--body"; "@/proc/self/mem" ],
        [ "/proc/self/mem cannot be read as the value of --body" ]
        "a folder without candidates", fizzbuzz [ "--candidates"; Built.root ], [ "candidate.json" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``wrong input ends in one sentence and exit code 2`` (name: string) =
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)
    let ended = ToolRun.run arguments
    ended |> ToolRun.endsBadly 2 words
    Assert.Equal("", ended.Out)
    Assert.False(Directory.Exists absent, "a folder was made although nothing was run")

[<Fact>]
let ``an output folder that cannot be written is refused before anything runs`` () =
    use folder = new Built.Folder()
    File.WriteAllText(folder.File "file", "")
    let out = Path.Combine(folder.File "file", "out")

    ToolRun.run [ "lab"; "fizzbuzz"; "--out"; out ] |> ToolRun.endsBadly 2 [ "--out"; out ]

[<Fact>]
let ``the list names every candidate and fits the terminal`` () =
    let ended = ToolRun.run [ "lab"; "list" ]
    Assert.Equal((0, ""), (ended.Code, ended.Err))
    let lines = ended.Out.Split '\n'

    let candidates =
        Directory.GetDirectories Built.candidatesFolder
        |> Array.map (fun folder -> Path.Combine(folder, "candidate.json"))
        |> Array.filter File.Exists

    Assert.NotEmpty candidates

    for candidate in candidates do
        use description = JsonDocument.Parse(File.ReadAllText candidate)
        let name = nonNull (description.RootElement.GetProperty("name").GetString())
        Assert.Contains(lines, Predicate(fun (line: string) -> line.StartsWith(name + " ")))

    Assert.All(lines, fun line -> Assert.True(line.Length <= 120, line))

[<Theory;
  InlineData "--help";
  InlineData "lab --help";
  InlineData "lab fizzbuzz --help";
  InlineData "doctor run --help";
  InlineData "--version">]
let ``--help shows the help of every verb, as wide as other output`` (arguments: string) =
    let ended = ToolRun.run (List.ofArray (arguments.Split ' '))
    Assert.Equal((0, ""), (ended.Code, ended.Err))
    Assert.NotEqual<string>("", ended.Out.Trim())
    Assert.DoesNotContain("load-client", ended.Out)
    Assert.All(ended.Out.Split '\n', fun line -> Assert.True(line.TrimEnd().Length <= 120, line))

[<Fact>]
let ``the help of lab run names the file for the defaults that the file has`` () =
    let ended = ToolRun.run [ "lab"; "run"; "--help" ]

    let words =
        String.Join(' ', ended.Out.Split([| ' '; '\n' |], StringSplitOptions.RemoveEmptyEntries))

    Assert.Contains("default: the file's, or none", words)
    Assert.Contains("default: the file's, or 0.03", words)

[<Fact>]
let ``the help of doctor run names no process`` () =
    let ended = ToolRun.runWithin 80 [ "doctor"; "run"; "--help" ]
    Assert.Contains("plait doctor run <COMMAND>", ended.Out)
    Assert.DoesNotContain("PID", ended.Out)
    Assert.All(ended.Out.Split '\n', fun line -> Assert.True(line.TrimEnd().Length <= 80, line))
