// Layer: machine. Runs a computation that the compiler did not turn into a state machine (code that is not
// optimised, `let rec` in an expression): closures instead of jumps, with the same box, protocol and sources.
namespace Plait.Kernel

open System
open System.Collections.Concurrent
open System.Runtime.CompilerServices
open System.Threading
open Microsoft.FSharp.Core.CompilerServices

/// Refuses closures that F# has compiled for another machine than theirs. Inside a state machine it writes that machine's type in place
/// of every ResumableStateMachine: also into the closures of a computation inside it that is none, which would write their result
/// into the memory beside their machine. The types of the closures that were looked at are kept, not those of collectible code. The
/// code of a cold function makes its closures when it runs: those are not seen.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal Closures =
    static let sound = ConcurrentDictionary<Type, unit>()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private Look<'Data, 'U>(code: ResumableCode<'Data, 'U>) : unit =
        let machine = (Array.last (code.Method.GetParameters())).ParameterType

        if machine.GetElementType() <> typeof<ResumableStateMachine<'Data>> then
            Misuse.CompiledForAnother()

    /// Throws if the code takes another machine. Native code has no types of parameters to look at.
    static member Check<'Data, 'U>(code: ResumableCode<'Data, 'U>) : unit =
        if RuntimeFeature.IsDynamicCodeSupported then
            match code.Target with
            | null -> Closures.Look code
            | closure ->
                let closure = closure.GetType()

                if not (sound.ContainsKey closure) then
                    Closures.Look code

                    if not closure.IsCollectible then
                        sound.TryAdd(closure, ()) |> ignore

/// One wait, kept until its step has unwound: on the way out the combinators still wrap the rest of the code, and a
/// wait that was registered earlier could be over before they have.
[<AbstractClass; AllowNullLiteral; StackTraceHidden>]
type internal DynamicWait<'T>() =
    abstract Begin: machine: byref<ResumableStateMachine<Data<'T>>> -> unit

[<Sealed; StackTraceHidden>]
type internal DynamicWait<'T, 'S, 'a when 'S :> ISource<'a>>(source: 'S) =
    inherit DynamicWait<'T>()

    override _.Begin machine =
        Suspend.On<_, 'T, 'S, 'a>(&machine, &machine.Data, source)

/// Runs the steps. One per start: a start shares nothing with another.
[<Sealed; StackTraceHidden>]
type internal DynamicInfo<'T>(first: ResumptionFunc<Data<'T>>) =
    inherit ResumptionDynamicInfo<Data<'T>>(first)

    override info.MoveNext machine =
        info.ResumptionData <- null

        if info.ResumptionFunc.Invoke &machine then
            if not (isNull machine.Data.Box) then
                Start.Finish &machine.Data
        else
            (Unsafe.As<DynamicWait<'T>> info.ResumptionData).Begin &machine

    override _.SetStateMachine(_, _) = ()

/// Runs computations that the compiler did not flatten. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Dynamic =

    static member private Machine<'T>(code: Code<'T, 'T>) =
        Closures.Check code
        let mutable machine = ResumableStateMachine<Data<'T>>()

        machine.ResumptionDynamicInfo <-
            DynamicInfo<'T>(ResumptionFunc<Data<'T>>(fun machine -> code.Invoke &machine))

        machine

    /// `Machine.Run` without a machine of its own.
    static member Run<'T, 'Result, 'Shape, 'Safety when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        (code: Code<'T, 'T>, token: CancellationToken)
        : 'Result =
        if token.IsCancellationRequested then
            Unchecked.defaultof<'Shape>.Faulted(Start.Cancelled token)
        else
            let mutable machine = Dynamic.Machine code

            machine.Data.Token <- token
            machine.Data.Settles <- Unchecked.defaultof<'Shape>.Settles
            let error = Start.First<_, 'Safety> &machine
            Start.Result<'T, 'Result, 'Shape>(&machine.Data, error)

    /// `Bind` without a machine of its own.
    static member Bind<'T, 'U, 'S, 'a when 'S :> ISource<'a>>
        (machine: byref<ResumableStateMachine<Data<'T>>>, source: 'S, rest: 'a -> Code<'T, 'U>)
        : bool =
        if source.IsCompleted then
            (rest (source.GetResult())).Invoke &machine
        else
            machine.ResumptionDynamicInfo.ResumptionData <- DynamicWait<'T, 'S, 'a> source

            machine.ResumptionDynamicInfo.ResumptionFunc <-
                ResumptionFunc<Data<'T>>(fun machine ->
                    (rest (Suspend.Take<'T, 'S, 'a> machine.Data.Box)).Invoke &machine)

            false
