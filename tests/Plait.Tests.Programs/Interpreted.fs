// The interpreter of programs that are data, line by line the one in C#. Compiled for each builder: see the project
// file.
module rec Plait.Tests.Programs.PooledValueTasks.Interpreted

open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

/// Runs a program.
let run (world: World) (steps: Step[]) : Co =
    co {
        for step in steps do
            if not (world.Did step) then
                match step with
                | :? Pause -> do! Task.Yield()
                | :? Await as some when some.Kind = Awaited.Task ->
                    let! _ = world.TaskOf some
                    ()
                | _ -> do! one world step
    }

let private awaiting (world: World) (step: Await) : Co =
    co {
        match step.Kind with
        | Awaited.Task ->
            let! _ = world.TaskOf step
            ()
        | Awaited.ValueTask ->
            let! _ = world.ValueTaskOf step
            ()
        | Awaited.Awaiter ->
            let! _ = StructAwaitable(world.EndingOf step)
            ()
        | _ ->
            let! _ = PlainAwaitable(world.EndingOf step)
            ()

        world.Read()
    }

let private trying (world: World) (step: Try) : Co =
    co {
        try
            for step in step.Body do
                if not (world.Did step) then
                    match step with
                    | :? Pause -> do! Task.Yield()
                    | _ -> do! one world step
        with error ->
            world.Caught error
            world.Read()

            for step in step.Handler do
                if not (world.Did step) then
                    match step with
                    | :? Pause -> do! Task.Yield()
                    | _ -> do! one world step

        world.Read()
    }

let private ending (world: World) (step: Finally) : Co =
    co {
        try
            for step in List.ofArray step.Body do
                if not (world.Did step) then
                    match step with
                    | :? Pause -> do! Task.Yield()
                    | _ -> do! one world step
        finally
            world.Read()
            world.Write step.Written
            world.Note "finally"

        world.Read()
    }

let private using (world: World) (step: Using) : Co =
    co {
        // a scope of its own: the disposal comes before the last line
        if true then
            use _resource = world.Open step

            for step in ResizeArray step.Body do
                if not (world.Did step) then
                    match step with
                    | :? Pause -> do! Task.Yield()
                    | _ -> do! one world step

        world.Read()
    }

let private looping (world: World) (step: Loop) : Co =
    co {
        let mutable turn = 0

        while turn < step.Turns do
            turn <- turn + 1

            for step in Seq.ofArray step.Body do
                if not (world.Did step) then
                    match step with
                    | :? Pause -> do! Task.Yield()
                    | _ -> do! one world step

        world.Read()
    }

let private pair (world: World) (step: Both) : Co =
    co {
        let left = world.Fork()
        let right = world.Fork()

        try
            let! () = run left step.Left
            and! () = run right step.Right
            ()
        finally
            world.Join left
            world.Join right

        world.Read()
    }

let private callThenRead (world: World) (step: CallThenRead) : Co =
    co {
        let fork = world.Fork()
        let call = run fork step.Body
        world.Read()
        do! call
        world.Join fork
        world.Read()
    }

let private one (world: World) (step: Step) : Co =
    co {
        match step with
        | :? Await as step -> do! awaiting world step
        | :? Call as step ->
            do! run world step.Body
            world.Read()
        | :? CallThenRead as step -> do! callThenRead world step
        | :? Tail as step -> return! run world step.Body
        | :? Try as step -> do! trying world step
        | :? Finally as step -> do! ending world step
        | :? Using as step -> do! using world step
        | :? Loop as step -> do! looping world step
        | :? Both as step -> do! pair world step
        | _ -> failwith $"{step}"
    }
