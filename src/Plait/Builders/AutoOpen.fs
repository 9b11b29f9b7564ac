// Layer: builders. Opens the modules of overloads even in code that never opens Plait (it may use a builder that
// another module re-exports). Their order is their rank: the last one is tried first.
namespace Plait

[<assembly: AutoOpen("Plait.Kernel.Refusal")>]
[<assembly: AutoOpen("Plait.Kernel.LastResortSources")>]
[<assembly: AutoOpen("Plait.Kernel.StructuralSources")>]
[<assembly: AutoOpen("Plait.Kernel.TypedSources")>]
[<assembly: AutoOpen("Plait.Kernel.TaskSources")>]
[<assembly: AutoOpen("Plait.Kernel.MachineRefusal")>]
[<assembly: AutoOpen("Plait.Kernel.MachineSources")>]
[<assembly: AutoOpen("Plait.Kernel.MachineFallbacks")>]
[<assembly: AutoOpen("Plait.Kernel.TaskRefusal")>]
[<assembly: AutoOpen("Plait.Kernel.TaskLastResorts")>]
[<assembly: AutoOpen("Plait.Kernel.TaskStructurals")>]
[<assembly: AutoOpen("Plait.Kernel.TaskTyped")>]
[<assembly: AutoOpen("Plait.Kernel.TaskFallbacks")>]
[<assembly: AutoOpen("Plait.Kernel.TaskMergesRefused")>]
[<assembly: AutoOpen("Plait.Kernel.TaskMergesOfRank0")>]
[<assembly: AutoOpen("Plait.Kernel.TaskMergesOfRank1")>]
[<assembly: AutoOpen("Plait.Kernel.TaskMergesOfRank2")>]
[<assembly: AutoOpen("Plait.Kernel.TaskMergesOfRank3")>]
[<assembly: AutoOpen("Plait.Kernel.StrandFallbacks")>]
do ()
