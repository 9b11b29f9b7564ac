// Projects that are checked against the signatures of others, results that come from an earlier run, and checks that are stopped.
module Plait.Check.Tests.Caching

open System
open System.Collections.Concurrent
open System.IO
open System.Threading
open System.Threading.Tasks

open FSharp.Compiler.CodeAnalysis
open Xunit

open Plait.Check

/// Projects of one file each, with references to earlier ones by name.
let private projects (made: Made) (sources: (string * string * string list) list) : LoadedProject list =
    let assembly (name: string) = made.Path $"obj/{name}.dll"

    ([], sources)
    ||> List.fold (fun (before: LoadedProject list) (name, text, references) ->
        let project = Snippets.project name [ made.Write($"{name}.fs", text) ]

        let referenced =
            before |> List.filter (fun other -> List.contains other.Name references)

        let options =
            { project.Options with
                OtherOptions =
                    [|
                        yield! project.Options.OtherOptions
                        $"-o:{assembly name}"

                        for other in referenced do
                            $"-r:{assembly other.Name}"
                    |]
                ReferencedProjects =
                    [|
                        for other in referenced ->
                            FSharpReferencedProject.FSharpReference(assembly other.Name, other.Options)
                    |]
            }

        before @ [ { project with Options = options } ])

/// Much of what a signature can have, and a function that blocks.
let private a =
    """namespace A

[<assembly: System.Runtime.CompilerServices.InternalsVisibleTo "B">]
[<assembly: AutoOpen "A.Opened">]
do ()

[<Measure>]
type m

type Shape =
    | Circle of float<m>
    | Square of side: float<m>

module Opened =
    let inline twice x = x + x
    let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd
    let internal hidden = 3

module Work =
    let slow (time: int) : int =
        System.Threading.Thread.Sleep time
        time
"""

let private b =
    """module B

open A

let area (shape: Shape) =
    match shape with
    | Circle r -> r * r
    | Square(side = s) -> s * s

let three () =
    match twice 2 with
    | Even -> hidden
    | Odd -> 0

let work () =
    task { return Work.slow 10 }
"""

let private c =
    """module C

let work () =
    task {
        System.Threading.Thread.Sleep 10
        return 1
    }
"""

let private three = [ "A", a, []; "B", b, [ "A" ]; "C", c, [] ]

let private checkUntil
    (stop: CancellationToken)
    (tell: string -> unit)
    (cache: Cache option)
    (tables: string list)
    (projects: LoadedProject list)
    : Report =
    Analysis.run ignore Snippets.checker.Value cache (Rules.all |> List.map _.Code) tables tell stop projects

/// The report, and what was told.
let private check
    (cache: Cache option)
    (tables: string list)
    (projects: LoadedProject list)
    : Report * string list =
    let said = ConcurrentQueue<string>()

    let report = checkUntil CancellationToken.None said.Enqueue cache tables projects

    report, List.ofSeq said

let private same (expected: Report) (report: Report) : unit =
    Assert.Equal<Finding list>(expected.Findings, report.Findings)
    Assert.Equal(expected.Coverage, report.Coverage)
    Assert.Equal<string list>(expected.Notes, report.Notes)

/// The projects that were type-checked.
let private typeChecked (said: string list) : string list =
    said
    |> List.filter _.StartsWith("checking ")
    |> List.map (fun line -> line.Split(' ')[1])
    |> List.sort

[<Fact>]
let ``a project is checked against the signature of another as against its source`` () =
    use made = new Made()
    let report, said = check None [] (projects made three)
    Assert.Equal<string list>([], report.Notes)
    Assert.Equal(0, report.Coverage.TypeErrors)
    Assert.Equal<string list>([ "A"; "B"; "C" ], typeChecked said)

    let found = report.Findings |> List.find (fun finding -> finding.Rule = "PLT202")

    Assert.Equal("B.fs", string (Path.GetFileName found.Location.File))
    Assert.Equal(16, found.Location.Line)
    Assert.Contains(found.Path, fun step -> step.Location.File.EndsWith "A.fs")

[<Fact>]
let ``a reference for another framework than the checked one has the summaries of that, in each order of the request``
    ()
    =
    use made = new Made()

    match projects made [ "A", a, []; "B", b, [ "A" ] ] with
    | [ library; app ] ->
        let other =
            { library.Options with
                OtherOptions = Array.append library.Options.OtherOptions [| "--define:OTHER" |]
            }

        let app =
            { app with
                Options =
                    { app.Options with
                        ReferencedProjects =
                            [| FSharpReferencedProject.FSharpReference(made.Path "obj/A.dll", other) |]
                    }
            }

        for projects in [ [ library; app ]; [ app; library ] ] do
            let report, _ = check None [] projects
            Assert.Equal(0, report.Coverage.TypeErrors)
            Assert.Equal(2, report.Coverage.Projects)
            let found = report.Findings |> List.find (fun finding -> finding.Rule = "PLT202")
            Assert.Equal("B.fs", string (Path.GetFileName found.Location.File))
    | others -> failwith $"{others.Length} projects"

[<Fact>]
let ``a second run finds the same without a type check, and after a change checks the projects that it reaches``
    ()
    =
    use made = new Made()
    let cache = Some(Cache(made.Path "cache", 1L <<< 30))
    let first, said = check cache [] (projects made three)
    Assert.Equal<string list>([ "A"; "B"; "C" ], typeChecked said)

    let second, said = check cache [] (projects made three)
    Assert.Equal<string list>([], typeChecked said)
    same first second

    let changed = c.Replace("Sleep 10", "Sleep 20")

    let third, said =
        check cache [] (projects made [ "A", a, []; "B", b, [ "A" ]; "C", changed, [] ])

    Assert.Equal<string list>([ "C" ], typeChecked said)
    Assert.Equal(first.Findings.Length, third.Findings.Length)

    let wider = a + "\n    let more () = 1\n"

    let _, said =
        check cache [] (projects made [ "A", wider, []; "B", b, [ "A" ]; "C", changed, [] ])

    Assert.Equal<string list>([ "A"; "B" ], typeChecked said)

    // what the table says of a call is in the lowered code
    let table = made.Write("effects.txt", "A.Work.slow blocks\n")
    let _, said = check cache [ table ] (projects made [ "C", changed, [] ])
    Assert.Equal<string list>([ "C" ], typeChecked said)

[<Fact>]
let ``damaged files of the cache are ignored and written again, also by two checks at once`` () =
    use made = new Made()
    let folder = made.Path "cache"
    let cache = Some(Cache(folder, 1L <<< 30))
    let projects = projects made [ "C", c, [] ]
    let first, _ = check cache [] projects

    for damage in [ [||]; [| 1uy .. 20uy |]; Array.zeroCreate 5000 ] do
        for file in Directory.GetFiles folder do
            File.WriteAllBytes(file, damage)

        let both =
            Task.WhenAll [ for _ in 1..2 -> Task.Run(fun () -> check cache [] projects) ]

        for report, said in both.GetAwaiter().GetResult() do
            same first report
            // the other of the two may have kept it already; what was damaged was read by neither
            Assert.Contains(typeChecked said, [ []; [ "C" ] ])

        Assert.NotEqual<string list>([], both.Result |> Seq.collect (snd >> typeChecked) |> List.ofSeq)

        let last, said = check cache [] projects
        Assert.Equal<string list>([], typeChecked said)
        same first last

[<Fact>]
let ``the cache keeps the files that were used last, within its limit`` () =
    use made = new Made()
    let folder = made.Path "cache"
    let cache = Cache(folder, 2000L)

    for key in [ "a"; "b"; "c" ] do
        cache.Store(key, Array.zeroCreate 900)
        File.SetLastWriteTimeUtc(Path.Combine(folder, key + ".bin"), DateTime.UtcNow.AddHours -3.)

    made.Write("cache/left.tmp", "x") |> ignore
    File.SetLastWriteTimeUtc(made.Path "cache/left.tmp", DateTime.UtcNow.AddHours -2.)
    Assert.True((cache.Find "a").IsSome)
    cache.Trim()
    Assert.True((cache.Find "a").IsSome)
    Assert.Equal(2, Directory.GetFiles(folder).Length)
    Assert.Equal(None, Cache(Path.Combine(made.Write("file", ""), "below"), 1L).Find "a")

[<Fact>]
let ``a check that is stopped has the findings of the projects that it read, and names the others`` () =
    use made = new Made()
    use stop = new CancellationTokenSource()

    let sources =
        [ for index in 1..4 -> $"C{index}", c.Replace("module C", $"module C{index}"), [] ]

    // two are checked at a time: when the third begins, one is done
    let tell (line: string) =
        if line.Contains "(3 of 4)" then
            stop.Cancel()

    let report = checkUntil stop.Token tell None [] (projects made sources)

    Assert.True report.IsStopped
    Assert.InRange(report.Coverage.Projects, 1, 3)
    Assert.Equal(4 - report.Coverage.Projects, report.Unread.Length)
    Assert.Equal(report.Coverage.Projects, report.Findings.Length)

[<Fact>]
let ``findings come project by project, and those that a later project may change at the end`` () =
    use made = new Made()

    let store =
        """module A

open System.Threading
open System.Threading.Tasks

type IStore =
    abstract Load: int -> int

let wait (job: Task<int>) = task { return job.Result }
let load (store: IStore) = task { return store.Load 1 }

let pause () =
    task {
        Thread.Sleep 5
        return 1
    }
"""

    let blocking =
        """module B

open System.Threading

type Slow() =
    interface A.IStore with
        member _.Load number =
            Thread.Sleep number
            number

let again (job: System.Threading.Tasks.Task<int>) = task { return job.Result }
"""

    let quick =
        """module C

type Quick() =
    interface A.IStore with
        member _.Load number = number
"""

    let told = ConcurrentQueue<(string * int) list>()

    let check (sources: (string * string * string list) list) =
        told.Clear()

        let places (findings: Finding list) =
            [
                for finding in findings do
                    string (Path.GetFileNameWithoutExtension finding.Location.File), finding.Location.Line
            ]

        let report =
            Analysis.run
                (places >> told.Enqueue)
                Snippets.checker.Value
                None
                (Rules.all |> List.map _.Code)
                []
                ignore
                CancellationToken.None
                (projects made sources)

        List.ofSeq told, places report.Findings

    let first, all = check [ "A", store, []; "B", blocking, [ "A" ] ]
    Assert.Equal<(string * int) list list>([ [ "A", 9 ]; [ "B", 11 ] ], first)
    Assert.Equal<(string * int) list>([ "A", 9; "A", 10; "A", 14; "B", 11 ], all)

    // one class more that does not block
    let first, all =
        check [ "A", store, []; "B", blocking, [ "A" ]; "C", quick, [ "A" ] ]

    Assert.Equal<(string * int) list list>([ [ "A", 9 ]; [ "B", 11 ] ], first)
    Assert.Equal<(string * int) list>([ "A", 9; "A", 14; "B", 11 ], all)

    // one project: all come together at the end
    let first, all = check [ "A", store, [] ]
    Assert.Empty first
    Assert.NotEmpty all

[<Fact>]
let ``an exception of the code that receives findings ends the check`` () =
    use made = new Made()

    let check () =
        Analysis.run
            (fun _ -> raise (IOException "nobody reads"))
            Snippets.checker.Value
            None
            (Rules.all |> List.map _.Code)
            []
            ignore
            CancellationToken.None
            (projects made [ "A", a, []; "B", b, [ "A" ]; "D", c, [] ])
        |> ignore

    Assert.Equal("nobody reads", Assert.Throws<IOException>(check).Message)

/// The rules of what a check of loaded projects finds.
let private rulesOf (loaded: LoadResult) : string list =
    let result =
        Check.loaded
            Snippets.checker.Value
            ignore
            CancellationToken.None
            {
                Load = Load.request []
                Cache = None
                Rules = []
                Tables = []
                Baseline = None
                WriteBaseline = false
                Least = Severity.Warning
                Fix = false
                TryFixes = false
            }
            loaded

    result.Findings |> List.map _.Rule

[<Fact>]
let ``a comment is needless only where all projects are checked that its code can call`` () =
    use made = new Made()
    let note = " // plait: ignore PLT202 it is short"
    let noted = b.Replace("Work.slow 10 }", "Work.slow 10 }" + note)
    let idle = c.Replace("return 1", "return 1" + note)
    Assert.NotEqual<string>(b, noted)

    let all = projects made [ "A", a, []; "B", noted, [ "A" ]; "C", idle, [] ]

    let of' (names: string list) unloaded =
        rulesOf
            {
                Projects = all |> List.filter (fun project -> List.contains project.Name names)
                Unloaded = unloaded
            }

    Assert.Equal<string list>([ "PLT002"; "PLT201" ], of' [ "A"; "B"; "C" ] [] |> List.sort)
    // A blocks, and is not looked at
    Assert.Equal<string list>([], of' [ "B" ] [])
    Assert.Equal<string list>([ "PLT201" ], of' [ "B"; "C" ] [])
    Assert.Equal<string list>([ "PLT201" ], of' [ "C" ] [ made.Path "Gone.fsproj", "it is gone" ])

[<Fact>]
let ``modules of one name in several projects are told apart, in any order of the projects`` () =
    use made = new Made()

    let helpers (says: string) =
        $"module Helpers\n\nlet wait (time: int) : int =\n    {says}\n    time\n"

    let caller (name: string) =
        $"module {name}\n\nlet work () = task {{ return Helpers.wait 10 }}\n"

    let all =
        projects
            made
            [
                "Slow", helpers "System.Threading.Thread.Sleep time", []
                "Quick", helpers "ignore time", []
                "OfSlow", caller "OfSlow", [ "Slow" ]
                "OfQuick", caller "OfQuick", [ "Quick" ]
                "Alone", helpers "ignore time" + "\nlet again () = task { return wait 10 }\n", []
            ]

    for order in [ [ 0; 1; 2; 3; 4 ]; [ 4; 3; 2; 1; 0 ]; [ 0; 2; 1; 3; 4 ]; [ 3; 1; 4; 2; 0 ] ] do
        let report, _ = check None [] [ for index in order -> all[index] ]

        Assert.Equal<(string * string) list>(
            [ "PLT202", "OfSlow.fs" ],
            [
                for finding in report.Findings ->
                    finding.Rule, string (Path.GetFileName finding.Location.File)
            ]
        )

/// Four projects with a finding each that no later project changes, of which each references the one before.
let private inRow (made: Made) : LoadedProject list =
    projects
        made
        [
            for index in 1..4 ->
                $"R{index}",
                $"module R{index}\n\nlet wait (job: System.Threading.Tasks.Task<int>) = task {{ return job.Result }}\n",
                (if index > 1 then [ $"R{index - 1}" ] else [])
        ]

let private untilTold (event: ManualResetEventSlim) =
    Assert.True(event.Wait(TimeSpan.FromMinutes 5.), "the event did not come")

[<Fact>]
let ``projects that were read and not looked at are among the others when a check is stopped`` () =
    use made = new Made()
    use stop = new CancellationTokenSource()
    use last = new CancellationTokenSource()
    use isRead = new ManualResetEventSlim()

    let report =
        Analysis.runUntil
            last.Token
            (fun _ ->
                // the first is looked at, and the others wait
                untilTold isRead
                stop.Cancel()
                last.Cancel())
            Snippets.checker.Value
            None
            (Rules.all |> List.map _.Code)
            []
            (fun line ->
                if line = "following values" then
                    isRead.Set())
            stop.Token
            (inRow made)

    Assert.True report.IsStopped
    Assert.Equal(1, report.Coverage.Projects)

    Assert.Equal<string list>(
        [ "R2"; "R3"; "R4" ],
        report.Unread |> List.map (Path.GetFileNameWithoutExtension >> string)
    )

[<Fact>]
let ``an exception while projects are read ends the check after the last call of the code that receives findings``
    ()
    =
    use made = new Made()
    use isTold = new ManualResetEventSlim()
    use isOver = new ManualResetEventSlim()
    let wasOver = ref true

    let check () =
        try
            Analysis.run
                (fun _ ->
                    isTold.Set()
                    // the check does not end meanwhile
                    wasOver.Value <- isOver.Wait(TimeSpan.FromSeconds 1.))
                Snippets.checker.Value
                None
                (Rules.all |> List.map _.Code)
                []
                (fun line ->
                    if line.Contains "(2 of 4)" then
                        untilTold isTold
                        raise (IOException "no place for progress"))
                CancellationToken.None
                (inRow made)
            |> ignore
        finally
            isOver.Set()

    Assert.Equal("no place for progress", Assert.Throws<IOException>(check).Message)
    Assert.False wasOver.Value

[<Fact>]
let ``a fix is not tried against the signature of an earlier check where the project has none now`` () =
    use made = new Made()

    let all =
        projects made [ "Lib", "module Lib\nlet x = 1\n", []; "App", "module App\nlet y = 1\n", [ "Lib" ] ]

    let tried () =
        check None [] all |> ignore

        Fixing.plan Snippets.checker.Value all [ Fix.replacing (made.Path "App.fs") 2 "1" "1 + Lib.x" ]
        |> snd
        |> Fix.words
        |> Assert.Single

    Assert.Equal("2: applied", tried ())
    // the compiler service makes no signature without the source
    File.Delete(made.Path "Lib.fs")
    tried () |> Say.names [ "2: code in App.fs would not type-check with it" ]
