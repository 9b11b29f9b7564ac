// The interpreter of streams that are data. Compiled for each builder: see the project file.
module rec Plait.Tests.Programs.Streams.StreamInterpreted

open System.Collections.Generic

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.Streams

/// The stream of a script.
let run (world: ScriptWorld) (script: Script) : IAsyncEnumerable<int> =
    co {
        match script with
        | Script.Item item -> yield item
        | Script.Note note -> world.Log $"note {note}"
        | Script.Await waits ->
            let! _ = world.Await waits
            ()
        | Script.Fail number -> raise (ScriptError number)
        | Script.Both(Script.Item first, Script.Item second) ->
            yield first
            yield second
        | Script.Both(Script.Await waits, second) ->
            let! _ = world.Await waits
            yield! run world second
        | Script.Both(first, second) ->
            yield! run world first
            yield! run world second
        | Script.Loop(kind, turns, body) -> yield! loop world kind turns body
        | Script.Try(body, handler) ->
            try
                yield! run world body
            with error ->
                world.Log $"catches {error.GetType().Name}"
                yield! run world handler
        | Script.Finally(body, note, fails) ->
            try
                yield! run world body
            finally
                world.Close(note, fails)
        | Script.Use(true, waits, note, fails, body) ->
            use _ = world.OpenAsync(waits, note, fails)
            yield! run world body
        | Script.Use(_, _, note, fails, body) ->
            use _ = world.Open(note, fails)
            yield! run world body
        | Script.Sub body ->
            yield! run world body
            ()
        | Script.Each body ->
            for item in run world body do
                yield item
                yield item + 1000
        | Script.Branch body ->
            if world.Entries.StartsWith "never" then
                yield 0

            yield! run world body
        | Script.Last body -> yield! run world body
    }

let private loop (world: ScriptWorld) (kind: int) (turns: int) (body: Script) : IAsyncEnumerable<int> =
    co {
        match kind with
        | 0 ->
            for turn in [ 1..turns ] do
                yield turn
                yield! run world body
                yield -turn
        | 1 ->
            for turn in [| 1..turns |] do
                yield turn
                yield! run world body
                yield -turn
        | 2 ->
            for turn in 1..turns do
                yield turn
                yield! run world body
                yield -turn
        | 3 ->
            for turn in ResizeArray [ 1..turns ] do
                yield turn
                yield! run world body
                yield -turn
        | _ ->
            let mutable turn = 1

            while turn <= turns do
                yield turn
                yield! run world body
                yield -turn
                turn <- turn + 1
    }
