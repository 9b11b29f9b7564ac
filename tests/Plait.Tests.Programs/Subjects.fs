// The programs of one builder, gathered. Compiled for each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Subjects

open System.Threading.Tasks

open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let private task (co: Co) : Task = asTask co

let private each programs =
    [ for name, program in programs -> name, (fun given -> task (program given)) ]

let subject =
    {
        Promise = promise
        Flow = each (Flow.programs @ Recursion.programs)
        Values = each Binding.values
        Units = each Binding.units
        Usings = each Binding.usings
        Yields = Binding.yields >> task
        Ranges = Binding.ranges >> task
        Using = fun resource -> Disposal.using resource >> task
        UsingBound = fun resource -> Disposal.usingBound resource >> task
        UsingBoth = Disposal.both >> task
        UsingNothing = Disposal.nothing >> task
        Items = fun items -> Disposal.items items >> task
        ItemsUnder = fun items token -> Disposal.itemsUnder items token >> task
        MixedLoops = fun items -> Disposal.mixedLoops items >> task
        Two = fun first second -> Together.two first second >> task
        Tasks = fun first second -> Together.tasks first second >> task
        Three = fun first second third -> Together.three first second third >> task
        Five = Together.five >> task
        Mixed = Together.mixed >> task
        Caught = fun first second -> Together.caught first second >> task
        Contexts = each Contexts.programs
        Interpret = fun world -> Interpreted.run world >> task
    }
