// Under test: F# Interactive. One script runs the programs of the folder Fsi in every builder, with the compiler's state
// machines (optimised) and with closures (not optimised); FSharp.Core's `task` says in the same run what has to come of
// them.
[<Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.Fsi

open System
open System.IO
open System.Threading.Tasks
open Xunit

/// A builder as the script sees it, and what is known of it here.
type private Builder =
    {
        Name: string
        /// What its expressions make: with a result of an int, or without one.
        Makes: string
        /// What a body writes to an AsyncLocal never reaches the caller.
        Keeps: bool
        /// The compiler makes state machines of its expressions.
        Machines: bool
    }

    member builder.Title = $"{builder.Name}: {builder.Makes}"
    member builder.HasResult = builder.Makes.EndsWith("<int>", StringComparison.Ordinal)
    member builder.IsReference = builder.Name = "task"

    /// It runs all programs, for itself and for those that differ from it only in how they start and end.
    member builder.IsWhole =
        builder.IsReference
        || List.contains builder.Name [ "strand"; "pooledTask"; "valueTaskUnit"; "Tasks.task" ]

let private builder machines makes (name: string) =
    {
        Name = name
        Makes = makes
        Keeps = not (name.StartsWith("Unsafe.", StringComparison.Ordinal))
        Machines = machines
    }

/// FSharp.Core's `task`, with a result and without one.
let private references =
    [ for makes in [ "Task<int>"; "Task<unit>" ] -> builder false makes "task" ]

let private builders =
    [
        for name in [ "strand"; "Guarded.strand"; "NonAffine.strand"; "Unsafe.strand"; "Unsafe.Bare.strand" ] do
            builder false "Strand<int>" name

        // every choice of one of them, and of those with its members the shapes
        for family in [ ""; "NonAffine."; "Unsafe." ] do
            builder true "ValueTask<int>" $"{family}pooledValueTask"

        builder true "ValueTask" "pooledValueTaskUnit"
        builder true "ValueTask<int>" "valueTask"
        builder true "ValueTask" "valueTaskUnit"
        builder true "Task<int>" "pooledTask"
        builder true "Task<int>" "Tasks.task"
        builder true "Task" "Tasks.taskUnit"
        builder true "Task<int>" "Tasks.backgroundTask"
    ]

let private text (file: string) =
    File.ReadAllText(Repository.path [ "tests"; "Plait.Repository.Tests"; "Fsi"; file ])

let private indented (text: string) =
    text.Split '\n'
    |> Array.map (fun line -> if line = "" then line else "    " + line)
    |> String.concat "\n"

/// The programs in one builder, as a module. FS3511 is said of the recursive functions inside of expressions, and must
/// not be said of anything else.
let private programs (index: int) (builder: Builder) =
    let has file run =
        indented (text file), $"        {run} ()"

    let quiet file run =
        let code, call = has file run
        $"#nowarn \"3511\"\n{code}\n#warnon \"3511\"", call

    let parts =
        [
            has "Starts.fsx" "runStarts"
            quiet "Inside.fsx" "runInside"
            if builder.IsWhole then
                has "Flow.fsx" "runFlow"
            if builder.IsWhole && not builder.IsReference then
                has "Own.fsx" "runOwn"
            if builder.Name.StartsWith("Guarded.", StringComparison.Ordinal) then
                has "Guarded.fsx" "runGuarded"
        ]

    [
        $"module In{index} ="
        $"    let name = \"{builder.Title}\""
        $"    let co = {builder.Name}"
        $"    type Co = {builder.Makes}"
        "    type Here = class end"
        if builder.HasResult then
            "    let give (result: int) = result"
        else
            "    let give (_: int) = ()"
        "    let awaited (program: Given -> Co) (given: Given) = Ending.Of(program given)"
        yield! List.map fst parts
        "    let run () ="
        yield! List.map snd parts
        "        machines name typeof<Here>.DeclaringType"
    ]
    |> String.concat "\n"

/// The whole script. It runs on a thread of its own, whose stack is enough for the deep programs as closures.
let private script =
    lazy
        (let all = references @ builders

         [
             text "World.fsx"
             yield! List.mapi programs all
             "let all () ="
             for index in 0 .. all.Length - 1 do
                 $"    In{index}.run ()"
             "let thread = Thread(all, 256 * 1024 * 1024)"
             "thread.Start()"
             "thread.Join()"
         ]
         |> String.concat "\n")

// to end a hang: a minute is enough on a machine that does nothing else
let private limit = TimeSpan.FromMinutes 30.0

/// The lines that the script prints, by their parts.
let private run (optimize: string) =
    let folder = Directory.CreateTempSubdirectory "plait-fsi-"

    try
        let file = Path.Combine(folder.FullName, "Programs.fsx")
        File.WriteAllText(file, script.Value)
        let library = Repository.library "net10.0"

        use fsi =
            Dotnet.start
                folder.FullName
                [ "fsi"; "--nologo"; "--quiet"; $"--optimize{optimize}"; $"-r:{library}"; file ]

        let said = fsi.StandardError.ReadToEndAsync()
        let printed = fsi.StandardOutput.ReadToEndAsync()

        if not (fsi.WaitForExit(limit)) then
            fsi.Kill true

            Assert.Fail
                $"F# Interactive did not end within {limit.TotalMinutes} minutes. It said: {said.Result}"

        if said.Result.Trim() <> "" || fsi.ExitCode <> 0 then
            Assert.Fail $"F# Interactive ended with {fsi.ExitCode} and said:\n{said.Result}"

        [
            for line in printed.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries) ->
                List.ofArray (line.TrimEnd('\r').Split '\t')
        ]
    finally
        folder.Delete true

/// Both runs at once: most of either is the compiler.
let private printed =
    lazy (dict [ for optimize in [ "+"; "-" ] -> optimize, Task.Run(fun () -> run optimize) ])

[<Theory>]
[<InlineData("+", true)>]
[<InlineData("-", false)>]
let ``every program has the same results in F# Interactive as with FSharp.Core's task``
    (optimize: string, optimized: bool)
    =
    let lines = printed.Value[optimize].GetAwaiter().GetResult()

    /// What came of each program in a builder, and of those with an expectation of their own, what should have.
    let outcomes (builder: Builder) =
        [
            for line in lines do
                match line with
                | name :: program :: rest when name = builder.Title -> program, rest
                | _ -> ()
        ]

    let references =
        references
        |> List.map (fun reference -> reference.HasResult, Map.ofList (outcomes reference))
        |> Map.ofList

    let wrong (builder: Builder) =
        let found = outcomes builder
        let reference = references[builder.HasResult]

        [
            for program, outcome in found do
                match program, outcome with
                | "machines", [ count ] ->
                    if (count <> "0") <> (optimized && builder.Machines) then
                        $"{builder.Title} makes {count} state machines"
                | _, [ outcome; expected ] when outcome = expected -> ()
                | "its own AsyncLocal", _ when not builder.Keeps -> ()
                | _, [ _ ] when Map.tryFind program reference = Some outcome -> ()
                | _ -> $"{builder.Title}, {program}: {outcome}; {Map.tryFind program reference}"

            if builder.IsWhole then
                for program in reference.Keys do
                    if not (List.exists (fst >> (=) program) found) then
                        $"{builder.Title}, {program}: nothing"

            if not (List.exists (fst >> (=) "machines") found) then
                $"{builder.Title}: not all programs"
        ]

    Repository.none "These came to something else:" (List.collect wrong builders)

    Repository.none
        "These never ended:"
        [
            for line in lines do
                if line |> List.exists _.Contains("never ended") then
                    String.concat " " line
        ]
