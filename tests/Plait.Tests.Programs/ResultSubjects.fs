// The programs with a result of one builder, gathered. Compiled for each builder that has a result: see the project
// file.
module Plait.Tests.Programs.PooledValueTasks.ResultSubjects

open System.Threading.Tasks

open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let private task (co: Co<'T>) : Task<'T> = resultTask co

let subject =
    { new ResultSubject(promise) with
        member _.Returned =
            [ for name, program in Results.returned -> name, (fun given -> task (program given)) ]

        member _.Generic(value, yields) = task (Results.generic value yields)

        member _.Twice value =
            task (Results.twice (fun value -> Results.generic value 1) value)

        member _.Fails(error, yields) = task (Results.fails error yields)

        member _.Awaits source =
            task (Results.awaitsSame (Results.awaits source))

        member _.Factorial n = task (Results.factorial n)
        member _.YieldingTail n = task (Results.yieldingTail n 0L)

        member _.GatedTail(gate, n) = task (Results.gatedTail gate n 0L)

        member _.SynchronousTail n = task (Results.synchronousTail n 0L)

        member _.Depth n = task (Results.depth n)
        member _.Turns(count, every) = task (Results.turns count every)
        member _.Stack() = task (Results.stack ())
        member _.Holding(kept, gate) = task (Results.holding kept gate)

        member _.After(source, inspect) = task (Results.after source inspect)

        member _.Hopping(hopper, note) = task (Results.hopping hopper note)

        member _.AfterEach(source, inspect) =
            let child () = Results.generic 1 1

            task (Results.afterEach source child inspect)
    }
