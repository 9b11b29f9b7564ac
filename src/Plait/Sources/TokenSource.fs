// Layer: sources. Operations that begin with a token of the code that awaits them. Owns the rule that a source without such an
// operation is asked once for each type, and not for each await.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// A source that begins with a token.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ITokenSource =

    /// Whether there is anything to give the token to.
    abstract TakesToken: bool

    /// Gives the token, before the source is asked for anything else.
    abstract Take: token: CancellationToken -> unit

/// Whether a type of source begins with a token.
[<AbstractClass; Sealed>]
type internal TokenSources<'S> =

    [<DefaultValue(false)>]
    static val mutable private isOther: bool

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private Ask(source: 'S, token: CancellationToken) =
        match box source with
        | :? ITokenSource as taker when taker.TakesToken -> taker.Take token
        | _ -> TokenSources<'S>.isOther <- true

    /// Gives the token to a source that takes it.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Give(source: 'S, token: CancellationToken) =
        if not TokenSources<'S>.isOther then
            TokenSources<'S>.Ask(source, token)

    /// Whether the source takes one.
    static member Takes(source: 'S) =
        match box source with
        | :? ITokenSource as taker -> taker.TakesToken
        | _ -> false

/// An async that begins when its source is first asked.
[<Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AsyncStart<'a>(work: Async<'a>) =
    let mutable token = CancellationToken.None
    let mutable task: Task<'a> = null

    member internal _.Take given = token <- given

    /// The async as a Task, started at the first call.
    member internal _.Task =
        match task with
        | null ->
            task <- Async.StartImmediateAsTask(work, token)
            task
        | task -> task

/// An Async, started on the calling thread with the token of the code that awaits it.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AsyncSource<'a, 'Affinity when 'Affinity :> IAffinity>(start: AsyncStart<'a>) =
    interface ITokenSource with
        member _.TakesToken = true
        member _.Take token = start.Take token

    interface ISource<'a> with
        member _.IsCompleted = start.Task.IsCompleted
        member _.GetResult() = start.Task.GetAwaiter().GetResult()

        member _.Register frame =
            start.Task.ConfigureAwait('Affinity.Captures).GetAwaiter().UnsafeOnCompleted frame.Action

        member _.Reference = start.Task

        member _.GetResultOf kept =
            Unsafe.As<Task<'a>>(kept).GetAwaiter().GetResult()
