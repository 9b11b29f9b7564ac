// What the check must survive: sources that are wrong, large, deep or unusual. Each case has a mistake in it that must be found,
// so that a case which is not looked at fails.
namespace Plait.Check.Tests

open System
open System.Threading
open Xunit

open Plait.Check

module Survival =
    /// It ends a hang: ten times what the largest takes on a slow, loaded machine, and far below what exponential work takes.
    let limit = TimeSpan.FromMinutes 15.0

    /// The report of a check that must end by itself.
    let checkLoaded (projects: LoadedProject list) : Report =
        use source = new CancellationTokenSource(limit)
        let rules = Rules.all |> List.map _.Code

        try
            Analysis.run ignore Snippets.checker.Value None rules [] ignore source.Token projects
        with :? OperationCanceledException ->
            failwith $"The check of {projects.Head.Name} did not end in {limit.TotalMinutes} minutes."

    /// Checks sources as files of one project, in their order.
    let sources (name: string) (files: (string * string) list) : Report =
        use made = new Made()
        let paths = [ for file, text in files -> made.Write(file, text) ]
        checkLoaded [ Snippets.project name paths ]

    let source (name: string) (text: string) : Report = sources name [ $"{name}.fs", text ]

    /// The lines of warnings, with their rules.
    let warnings (report: Report) : (int * string) list =
        [
            for finding in report.Findings do
                if finding.Severity = Severity.Warning then
                    finding.Location.Line, finding.Rule
        ]

    /// Everything was looked at.
    let isWhole (report: Report) : unit =
        Assert.True(report.Notes.IsEmpty, String.Join('\n', report.Notes))
        Assert.Equal(0, report.Coverage.TypeErrors)
        Assert.Equal(0, report.Coverage.LostLines)
        Assert.Equal(0, report.Coverage.NotAnalysed)
        Assert.Equal(0, report.Coverage.Skipped)

    /// The warnings are the ones that the comments at the ends of lines expect.
    let finds (text: string) (report: Report) : unit =
        let expected =
            [ for line, rule, _ in DataFiles.expectedIn (text.Split '\n') -> line, rule ]

        Assert.NotEmpty expected
        Assert.Equal<(int * string) list>(expected, warnings report)

    let opens =
        """open System
open System.Threading
open System.Threading.Tasks
"""

module ``Sources that are wrong`` =
    let private right =
        "module Right\nopen System.Threading\nlet f () =\n    task {\n        Thread.Sleep 1 // PLT201 warning\n        return 1\n    }\n"

    [<Fact>]
    let ``with a syntax error in one file the others are analysed, and the error is reported`` () =
        let report =
            Survival.sources
                "Syntax"
                [
                    "Right.fs", right
                    "Wrong.fs", "module Wrong\nlet g () =\n    task {\n        let! x = (\n    }\nlet h = )\n"
                    "Last.fs", right.Replace("module Right", "module Last")
                ]

        Assert.Equal<_ list>([ 5, "PLT201"; 5, "PLT201" ], Survival.warnings report)
        Assert.True(report.Coverage.TypeErrors > 0)
        Assert.Contains(report.Notes, fun note -> note.Contains "Wrong.fs" && note.Contains "Syntax")
        Assert.Equal(0, report.Coverage.NotAnalysed)

    [<Fact>]
    let ``lines that do not type-check are counted, and the code around them is analysed`` () =
        let text =
            Survival.opens
            + "let before () = task { Thread.Sleep 1 } // PLT201 warning\n"
            + "let wrong () =\n    task {\n        let x = nowhere 1\n        return x\n    }\n"
            + "let after () = task { Thread.Sleep 1 } // PLT201 warning\n"

        let report = Survival.source "Lost" ("module Lost\n" + text)
        Survival.finds ("module Lost\n" + text) report
        Assert.Equal(1, report.Coverage.TypeErrors)
        Assert.InRange(report.Coverage.LostLines, 1, 4)
        Assert.Equal(0, report.Coverage.NotAnalysed)

    [<Fact>]
    let ``a project that was not built costs the lines that use it, and the first error that is named is one of a line``
        ()
        =
        use made = new Made()

        let check (name: string) (text: string) =
            made.Write($"{name}/A.fs", text) |> ignore

            let file = made.Project(name, "net10.0", [ "<Compile Include=\"A.fs\" />" ])

            let project = Load.one file
            let missing = [| "-r:" + made.Path "Cs/Cs.dll" |]

            let options =
                { project.Options with OtherOptions = Array.append project.Options.OtherOptions missing }

            Survival.checkLoaded [ { project with Options = options } ]

        let report = check "Without" "module A\nlet x = 1\n"
        Assert.Equal((1, 0), (report.Coverage.TypeErrors, report.Coverage.LostLines))
        Assert.Contains(report.Notes, fun note -> note.Contains "Cs.dll")
        let report = check "Using" "module A\nlet x = Cs.y\n"
        Assert.Equal((2, 1), (report.Coverage.TypeErrors, report.Coverage.LostLines))
        Assert.Contains(report.Notes, fun note -> note.Contains "A.fs, line 2")

    [<Fact>]
    let ``a project without the assemblies of its framework loses its lines, and the others are analysed``
        ()
        =
        use made = new Made()
        let bare = Load.one (made.Write("Bare.fs", "module Bare\nlet x = 1\n"))

        let options =
            { bare.Options with
                OtherOptions =
                    bare.Options.OtherOptions |> Array.filter (fun option -> not (option.StartsWith "-r:"))
            }

        let whole = Load.one (made.Write("Right.fs", right))
        let report = Survival.checkLoaded [ { bare with Options = options }; whole ]
        Assert.Equal<_ list>([ 5, "PLT201" ], Survival.warnings report)
        Assert.True(report.Coverage.TypeErrors > 0)
        Assert.Equal(2, report.Coverage.LostLines)
        Assert.Contains(report.Notes, fun note -> note.StartsWith "Bare.fs was not analysed")

    /// A file that the compiler leaves out.
    let private leftOut (name: string) =
        $"module {name}\n"
        + Survival.opens
        + "let before () = task { Thread.Sleep 1 } // PLT201 warning\n"
        + "let wrong x =\n    task {\n        let n = undefined1 x\n        let m = undefined2 x\n        return n + m\n    }\n"
        + "let after () = task { Thread.Sleep 1 } // PLT201 warning\n"

    [<Fact>]
    let ``a file that the compiler leaves out of its project is analysed by itself`` () =
        let report =
            Survival.sources "Left" [ "Right.fs", right; "Lost.fs", leftOut "Lost" ]

        Assert.Equal<_ list>([ 5, "PLT201"; 12, "PLT201"; 5, "PLT201" ], Survival.warnings report)
        Assert.Equal(2, report.Coverage.Files)
        Assert.InRange(report.Coverage.LostLines, 2, 6)

    [<Fact>]
    let ``of many such files none is analysed by itself, and each is named`` () =
        let files = [ for number in 1..21 -> $"Lost{number}.fs", leftOut $"Lost{number}" ]

        let report = Survival.sources "Many" (("Right.fs", right) :: files)
        Assert.Equal<_ list>([ 5, "PLT201" ], Survival.warnings report)

        for file, _ in files do
            Assert.Contains(report.Notes, fun note -> note.StartsWith $"{file} was not analysed")

    [<Fact; Trait("run", "more")>]
    let ``a project with missing packages is analysed without them`` () =
        use made = new Made()

        let text =
            "module A\nopen System.Threading\nopen Absent.Library\nlet f () = task { Thread.Sleep 1 }\nlet g () = Absent.call 1\n"

        made.Write("A/A.fs", text) |> ignore

        let file =
            made.Project(
                "A",
                "net10.0",
                [
                    "<Compile Include=\"A.fs\" />"
                    "<PackageReference Include=\"Plait.Absent.Library\" Version=\"1.0.0\" />"
                ]
            )

        let report = Survival.checkLoaded [ Load.degraded file ]
        Assert.Equal<_ list>([ 4, "PLT201" ], Survival.warnings report)
        Assert.True(report.Coverage.LostLines >= 1, "the line that calls the library")
        Assert.True(report.Coverage.TypeErrors >= 1)
        Assert.Contains(report.Notes, fun note -> note.Contains "degraded")

    [<Fact>]
    let ``a file of comments and an empty file have no declarations`` () =
        let report =
            Survival.sources
                "Empty"
                [ "Comments.fs", "module Comments\n// nothing\n"; "Right.fs", right; "Empty.fs", "" ]

        Assert.Equal<_ list>([ 5, "PLT201" ], Survival.warnings report)
        Assert.Equal(3, report.Coverage.Files)
        Assert.Equal(0, report.Coverage.NotAnalysed)

[<Trait("run", "more")>]
module ``Sources that are large`` =
    let private lines (count: int) (line: int -> string) =
        String.Join('\n', Seq.init count line) + "\n"

    [<Fact>]
    let ``a generated file of ten thousand lines is analysed as a whole`` () =
        let block (number: int) =
            [
                $"type Row{number} ="
                "    { Id: int; Name: string; Tags: string list }"
                $"    member row.Text = sprintf \"%%d %%s\" row.Id row.Name"
                $"type Case{number} ="
                "    | First of int"
                $"    | Second of Row{number}"
                $"let parse{number} (text: string) ="
                "    match text.Split ',' with"
                $"    | [| id; name |] -> Second {{ Id = int id; Name = name; Tags = [] }}"
                "    | parts -> First parts.Length"
                $"let load{number} (source: Func<int, ValueTask<int>>) (count: int) ="
                "    task {"
                "        let mutable sum = 0"
                "        for index in 1 .. count do"
                "            let! value = source.Invoke index"
                "            if value > 10 then sum <- sum + value else sum <- sum - value"
                $"        match parse{number} (string sum) with"
                "        | First length when length > 3 -> return length"
                "        | First _ -> return 0"
                "        | Second row ->"
                "            try"
                "                let! other = source.Invoke row.Id"
                "                return other"
                "            with :? InvalidOperationException -> return -1"
                "    }"
            ]

        let text =
            "module Large\n"
            + Survival.opens
            + lines 400 (block >> String.concat "\n")
            + "let last (value: ValueTask<int>) =\n    task {\n        let! a = value\n        let! b = value // PLT101 warning\n        return a + b\n    }\n"

        let report = Survival.source "Large" text
        Survival.isWhole report
        Survival.finds text report
        Assert.InRange(report.Coverage.Lines, 10_000, 10_100)
        // the result of Invoke, twice in each function
        Assert.True(report.Coverage.Seen >= 800, $"{report.Coverage.Seen} values seen")
        Assert.Equal(report.Coverage.Seen, report.Coverage.Tracked)

    [<Theory>]
    [<InlineData("task", "Task.FromResult number")>]
    [<InlineData("async", "async.Return number")>]
    let ``five thousand awaits in one body are followed to the last`` (builder: string) (source: string) =
        let text =
            $"module Long_{builder}\n"
            + Survival.opens
            + $"let work (number: int) = {source}\n"
            + $"let run (value: ValueTask<int>) =\n    {builder} {{\n"
            + lines 5_000 (fun index -> $"        let! x{index} = work {index}")
            + "        Thread.Sleep x4999 // PLT201 warning\n        return x1\n    }\n"

        let report = Survival.source $"Long_{builder}" text
        Survival.isWhole report
        Survival.finds text report

    let private nested (count: int) (opening: int -> string) (inner: string list) =
        [
            for depth in 0 .. count - 1 do
                let indent = String(' ', 8 + depth)
                indent + (opening depth).Replace("\n", "\n" + indent)
            for line in inner do
                String(' ', 8 + count) + line
        ]
        |> String.concat "\n"

    let private sleepsInside (name: string) (nest: string) =
        let text =
            $"module {name}\n"
            + Survival.opens
            + "let gate = obj ()\n"
            + "let run (n: int) (flag: bool) =\n    task {\n"
            + nest
            + "\n    }\n"

        let report = Survival.source name text
        Survival.isWhole report
        Survival.finds text report

    let private sleep = [ "Thread.Sleep 1 // PLT201 warning" ]

    [<Fact>]
    let ``three hundred ifs inside each other are analysed`` () =
        sleepsInside "Ifs" (nested 300 (fun depth -> $"if n > {depth} then") sleep)

    [<Fact>]
    let ``three hundred matches inside each other are analysed`` () =
        let opening depth =
            $"match n - {depth} with\n| 0 -> ()\n| _ ->"

        sleepsInside "Matches" (nested 300 opening sleep)

    [<Fact>]
    let ``three hundred functions inside each other are analysed`` () =
        let opening depth = $"let f{depth} () ="

        let text =
            "module Functions\n"
            + Survival.opens
            + "let run () =\n    task {\n"
            + nested 300 opening sleep
            + "\n"
            + String.Join("\n", [ for depth in 299..-1..0 -> String(' ', 8 + depth) + $"f{depth} ()" ])
            + "\n    }\n"

        let report = Survival.source "Functions" text
        Survival.isWhole report
        Survival.finds text report

    [<Fact>]
    let ``three hundred calls with lambdas inside each other are analysed`` () =
        let opening _ = "lock gate <| fun () ->"
        sleepsInside "Lambdas" (nested 300 opening sleep)

    [<Fact>]
    let ``twelve loops inside each other, each with a function, are analysed`` () =
        let opening depth =
            if depth % 2 = 0 then
                $"for i{depth} in [ 1 .. n ] |> List.map (fun i -> i + {depth}) do"
            else
                $"for i{depth} in 1 .. i{depth - 1} do"

        sleepsInside "Loops" (nested 12 opening sleep)

    [<Fact>]
    let ``twelve callbacks that run many times inside each other`` () =
        let opening depth =
            $"[ 1 .. n ] |> List.iter (fun i{depth} ->"

        sleepsInside
            "Callbacks"
            (nested 12 opening [ "Thread.Sleep 1" + String(')', 12) + " // PLT201 warning" ])

    [<Fact>]
    let ``twelve callbacks of unknown functions inside each other are analysed`` () =
        let opening depth = $"unknown.Invoke(fun i{depth} ->"

        let text =
            "module Unknowns\n"
            + Survival.opens
            + "let run (unknown: Action<Action<int>>) (n: int) =\n    task {\n"
            + nested 12 opening [ "n |> ignore" + String(')', 12) ]
            + "\n        Thread.Sleep 1 // PLT201 warning\n    }\n"

        let report = Survival.source "Unknowns" text
        Survival.isWhole report
        Survival.finds text report

    [<Fact>]
    let ``thirty local functions that call each other twice`` () =
        let text =
            "module Doubling\n"
            + Survival.opens
            + "let run (n: int) =\n    task {\n"
            + "        let f0 (x: int) = Thread.Sleep x // PLT201 warning\n"
            + lines 30 (fun index -> $"        let f{index + 1} (x: int) = f{index} x; f{index} (x + 1)")
            + "        f30 n\n    }\n"

        let report = Survival.source "Doubling" text
        Survival.isWhole report
        Survival.finds text report

    [<Fact>]
    let ``two hundred functions in a chain, each a call of the next, block at their end`` () =
        let text =
            "module Chain\n"
            + Survival.opens
            + "let f0 (x: int) = Thread.Sleep x\n"
            + lines 200 (fun index -> $"let f{index + 1} (x: int) = f{index} x; f{index} (x + 1)")
            + "let run (n: int) =\n    task {\n        f200 n // PLT202 warning\n    }\n"

        let report = Survival.source "Chain" text
        Survival.isWhole report
        Survival.finds text report

    [<Fact>]
    let ``a list of three thousand items and a match of five hundred cases are analysed`` () =
        let text =
            "module Wide\n"
            + Survival.opens
            + "let items = [\n"
            + lines 3_000 (fun index -> $"    {index}")
            + "    ]\nlet run (n: int) =\n    task {\n        match n with\n"
            + lines 500 (fun index -> $"        | {index} -> do! Task.Delay {index}")
            + "        | _ -> Thread.Sleep 1 // PLT201 warning\n    }\n"

        let report = Survival.source "Wide" text
        Survival.isWhole report
        Survival.finds text report

module ``Sources of every kind`` =
    let private body (text: string) =
        [
            "let run () ="
            "    task {"
            yield! text.Split '\n' |> Seq.map (fun line -> "        " + line)
            "    }"
        ]
        |> String.concat "\n"

    let private cases: (string * string) list =
        [
            "recursion",
            """let rec down (value: ValueTask<int>) (n: int) =
    task {
        if n = 0 then
            let! a = value
            let! b = value // PLT101 warning
            return a + b
        else
            return! down (ValueTask<int> n) (n - 1)
    }"""
            "mutual recursion",
            """let rec even (n: int) = task { if n = 0 then return true else return! odd (n - 1) }
and odd (n: int) =
    task {
        Thread.Sleep n // PLT201 warning
        if n = 0 then return false else return! even (n - 1)
    }"""
            "blocking in recursion",
            """let rec wait (n: int) : unit = if n > 0 then (Thread.Sleep n; other (n - 1))
and other (n: int) : unit = wait (n - 1)
let run () =
    task {
        wait 1 // PLT202 warning
        other 1 // PLT202 warning
    }"""
            "recursive modules",
            """module rec First =
    let run (n: int) = task { return! Second.run n }

    module Second =
        let run (n: int) =
            task {
                Thread.Sleep 1 // PLT201 warning
                if n > 0 then return! First.run (n - 1) else return 0
            }"""
            "active patterns",
            """let (|Even|Odd|) (n: int) = if n % 2 = 0 then Even(n / 2) else Odd n
let (|Positive|_|) (n: int) = if n > 0 then Some n else None
[<return: Struct>]
let (|Small|_|) (n: int) = if n < 10 then ValueSome n else ValueNone
let run (n: int) (value: ValueTask<int>) =
    task {
        match n with
        | Even(Positive half) -> return half
        | Odd(Small n & Positive _) ->
            let! a = value
            let! b = value // PLT101 warning
            return a + b + n
        | _ -> return 0
    }"""
            "custom operations",
            """type Query() =
    member _.Yield(()) = []
    [<CustomOperation "step">]
    member _.Step(steps: (unit -> unit) list, step: unit -> unit) = step :: steps
    [<CustomOperation "keep">]
    member _.Keep(steps: (unit -> unit) list, [<ProjectionParameter>] keep: unit -> bool) = if keep () then steps else []
    member _.Run(steps: (unit -> unit) list) = for step in steps do step ()
let steps = Query()
let run (n: int) =
    task {
        steps {
            step (fun () -> ())
            keep (n > 1)
        }
        let first = query { for x in [ 1; 2 ] do where (x > n); sortBy x; select x } |> Seq.toList
        Thread.Sleep first.Length // PLT201 warning
    }"""
            "quotations",
            """let run (n: int) =
    task {
        let quoted = <@ fun (x: int) -> x + n @>
        let other = <@@ task { return 1 } @@>
        Thread.Sleep(quoted.ToString().Length + other.ToString().Length) // PLT201 warning
    }"""
            "object expressions",
            """let run (value: ValueTask<int>) =
    { new IAsyncDisposable with
        member _.DisposeAsync() =
            ValueTask(
                task {
                    let! a = value
                    let! b = value // PLT101 warning
                    ignore (a + b)
                }
            )
      interface IDisposable with
        member _.Dispose() = () }"""
            "units of measure",
            """[<Measure>] type ms
let wait (time: int<ms>) = task { Thread.Sleep(int time) } // PLT201 warning
let twice (time: float<ms>) : float<ms ^ 2> = time * time"""
            "static resolution",
            """let inline add (a: ^a) (b: ^a) : ^a when ^a: (static member (+): ^a * ^a -> ^a) = a + b
let inline length (x: ^a) = (^a: (member Length: int) x)
let inline await (x: ^a) : ^b = (^a: (member Result: ^b) x)
let run (text: string) =
    task {
        let n = add (length text) 1
        Thread.Sleep n // PLT201 warning
        return await (Task.FromResult n)
    }"""
            "anonymous records and struct tuples",
            """let run (value: ValueTask<int>) =
    task {
        let point = {| X = 1; Y = struct (2, 3) |}
        let other = {| point with Z = 4 |}
        let struct (a, b) = other.Y
        let! x = value
        let! y = value // PLT101 warning
        return struct (a + b + x, y + other.Z)
    }"""
            "byrefs and spans",
            """let add (target: byref<int>) (n: int) = target <- target + n
let inc (target: inref<int>) = target + 1
let sum (numbers: Span<int>) =
    let mutable all = 0
    for n in numbers do
        add &all n
    all
[<Struct>]
type Counter =
    val mutable Count: int
    member this.Up() = this.Count <- this.Count + 1
let run () =
    task {
        let n = sum (Span [| 1; 2 |])
        Thread.Sleep n // PLT201 warning
    }"""
            "use in a match and in loops",
            """let run (n: int) =
    task {
        match n with
        | 0 ->
            use source = new CancellationTokenSource()
            Thread.Sleep 1 // PLT201 warning
            source.Cancel()
        | _ ->
            for i in 1 .. n do
                use! semaphore = Task.FromResult(new SemaphoreSlim(i))
                do! semaphore.WaitAsync()
    }"""
            "comprehensions",
            """let run (tasks: Task<int> list) =
    task {
        let list = [ for i in 1 .. 3 do if i > 1 then yield i else yield! [ i; i ] ]
        let array = [| for struct (a, b) in [| struct (1, 2) |] -> a + b |]
        let lazily = seq { use _ = new CancellationTokenSource() in for i in list do yield i + array[0] }
        let slice = array[0..1]
        Thread.Sleep(Seq.length lazily + slice.Length) // PLT201 warning
        for t in tasks do
            t.Wait() // PLT201 warning
    }"""
            "interpolated strings",
            """let run (value: ValueTask<int>) =
    task {
        let! a = value
        let text = $"%d{a} {a + 1:N2} {(fun x -> x + 1) a} {{no}}"
        let! b = value // PLT101 warning
        return $"{text} {b}"
    }"""
            "generic recursion",
            """type Tree<'T> =
    | Leaf of 'T
    | Node of Tree<'T * 'T>
let rec depth<'T> (tree: Tree<'T>) : Task<int> =
    task {
        match tree with
        | Leaf _ ->
            Thread.Sleep 1 // PLT201 warning
            return 0
        | Node inner -> return! depth<'T * 'T> inner
    }"""
            "classes with bases",
            """[<AbstractClass>]
type Base(name: string) =
    let mutable count = 0
    static let made = ResizeArray<string>()
    static do made.Add "none"
    do count <- name.Length
    abstract Run: unit -> Task<int>
    abstract Stop: unit -> Task
    default _.Stop() = Task.CompletedTask
    member _.Count with get () = count and set (value: int) = count <- value
    static member Made = made
type Derived(name: string) as this =
    inherit Base(name)
    do this.Count <- 2
    new() = Derived("none")
    override this.Run() =
        task {
            do! this.Stop()
            Thread.Sleep 1 // PLT201 warning
            return this.Count
        }
    override this.Stop() = base.Stop()"""
            "static initialisers",
            """type Settings() =
    static member val Delay = 5 with get, set
    static member val Start = task { Thread.Sleep 1 } // PLT201 warning
let table = dict [ for i in 1 .. 3 -> i, string i ]
let started =
    task {
        Thread.Sleep table.Count // PLT201 warning
    }
do started.Wait()"""
            "operators, indexers and events",
            """type Bag() =
    let changed = Event<int>()
    let items = ResizeArray<int>()
    [<CLIEvent>]
    member _.Changed = changed.Publish
    member _.Item with get (i: int) = items[i] and set i (value: int) = items[i] <- value; changed.Trigger i
    static member (+)(a: Bag, b: int) = a[0] <- b; a
    static member op_Implicit(bag: Bag) : int = bag[0]
let (|>>) (bag: Bag) (n: int) = bag + n
let run (bag: Bag) =
    task {
        use _ = bag.Changed.Subscribe(fun i -> ())
        let bag = bag |>> 1 |>> 2
        Thread.Sleep bag[0] // PLT201 warning
    }"""
            "exceptions of every kind",
            """exception Stopped of string * int
let run (value: ValueTask<int>) =
    task {
        try
            try
                let! a = value
                if a > 1 then raise (Stopped("x", a))
                return a
            with
            | Stopped(text, n) when n > 2 -> return text.Length
            | :? AggregateException as e when e.InnerExceptions.Count = 1 -> return 1
            | Failure message -> return message.Length
        finally
            Thread.Sleep 1 // PLT201 warning
    }"""
            "loops with mutable state",
            """let run (next: Func<ValueTask<bool>>) =
    task {
        let mutable go = true
        let count = ref 0
        while go && count.Value < 10 do
            let! more = next.Invoke()
            go <- more
            count.Value <- count.Value + 1
        while (Thread.Sleep 1; count.Value < 1) do // PLT201 warning
            count.Value <- 2
        for i = 10 downto 1 do
            count.Value <- i
    }"""
            "type extensions, interfaces with static members and defaults",
            """type IAdd<'T when 'T :> IAdd<'T>> =
    static abstract Zero: 'T
    abstract Add: 'T -> 'T
type Number =
    { Value: int }
    interface IAdd<Number> with
        static member Zero = { Value = 0 }
        member this.Add other = { Value = this.Value + other.Value }
type Task<'T> with
    member this.Twice() =
        task {
            let! a = this
            Thread.Sleep 1 // PLT201 warning
            let! b = this
            return a, b
        }
let zero<'T when 'T :> IAdd<'T>> () = 'T.Zero"""
            "lazy values, functions as values, partial application",
            """let later = lazy (Thread.Sleep 1)
let apply f x = f x
let both = apply >> fun g -> g >> g
let run (fs: (int -> int) list) =
    task {
        let add a b c = a + b + c
        let two = add 1 2
        let all = List.fold (>>) id fs
        later.Force() // PLT202 warning
        Thread.Sleep(both two 1 |> all) // PLT201 warning
    }"""
            "nested bodies of several builders",
            """let run (value: ValueTask<int>) =
    async {
        let! a =
            task {
                let! x = value // PLT102 warning
                let! y = async { return! Task.FromResult x |> Async.AwaitTask }
                let! z = value // PLT101 warning, PLT102 warning
                return x + y + z
            }
            |> Async.AwaitTask
        do! Async.Sleep a
        Thread.Sleep 1 // PLT201 warning
    }"""
        ]

    let names: TheoryData<string> = TheoryData<string>(List.map fst cases)

    [<Theory>]
    [<MemberData(nameof names)>]
    let ``sources of every kind are analysed as a whole, and their mistake is found`` (name: string) =
        let text =
            "module Sample\n" + Survival.opens + (cases |> List.find (fst >> (=) name) |> snd)

        let report = Survival.source "Sample" text
        Survival.isWhole report
        Survival.finds text report
        Assert.True(report.Coverage.Declarations > 0)

    [<Fact>]
    let ``a signature file beside its file hides nothing`` () =
        let implementation =
            "module Signed\nopen System.Threading\nlet private hidden (n: int) = task { Thread.Sleep n } // PLT201 warning\nlet shown (n: int) = hidden n\n"

        let report =
            Survival.sources
                "Signed"
                [
                    "Signed.fsi", "module Signed\nval shown: int -> System.Threading.Tasks.Task<unit>\n"
                    "Signed.fs", implementation
                ]

        Survival.isWhole report
        Survival.finds implementation report

    [<Fact>]
    let ``a pinned pointer, which the compiler does not show, costs its line`` () =
        let text =
            "module Pinned\n#nowarn \"9\"\n"
            + "let first (numbers: int[]) =\n    use pointer = fixed numbers\n    NativeInterop.NativePtr.read pointer\n"
            + "let run () = task { System.Threading.Thread.Sleep(first [| 1 |]) } // PLT201 warning\n"

        let report = Survival.source "Pinned" text
        Survival.finds text report
        Assert.Equal(0, report.Coverage.TypeErrors)
        Assert.Equal(1, report.Coverage.LostLines)
        Assert.Equal(0, report.Coverage.NotAnalysed)

    [<Fact>]
    let ``a body that builds its state machine by hand is left out, and counted`` () =
        let text =
            "module ByHand\nopen FSharp.Core.CompilerServices\nlet inline step (code: ResumableCode<int, unit>) (machine: byref<ResumableStateMachine<int>>) = code.Invoke &machine\n"
            + "let run () = task { System.Threading.Thread.Sleep 1 } // PLT201 warning\n"

        let report = Survival.source "ByHand" text
        Survival.finds text report
        Assert.Equal(1, report.Coverage.Skipped)
        Assert.Equal(0, report.Coverage.NotAnalysed)
