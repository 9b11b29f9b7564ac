// The rows of the scenario yield, each asked in its own process: what it returns, how often it yields, and the bytes that
// are promised. The program is the Release build, whatever these tests are built as.
module Plait.Lab.Tests.YieldMethods

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Common
open Plait.Report

open Plait.Load
open Plait.Lab
open Plait.Tests.Support

/// What a row answered.
type private Survey =
    {
        Row: YieldRow
        Ready: JsonElement
        Body: string
        /// The results on 3 and 4, and on -5 and 5: "null" where nothing is returned.
        Results: string list
        Bytes: float
        Unknown: string
        /// Operations in a slice of no time.
        Least: int64
    }

let private assembly =
    lazy (List.head (YieldRows.candidates Built.candidatesFolder)).Assembly

let private start (name: string) =
    LineProcess.Start(
        {
            Subject = name
            File = CandidateProcess.Host
            Arguments = [ assembly.Value; name ]
            // Everything is compiled finally at its first call: what code allocates before it is, it later does not.
            Variables = [ "DOTNET_TieredCompilation", "0" ]
            Core = None
        },
        60000
    )

/// Bytes for an operation. Pools fill in the first slices, and threads of a busy machine take turns with them: slices are taken until
/// they are as few as `wanted`, or for long enough; where nothing is promised, the second one.
let private bytes (ask: string -> JsonElement) (wanted: float option) =
    let rec go left =
        let slice = ask """{"do":"run","milliseconds":50}"""

        let bytes =
            slice.GetProperty("allocatedBytes").GetDouble()
            / slice.GetProperty("operations").GetDouble()

        match wanted with
        | Some wanted when bytes <= wanted -> bytes
        | _ when left = 0 -> bytes
        | _ -> go (left - 1)

    go (if wanted.IsSome then 30 else 1)

/// What is promised; None: nothing is.
let private promised (row: YieldRow) =
    match row.Name with
    | "csharp-pooling-t"
    | "csharp-pooling"
    | "csharp-pooled-value-task-t"
    | "csharp-pooled-value-task"
    | "csharp-pooled-value-task-t-by-attribute"
    | "csharp-pooled-value-task-by-attribute"
    | "pooled-value-task"
    | "pooled-value-task-unit"
    | "pooled-value-task-unsafe" -> Some 0.0
    // The Task itself, and nothing else.
    | "csharp-pooled-task-t"
    | "csharp-pooled-task"
    | "csharp-pooled-task-t-by-attribute"
    | "csharp-pooled-task-by-attribute"
    | "pooled-task"
    | "pooled-task-unit"
    | "value-task"
    | "value-task-unit" -> Some 72.0
    | _ -> None

// Starting and ending a slice allocates a few hundred bytes for tens of thousands of operations.
let private tolerance = 0.5

let private survey (row: YieldRow) : Survey =
    let started, ready = start row.Name
    use worker = started

    let ask (request: string) =
        worker.Ask("being tested", request, 60000)

    let call x y =
        (ask $"""{{"do":"call","x":{x},"y":{y}}}""").GetProperty("result").GetRawText()

    let unknown =
        try
            ask """{"do":"serve"}""" |> string
        with :? WorkerFailed as trouble ->
            trouble.Message

    {
        Row = row
        Ready = ready
        Body = nonNull ((ask """{"do":"body"}""").GetProperty("body").GetString())
        Results = [ call 3 4; call -5 5 ]
        Bytes = bytes ask (promised row |> Option.map ((+) tolerance))
        Unknown = unknown
        Least = (ask """{"do":"run","milliseconds":0}""").GetProperty("operations").GetInt64()
    }

let private surveys =
    lazy
        (YieldRows.all
         |> List.chunkBySize 5
         |> List.collect (fun rows ->
             rows
             |> List.map (fun row -> fun () -> survey row)
             |> Within.together "surveying the rows of yield"))

let private returnsNothing (row: YieldRow) =
    row.Name.EndsWith "-unit"
    || (row.Name.StartsWith "csharp-" && not (row.Name.EndsWith "-t" || row.Name.Contains "-t-"))

[<Fact; Trait("run", "more")>]
let ``every row returns the right result after two yields`` () =
    for survey in surveys.Value do
        Assert.Equal((survey.Row.Name, Yield.scenario.Expected), (survey.Row.Name, survey.Body))

        let expected =
            if returnsNothing survey.Row then [ "null"; "null" ] else [ "70"; "0" ]

        Assert.Equal<string * string list>((survey.Row.Name, expected), (survey.Row.Name, survey.Results))

[<Fact; Trait("run", "more")>]
let ``every row reports its name and its library`` () =
    for survey in surveys.Value do
        let text (name: string) =
            Option.ofObj (survey.Ready.GetProperty(name).GetString())

        Assert.Equal(Some survey.Row.Name, text "candidate")
        Assert.Equal(survey.Row.Library, text "library")
        Assert.Equal(survey.Row.Library.IsSome, (text "libraryVersion").IsSome)
        Assert.Contains("body, run and call", survey.Unknown)

[<Fact; Trait("run", "more")>]
let ``a slice holds a round of operations, however late it begins`` () =
    for survey in surveys.Value do
        Assert.Equal((survey.Row.Name, 1000L), (survey.Row.Name, survey.Least))

[<Fact; Trait("run", "more")>]
let ``a pooled row allocates nothing, a row with a Task its Task alone, and any other row more`` () =
    for survey in surveys.Value do
        match promised survey.Row with
        | Some bytes ->
            Assert.True(
                abs (survey.Bytes - bytes) <= tolerance,
                $"{survey.Row.Name}: {survey.Bytes:F2} B/op, {bytes} are promised"
            )
        | None -> Assert.True(survey.Bytes > 72.0, $"{survey.Row.Name}: {survey.Bytes:F2} B/op")

    let bytes name =
        (surveys.Value |> List.find (fun survey -> survey.Row.Name = name)).Bytes

    Assert.InRange(bytes "plait-task", 72.0, bytes "fsharp-task" + tolerance)

[<Fact; Trait("run", "more")>]
let ``the program refuses an unknown row, and names its rows`` () =
    let trouble = Assert.Throws<WorkerFailed>(Action(fun () -> start "strnd" |> ignore))

    Assert.Contains("exit code 2", trouble.Message)
    Assert.Contains("csharp-task-t", trouble.Message)

[<Fact>]
let ``the published table has every row, and its base is the base of the run`` () =
    let published =
        [
            for row in YieldRows.all do
                match row.Published with
                | Some figure -> figure.Variant, figure.Microseconds, figure.Bytes
                | None -> ()
        ]

    Assert.Equal<(string * float * float) list>(
        [
            ".NET Task", 1.390, 112.0
            ".NET Task<T>", 1.397, 120.0
            ".NET ValueTask", 1.408, 120.0
            ".NET ValueTask<T>", 1.405, 128.0
            "pooled Task", 1.361, 72.0
            "pooled Task<T>", 1.349, 72.0
            "pooled ValueTask", 1.366, 0.0
            "pooled ValueTask<T>", 1.374, 0.0
        ],
        List.sort published
    )

    Assert.Equal(1.397, Yield.publishedBase)
    let names = YieldRows.all |> List.map _.Name
    Assert.Equal(names.Length, (List.distinct names).Length)
    Assert.Equal(Family.Base, (List.head YieldRows.all).Family)
    Assert.Equal(Yield.scenario.Base, (List.head YieldRows.all).Name)

[<Fact>]
let ``a folder without the program is refused with the way to build it`` () =
    use folder = new Built.Folder()

    let trouble =
        Assert.Throws<BadInput>(Action(fun () -> YieldRows.candidates folder.Path |> ignore))

    Assert.Contains(Path.Combine("yields", "yields.dll"), trouble.Message)
    Assert.Contains("make build", trouble.Message)
