// Layer: combinators. One of several operations that are awaited together. Owns the invariant that its result is
// taken once, even if nobody wants it: so a pooled operation returns to its pool, and the error of a Task counts as
// observed.
namespace Plait.Kernel

/// Is called when a branch has completed, on the thread that completed it. Never throws.
[<AllowNullLiteral>]
type internal IBranchOwner<'S, 'a when 'S :> ISource<'a>> =
    abstract BranchCompleted: branch: Branch<'S, 'a> -> unit

and [<Sealed; AllowNullLiteral; StackTraceHidden>] internal Branch<'S, 'a when 'S :> ISource<'a>>() as this =
    inherit Frame()

    let action = this.ToAction()

    [<DefaultValue(false)>]
    val mutable private source: 'S

    [<DefaultValue(false)>]
    val mutable private owner: IBranchOwner<'S, 'a>

    [<DefaultValue(false)>]
    val mutable private value: 'a

    [<DefaultValue(false)>]
    val mutable private error: exn

    /// Its place among those of its owner, where that asks for it.
    [<DefaultValue(false)>]
    val mutable internal Place: int64

    /// The result, where there is no error.
    member branch.Value = branch.value

    member branch.Error = branch.error

    override _.Action = action

    override branch.Resume() =
        let source = branch.source
        branch.source <- Unchecked.defaultof<'S>

        try
            branch.value <- source.GetResult()
        with error ->
            branch.error <- error

        match branch.owner with
        | null -> branch.Release()
        | owner ->
            branch.owner <- null
            owner.BranchCompleted branch

    /// Back to the pool, by its owner.
    member branch.Release() =
        branch.value <- Unchecked.defaultof<'a>
        branch.error <- null
        SmallObjectPool<Branch<'S, 'a>>.Return branch

    static member Rent(source: 'S, owner: IBranchOwner<'S, 'a>) =
        let branch = SmallObjectPool<Branch<'S, 'a>>.Rent()
        branch.source <- source
        branch.owner <- owner
        branch

    /// Waits for the operation, or completes at once if the operation has. The last thing that is done with a branch.
    member branch.Go() =
        let source = branch.source

        if SafeSource<'S, 'a>.IsCompleted source then
            branch.Resume()
        else
            SafeSource<'S, 'a>.Register(source, branch)

    /// Awaits an operation in the background and drops its result.
    static member Discard(source: 'S) = Branch<'S, 'a>.Rent(source, null).Go()
