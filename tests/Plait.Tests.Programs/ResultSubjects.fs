// The programs with a result of one builder, gathered. The build copies this file for each builder that has a result.
module Plait.Tests.Programs.DirectResultSubjects

open System.Threading.Tasks

open Plait.Tests.Programs
open Plait.Tests.Programs.Direct

let private task (co: Co<'T>) : Task<'T> = resultTask co

let subject =
    { new ResultSubject(promise) with
        member _.Returned =
            [ for name, program in DirectResults.returned -> name, (fun given -> task (program given)) ]

        member _.Generic(value, yields) =
            task (DirectResults.generic value yields)

        member _.Twice value =
            task (DirectResults.twice (fun value -> DirectResults.generic value 1) value)

        member _.Fails(error, yields) = task (DirectResults.fails error yields)

        member _.Awaits source =
            task (DirectResults.awaitsSame (DirectResults.awaits source))

        member _.Factorial n = task (DirectResults.factorial n)
        member _.YieldingTail n = task (DirectResults.yieldingTail n 0L)

        member _.GatedTail(gate, n) =
            task (DirectResults.gatedTail gate n 0L)

        member _.SynchronousTail n =
            task (DirectResults.synchronousTail n 0L)

        member _.Depth n = task (DirectResults.depth n)
        member _.Turns(count, every) = task (DirectResults.turns count every)
        member _.Stack() = task (DirectResults.stack ())
        member _.Holding(kept, gate) = task (DirectResults.holding kept gate)

        member _.After(source, inspect) =
            task (DirectResults.after source inspect)

        member _.Hopping(hopper, note) =
            task (DirectResults.hopping hopper note)

        member _.AfterEach(source, inspect) =
            let child () = DirectResults.generic 1 1

            task (DirectResults.afterEach source child inspect)
    }
