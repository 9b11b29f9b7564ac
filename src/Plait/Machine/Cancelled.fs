// Layer: machine. The end of code whose token is cancelled: the results of operations that have begun, and the disposal of resources.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// Awaits an operation that nobody awaits any more, and drops its result or error.
[<Sealed; StackTraceHidden>]
type internal DrainFrame<'S, 'a when 'S :> ISource<'a>>(source: 'S) =
    inherit Frame()
    override frame.Action = Action frame.Resume

    override _.Resume() =
        try
            source.GetResult() |> ignore
        with _ ->
            ()

/// Whether code may have to dispose a result of a type.
[<AbstractClass; Sealed>]
type internal Resource<'a> =

    static let isOperation (part: Type) : bool =
        typeof<Task>.IsAssignableFrom part
        || part.IsGenericType && part.GetGenericTypeDefinition() = typedefof<ValueTask<_>>

    static let rec holds (part: Type) : bool =
        not (isOperation part)
        && (typeof<IAsyncDisposable>.IsAssignableFrom part
            || typeof<IDisposable>.IsAssignableFrom part
            || part.IsArray && holds (nonNull (part.GetElementType()))
            || part.IsGenericType && Array.exists holds (part.GetGenericArguments()))

    /// True also for an array, a Result, an option or a tuple of such a type; false for a Task or ValueTask, whatever it gives.
    static member val Is = holds typeof<'a>

/// An operand, or a part of one, that has begun before its bind.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IBegun =

    /// Drops its result when it comes, so that a pooled operation is given back and an error of a Task counts as observed.
    abstract Drop: token: CancellationToken -> unit

/// The end of code whose token is cancelled. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Cancelled =

    static member internal Forget<'S, 'a when 'S :> ISource<'a>>
        (source: 'S, token: CancellationToken)
        : unit =
        TokenSources<'S>.Give(source, token)
        let frame = DrainFrame<'S, 'a> source

        if SafeSource<'S, 'a>.IsCompleted source then
            frame.Resume()
        else
            SafeSource<'S, 'a>.Register(source, frame)

    static member internal ForgetBegun<'K>(kind: 'K, token: CancellationToken) : unit =
        match box kind with
        | :? IBegun as begun -> begun.Drop token
        | _ -> ()

    /// Throws. From here on the code, in a handler, is no longer late.
    static member private End(data: byref<Data<'T>>) : unit =
        data.IsLate <- false
        raise (OperationCanceledException data.Token)

    /// Throws, in place of a bind of an operation that has started: its result is dropped when it comes. A resource must reach the
    /// code that disposes it: its bind is done, and the next one, or the next turn of a loop, throws.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Drop<'T, 'S, 'a when 'S :> ISource<'a>>(data: byref<Data<'T>>, source: 'S) : unit =
        if Resource<'a>.Is then
            TokenSources<'S>.Give(source, data.Token)
            data.IsLate <- true
        else
            Cancelled.Forget<'S, 'a>(source, data.Token)
            Cancelled.End &data

    /// Throws, in place of a bind that starts operations: the results of those that have begun already are dropped.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member DropBegun<'T, 'K>(data: byref<Data<'T>>, kind: 'K) : unit =
        Cancelled.ForgetBegun(kind, data.Token)
        Cancelled.End &data

    /// Throws, in place of a turn of a loop behind a bind that `Drop` has let pass.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Turn<'T>(data: byref<Data<'T>>) : unit = Cancelled.End &data
