// Under test: the fixes that rules propose, applied to whole files. Fixes/before holds a file as it is found, Fixes/after what
// `--fix` makes of it, Fixes/left files that it leaves as they are: a fix might change what they do. A line that ends in `// left`
// has a finding that is still there behind it.
module Plait.Check.Tests.Fixes

open System
open System.IO
open System.Threading

open Xunit

open Plait.Check

let private folder (name: string) =
    Path.Combine(AppContext.BaseDirectory, "Fixes", name)

let files () : TheoryData<string> =
    TheoryData<string>(Directory.GetFiles(folder "before", "*.fs") |> Seq.map (Path.GetFileName >> string))

let filesToLeave () : TheoryData<string> =
    TheoryData<string>(Directory.GetFiles(folder "left", "*.fs") |> Seq.map (Path.GetFileName >> string))

let private marked (text: string) : int list =
    [
        for number, line in text.Split '\n' |> Seq.indexed do
            if line.TrimEnd().EndsWith "// left" then
                number + 1
    ]

let private request: CheckRequest =
    {
        Load = { Paths = []; Framework = None; Degraded = false }
        Rules = []
        Tables = []
        Cache = None
        Baseline = None
        WriteBaseline = false
        Least = Severity.Warning
        Fix = true
        TryFixes = false
    }

let private mend (file: string) : CheckResult =
    Check.loaded
        Snippets.checker.Value
        ignore
        CancellationToken.None
        request
        { Projects = [ Snippets.project "Mended" [ file ] ]; Unloaded = [] }

[<Theory; MemberData(nameof files)>]
let ``a fixed file is the expected one, and its remaining findings are marked`` (name: string) =
    use made = new Made()
    let before = File.ReadAllText(Path.Combine(folder "before", name))
    let file = made.Write(name, before)
    let outcome = mend file
    let after = File.ReadAllText file

    Assert.Equal(File.ReadAllText(Path.Combine(folder "after", name)), after)
    Assert.NotEqual<string>(before, after)

    Assert.Equal<int list>(marked after, outcome.Findings |> List.map _.Location.Line |> List.distinct)

[<Fact>]
let ``a file is not changed if another file of the check uses thread-bound state`` () =
    use made = new Made()

    let state =
        made.Write(
            "State.fs",
            """module State
open System

type Current() =
    [<ThreadStatic; DefaultValue>]
    static val mutable private number: int

    static member Number
        with get () = Current.number
        and set (value: int) = Current.number <- value
"""
        )

    let text =
        """module Work
open System.Threading

let work (number: int) =
    task {
        State.Current.Number <- number
        Thread.Sleep 5
        return State.Current.Number
    }
"""

    let file = made.Write("Work.fs", text)

    let outcome =
        Check.loaded
            Snippets.checker.Value
            ignore
            CancellationToken.None
            request
            { Projects = [ Snippets.project "Mended" [ state; file ] ]; Unloaded = [] }

    Assert.Equal(text, File.ReadAllText file)
    Assert.Empty outcome.Fixes
    Assert.Equal("PLT201", (List.exactlyOne outcome.Findings).Rule)

[<Theory; MemberData(nameof files)>]
let ``a second --fix changes nothing`` (name: string) =
    use made = new Made()
    let text = File.ReadAllText(Path.Combine(folder "after", name))
    let file = made.Write(name, text)
    let outcome = mend file

    Assert.Equal(text, File.ReadAllText file)
    Assert.Empty(outcome.Fixes |> List.filter _.IsApplied)

[<Theory; MemberData(nameof filesToLeave)>]
let ``a file whose behaviour a fix might change is not changed, and no output has a fix`` (name: string) =
    use made = new Made()
    let text = File.ReadAllText(Path.Combine(folder "left", name))
    let file = made.Write(name, text)
    Assert.Empty(Snippets.typeErrors (Snippets.project "Left" [ file ]))
    let outcome = mend file

    Assert.Equal(text, File.ReadAllText file)
    Assert.Empty outcome.Fixes
    Assert.Equal<int list>(marked text, outcome.Findings |> List.map _.Location.Line |> List.distinct)
    Assert.All(outcome.Findings, (fun finding -> Assert.NotEqual<string>("", finding.Advice)))
    Assert.DoesNotContain("\"fix\"", FindingsJson.write made.Folder 1 outcome)
    Assert.DoesNotContain("\"fixes\"", Sarif.write made.Folder 1 (Sources()) outcome)
