// The routes as rows of a comparison: each a process of the C# web service that serves one of them.
module Plait.Lab.AdapterRoutes

open Plait.Report
open Plait.Lab.Cards

/// The route that every ratio is against.
let theBase = "base"

/// The A/A control.
let control = "base-again"

let private routes =
    [
        theBase, "base", Family.Base, None, "The same work inline, without an adapter."
        control,
        "base, again",
        Family.Control,
        None,
        "The same in a process of its own: a difference from 1 here is chance."
        "async",
        "async, StartAsTask",
        Family.FSharp,
        Some "FSharp.Core",
        "F#'s async, queued to the pool at the edge."
        "async-immediate",
        "async, StartImmediateAsTask",
        Family.FSharp,
        Some "FSharp.Core",
        "F#'s async, begun on the caller's thread."
        "task", "task { }", Family.FSharp, Some "FSharp.Core", "FSharp.Core's task."
        "strand", "strand { }", Family.Plait, Some "Plait", "Plait's strand, as a task at the edge."
        "pooled-value-task",
        "pooledValueTask { }",
        Family.Plait,
        Some "Plait",
        "Plait's pooledValueTask, handed to C# as the ValueTask that it is."
        "csharp-async", "C# async", Family.CSharp, None, "The adapter written in C#."
        "sync-over-async",
        "task, waited for by .Result",
        Family.Published,
        Some "FSharp.Core",
        "A thread that waits for the task: the mistake."
    ]

/// The names of all routes, in their order.
let names = routes |> List.map (fun (name, _, _, _, _) -> name)

/// Bytes that a route's body is longer by, as published: 338, 340 and 339.
let padding (name: string) : int =
    match name with
    | "async"
    | "async-immediate" -> 2
    | "task"
    | "strand"
    | "pooled-value-task" -> 1
    | _ -> 0

/// The name of the cards that are asked for.
let card (seed: int) : string = Deck.name seed (Deck.subject seed)

/// The path that is asked for.
let path (seed: int) : string = "/cards/" + card seed

/// The right answer of a route, byte for byte.
let body (settings: AdapterSettings) (name: string) : string =
    let seed = settings.Pairs.Seed

    let padded =
        if List.contains UnequalBodies settings.Defects then padding name else 0

    Deck.expectedBody seed (Deck.subject seed) + System.String(' ', padded)

/// The arguments of a route's process.
let arguments (settings: AdapterSettings) (upstream: string) (name: string) : string list =
    let has defect = List.contains defect settings.Defects

    [
        "--route"
        name
        "--upstream"
        upstream
        "--card"
        card settings.Pairs.Seed
        if has ClientPerRequest then
            "--client-per-request"
        if has ConsoleLogging then
            "--console-logging"
        if has UnequalBodies && padding name > 0 then
            "--padding"
            string (padding name)
    ]

/// The routes, below the folder of the candidates; without the address of the card service.
let candidates (folder: string) : Candidate list =
    let web = CardService.assembly folder "Plait.Lab.CardWeb"

    routes
    |> List.mapi (fun index (name, label, family, library, description) ->
        {
            Name = name
            Label = label
            Family = family
            Library = library
            Factors = []
            Blocks = false
            Order = index
            Published = []
            Description = description
            Assembly = web
            Arguments = []
            Absence = None
        })

/// A row with all the arguments of its process.
let configured (settings: AdapterSettings) (upstream: string) (row: RowPlan) : RowPlan =
    { row with
        Candidate = { row.Candidate with Arguments = arguments settings upstream row.Candidate.Name }
    }
