// Layer: combinators. The combinators over Tasks that the BCL does not have, as C# calls them.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// <summary>Combinators over functions that start a <c>Task&lt;T&gt;</c>, for C#.</summary>
[<AbstractClass; Sealed; Extension>]
type TaskCombinators =

    /// Starts the operations in order, at most `limit` in flight; none behind a failure.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<Task<'T>>>, limit: int) : Task<'T[]> =
        Task.whenAllThrottled limit (Plait.Kernel.Starts.Of starts)

    /// Starts each operation when the one before has ended; none behind a failure.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<Task<'T>>>) : Task<'T[]> =
        Task.sequential (Plait.Kernel.Starts.Of starts)
