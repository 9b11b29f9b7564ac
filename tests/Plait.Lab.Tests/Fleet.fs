// Every way of running every candidate (with --sync-fn where that applies), each as one process that all tests share.
// A process starts when it is first asked, and ends with the tests: its standard input ends with them.
module Plait.Lab.Tests.Fleet

open System.Collections.Generic
open System.IO
open System.Text.Json
open System.Xml.Linq
open Xunit

open Plait.Common
open Plait.Load
open Plait.Lab.Language
open Plait.Lab
open Plait.Tests.Support

/// The candidates that are built, in their order.
let candidates = lazy Candidate.discover Built.candidatesFolder

/// One process of the fleet. Asking is safe from many threads.
type Ship(plan: RowPlan) =
    let start () =
        LineProcess.Start(
            {
                Subject = plan.Id
                File = CandidateProcess.Host
                Arguments = plan.Candidate.Assembly :: plan.Arguments
                Variables = []
                Core = None
            },
            int Within.limit.TotalMilliseconds
        )

    let started = lazy (start ())

    let served =
        lazy
            ((fst started.Value)
                .Ask("starting to serve", """{"do":"serve"}""", 60000)
                .GetProperty("port")
                .GetInt32())

    /// The name with the factor behind it.
    member _.Id = plan.Id
    /// What is run.
    member _.Plan = plan
    /// The first line it sent.
    member _.Introduction = snd started.Value

    /// Asks one line and returns the answer; raises WorkerFailed when the answer is an error.
    member this.Ask(request: string) : JsonElement =
        lock this (fun () ->
            (fst started.Value).Ask("being tested", request, int Within.limit.TotalMilliseconds))

    /// The port it serves on.
    member this.Port = lock this (fun () -> served.Value)

/// All of them, in the order of the candidates.
let ships = lazy [ for plan in RowPlan.ofCandidates candidates.Value -> Ship plan ]

/// The candidates that `make test` builds. What is asked of others is for `make test-more`.
let private tested =
    lazy
        (let project =
            XDocument.Load(Path.Combine(Built.root, "candidates", "Candidates.proj"))

         (project.Descendants(XName.Get "TestedRows") |> Seq.exactlyOne).Value.Split ';'
         |> Set.ofArray)

let private rows (all: (string * Candidate) list) =
    [|
        for name, candidate in all do
            let row = TheoryDataRow<string> name

            if not (tested.Value.Contains candidate.Name) then
                row.Traits["run"] <- HashSet [ "more" ]

            row
    |]

/// The ids of all ways as theory data.
let ids = rows [ for ship in ships.Value -> ship.Id, ship.Plan.Candidate ]

/// The names of all candidates as theory data.
let names = rows [ for candidate in candidates.Value -> candidate.Name, candidate ]

/// One of them.
let ship (id: string) =
    ships.Value |> List.find (fun ship -> ship.Id = id)

/// What candidate.json says under a name that only the candidates themselves use.
let described (name: string) (candidate: Candidate) : JsonElement option =
    let folder = nonNull (Path.GetDirectoryName candidate.Assembly)

    use document =
        JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, "candidate.json")))

    match document.RootElement.TryGetProperty name with
    | true, value -> Some(value.Clone())
    | _ -> None

/// The request that evaluates a program.
let evaluation (program: Expr) : string =
    use buffer = new MemoryStream()
    use writer = new Utf8JsonWriter(buffer)
    writer.WriteStartObject()
    writer.WriteString("do", "evaluate")
    writer.WritePropertyName "program"
    ExprJson.write writer program
    writer.WriteEndObject()
    writer.Flush()
    System.Text.Encoding.UTF8.GetString(buffer.ToArray())

/// The value of a program as the ship wrote it, or the sentence of its error.
let evaluate (request: string) (ship: Ship) : string =
    try
        (ship.Ask request).GetProperty("value").GetRawText()
    with :? WorkerFailed as trouble ->
        "error: " + trouble.Message.Replace(ship.Id, "it")

/// What all ships answer, each answer with those that gave it: one entry when they agree.
let answers (program: Expr) : (string * string list) list =
    let request = evaluation program
    let found = Dictionary<string, List<string>>()

    for ship in ships.Value do
        let answer = evaluate request ship

        if not (found.ContainsKey answer) then
            found[answer] <- List()

        found[answer].Add ship.Id

    [ for entry in found -> entry.Key, List.ofSeq entry.Value ]
