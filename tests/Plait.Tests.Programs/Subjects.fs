// The programs of one builder, gathered. Compiled for each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Subjects

open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let private each programs =
    [ for name, program in programs -> name, (fun given -> asTask (program given)) ]

let subject =
    {
        Promise = promise
        Flow = each (Flow.programs @ Recursion.programs)
        Values = each Binding.values
        Units = each Binding.units
        Usings = each Binding.usings
        Yields = Binding.yields >> asTask
        Ranges = Binding.ranges >> asTask
        Using = fun resource -> Disposal.using resource >> asTask
        UsingBound = fun resource -> Disposal.usingBound resource >> asTask
        UsingBoth = Disposal.both >> asTask
        UsingNothing = Disposal.nothing >> asTask
        Items = fun items -> Disposal.items items >> asTask
        ItemsUnder = fun items token -> Disposal.itemsUnder items token >> asTask
        MixedLoops = fun items -> Disposal.mixedLoops items >> asTask
        Two = fun first second -> Together.two first second >> asTask
        Tasks = fun first second -> Together.tasks first second >> asTask
        Three = fun first second third -> Together.three first second third >> asTask
        Five = Together.five >> asTask
        Mixed = Together.mixed >> asTask
        Caught = fun first second -> Together.caught first second >> asTask
        Contexts = each Contexts.programs
        Interpret = fun world -> Interpreted.run world >> asTask
    }
