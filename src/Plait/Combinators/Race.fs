// Layer: combinators. `whenAny`: the first of several operations to complete. Owns the invariant that a race is
// reused only after its result was taken and its last branch has completed.
namespace Plait.Kernel

open System
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal Race<'S, 'a when 'S :> ISource<'a>>() =
    inherit PooledSource<'a>()

    [<DefaultValue(false)>]
    val mutable private decided: int

    /// Branches that still run, and the reader of the result.
    [<DefaultValue(false)>]
    val mutable private holders: int

    member private race.Release() =
        if Interlocked.Decrement &race.holders = 0 then
            race.decided <- 0
            // as for a box: where the token begins again the object is retired
            if (race.state >>> 2) &&& 0xFFFF <> 0xFFFF then
                SmallObjectPool<Race<'S, 'a>>.Return race

    override race.Recycle() = race.Release()
    override _.ClearMachine() = ()

    // a race waits by its branches, never itself
    override _.Resume() = ()
    override race.Action = Action(race.Resume)

    interface IBranchOwner<'S, 'a> with
        member race.BranchCompleted branch =
            let value = branch.Value
            let error = branch.Error
            branch.Release()

            if Interlocked.Exchange(&race.decided, 1) = 0 then
                if isNull error then race.Complete(value, false) else race.Fail(error, false)

            race.Release()

    /// The result of the first to end, well or not. Releases the batch.
    static member Run(batch: Batch<'S, 'a>) : ValueTask<'a> =
        let race = SmallObjectPool<Race<'S, 'a>>.Rent()
        race.holders <- batch.Count + 1
        let task = ValueTask<'a>(race :> IValueTaskSource<'a>, race.Token)

        for index in 0 .. batch.Count - 1 do
            Branch<'S, 'a>.Rent(batch[index], race).Go()

        batch.Release()
        task
