// Programs that touch the contexts of their thread, line by line those in C#. Compiled for each builder: see the project
// file.
module Plait.Tests.Programs.PooledValueTasks.Contexts

open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let private child (world: World) : Co =
    co {
        world.Write 50
        let! _ = Foreign.Return 1
        world.Write 60
    }

/// All of them, by name.
let programs: (string * (World -> Co)) list =
    [
        "read",
        fun world ->
            co {
                world.Read()
                do! Task.Yield()
                world.Read()
            }
        "set",
        fun world ->
            co {
                world.Write 5
                world.Read()
            }
        "set and throw",
        fun world ->
            co {
                world.Write 5
                raise world.Error
            }
        "set, yield, set",
        fun world ->
            co {
                world.Write 5
                do! Task.Yield()
                world.Read()
                world.Write 6
                world.Read()
            }
        "set, yield, throw",
        fun world ->
            co {
                world.Write 5
                do! Task.Yield()
                world.Read()
                raise world.Error
            }
        "completed by a foreign thread",
        fun world ->
            co {
                world.Write 5
                let! _ = StructAwaitable(Ending 1)
                world.Read()
                let! _ = Foreign.Return 1
                world.Read()
                let! _ = PlainAwaitable(Ending 1)
                world.Read()
                let! _ = world.ValueTaskOf(Await(Awaited.ValueTask, false, false))
                world.Read()
            }
        "flow suppressed and left so",
        fun world ->
            co {
                ExecutionContext.SuppressFlow() |> ignore
                world.Write 5
                do! Task.CompletedTask
            }
        "flow suppressed around a suspension",
        fun world ->
            co {
                world.Write 5
                let suppressed = ExecutionContext.SuppressFlow()
                let pending = Foreign.Return 1
                suppressed.Undo()
                let! _ = pending
                world.Read()
            }
        "SynchronizationContext replaced",
        fun world ->
            co {
                SynchronizationContext.SetSynchronizationContext null
                world.Read()
                do! Task.Yield()
                world.Read()
            }
        "SynchronizationContext replaced, then a throw",
        fun world ->
            co {
                SynchronizationContext.SetSynchronizationContext(SynchronizationContext())
                raise world.Error
            }
        "writes in while",
        fun world ->
            co {
                let mutable i = 0

                while i < 3 do
                    world.Read()
                    world.Write(10 + i)
                    let! _ = Foreign.Return 1
                    world.Read()
                    world.Write(20 + i)
                    i <- i + 1

                world.Read()
            }
        "writes in for",
        fun world ->
            co {
                for i in [| 1; 2 |] do
                    world.Read()
                    let! _ = Foreign.Return 1
                    world.Write(10 + i)

                world.Read()

                for i in [ 3; 4 ] do
                    world.Read()
                    let! _ = Foreign.Return 1
                    world.Write(10 + i)

                world.Read()
            }
        "writes in try",
        fun world ->
            co {
                try
                    world.Write 5
                    let! _ = Foreign.Return 1
                    world.Read()
                    world.Write 6
                    let! _ = Foreign.Return 1
                    world.Write 7
                finally
                    world.Read()
                    world.Write 8

                world.Read()
                let! _ = Foreign.Return 1
                world.Read()
            }
        "writes in a handler",
        fun world ->
            co {
                try
                    let! _ = Foreign.Return 1
                    world.Write 6
                    raise world.Error
                with error ->
                    world.Caught error
                    world.Read()
                    let! _ = Foreign.Return 1
                    world.Read()
                    world.Write 7

                world.Read()
            }
        "writes in use",
        fun world ->
            co {
                if true then
                    use _pending = world.Open(Using(true, false, 8, [||]))
                    let! _ = Foreign.Return 1
                    world.Write 6

                world.Read()

                if true then
                    use _done = world.Open(Using(false, false, 9, [||]))
                    world.Write 7
                    let! _ = Foreign.Return 1
                    world.Read()

                world.Read()
            }
        "writes after a statement that suspended",
        fun world ->
            co {
                if world.WritesContext || not world.WritesContext then
                    let! _ = Foreign.Return 1
                    world.Write 6

                world.Read()
                let! _ = Foreign.Return 1
                world.Read()
            }
        "a sequence that goes back to the context",
        fun world ->
            co {
                world.Write 5

                for _ in world.Items() do
                    world.Read()

                world.Read()
            }
        "a sequence that is configured to go back",
        fun world ->
            co {
                world.Write 5

                for _ in world.Items().ConfigureAwait true do
                    world.Read()

                world.Read()
            }
        "a sequence that is configured to stay away",
        fun world ->
            co {
                world.Write 5

                for _ in world.Items().ConfigureAwait false do
                    world.Read()

                world.Read()
            }
        "a child that writes",
        fun world ->
            co {
                world.Write 5
                do! child world
                world.Read()
                do! Task.Yield()
                do! child world
                world.Read()
            }
        "a child that writes, awaited later",
        fun world ->
            co {
                world.Write 5
                let child = child world
                world.Write 6
                let! _ = Foreign.Return 1
                do! child
                world.Read()
            }
    ]
