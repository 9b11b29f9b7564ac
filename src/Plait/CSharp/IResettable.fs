// Layer: C# door. What an object that a pool keeps may want to know.
namespace Plait

/// An object that is told when it goes back to a pool.
type IResettable =

    /// Forgets what belongs to the use that has ended. Must not throw; called by the thread that gives the object back.
    abstract Reset: unit -> unit
