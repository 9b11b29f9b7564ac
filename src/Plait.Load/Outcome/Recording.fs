// A load run as reports know it.
namespace Plait.Load

open Plait.Report


/// A load run with what stands around it: what reports are made of.
type Recording =
    {
        /// What it is called among others.
        Name: string
        /// The command that repeats it.
        Command: string
        Outcome: Outcome
        /// What a reader should know besides what makes the run invalid, one sentence each.
        Warnings: string list
        /// Where it ran; None where that is not known.
        Environment: RunEnvironment option
    }
