// The programs of one builder, gathered. The build copies this file for each builder.
module Plait.Tests.Programs.DirectSubjects

open Plait.Tests.Programs
open Plait.Tests.Programs.Direct

let private each programs =
    [ for name, program in programs -> name, (fun given -> asTask (program given)) ]

let subject =
    {
        Promise = promise
        Flow = each (DirectFlow.programs @ DirectRecursion.programs)
        Values = each DirectBinding.values
        Units = each DirectBinding.units
        Usings = each DirectBinding.usings
        Yields = DirectBinding.yields >> asTask
        Ranges = DirectBinding.ranges >> asTask
        Using = fun resource -> DirectDisposal.using resource >> asTask
        UsingBound = fun resource -> DirectDisposal.usingBound resource >> asTask
        UsingBoth = DirectDisposal.both >> asTask
        UsingNothing = DirectDisposal.nothing >> asTask
        Items = fun items -> DirectDisposal.items items >> asTask
        ItemsUnder = fun items token -> DirectDisposal.itemsUnder items token >> asTask
        MixedLoops = fun items -> DirectDisposal.mixedLoops items >> asTask
        Two = fun first second -> DirectTogether.two first second >> asTask
        Tasks = fun first second -> DirectTogether.tasks first second >> asTask
        Three = fun first second third -> DirectTogether.three first second third >> asTask
        Five = DirectTogether.five >> asTask
        Mixed = DirectTogether.mixed >> asTask
        Caught = fun first second -> DirectTogether.caught first second >> asTask
        Contexts = each DirectContexts.programs
        Interpret = fun world -> DirectInterpreted.run world >> asTask
    }
