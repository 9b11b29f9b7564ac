// Layer: builders. Opens the modules of overloads even in code that never opens this namespace (it may use a builder that another
// module re-exports). Their order is their rank: the last one is tried first.
namespace Plait.RuntimeAsync.Kernel

[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.OffContextRefusal")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.OffContextLastResorts")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.OffContextStructurals")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.OffContextTyped")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.OffContextTasks")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeRefusal")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeLastResorts")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeStructurals")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeSteps")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeTyped")>]
[<assembly: AutoOpen("Plait.RuntimeAsync.Kernel.RuntimeFallbacks")>]
do ()
