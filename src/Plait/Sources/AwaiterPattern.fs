// Layer: sources. Turns a value that follows C#'s awaiter pattern into a source. How an awaiter is used is compiled
// once for each type of awaiter.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// An awaiter of C#'s pattern, by shape: a name for the constraints.
type Awaiter<'A, 'a
    when 'A :> INotifyCompletion
    and 'A: (member get_IsCompleted: unit -> bool)
    and 'A: (member GetResult: unit -> 'a)> = 'A

/// An awaiter with UnsafeOnCompleted, by shape.
type CriticalAwaiter<'A, 'a
    when 'A :> ICriticalNotifyCompletion
    and 'A: (member get_IsCompleted: unit -> bool)
    and 'A: (member GetResult: unit -> 'a)> = 'A

/// A type with GetAwaiter, by shape.
type Awaitable<'L, 'A, 'a when 'L: (member GetAwaiter: unit -> Awaiter<'A, 'a>)> = 'L

/// A type whose GetAwaiter gives an awaiter with UnsafeOnCompleted, by shape.
type CriticalAwaitable<'L, 'A, 'a when 'L: (member GetAwaiter: unit -> CriticalAwaiter<'A, 'a>)> = 'L

/// A type with ConfigureAwait, by shape.
type Configurable<'L, 'C, 'A, 'a when 'L: (member ConfigureAwait: bool -> Awaitable<'C, 'A, 'a>)> = 'L

/// A type with ConfigureAwait and then UnsafeOnCompleted, by shape.
type CriticalConfigurable<'L, 'C, 'A, 'a
    when 'L: (member ConfigureAwait: bool -> CriticalAwaitable<'C, 'A, 'a>)> = 'L

/// Awaiters as sources, which differ in how they register.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AwaiterPattern =

    /// An awaiter that registers in the given way.
    static member inline Source< ^A, 'a
        when ^A: (member get_IsCompleted: unit -> bool) and ^A: (member GetResult: unit -> 'a)>
        (awaiter: ^A, [<InlineIfLambda>] register: ^A -> Action -> unit)
        : AwaiterSource< ^A, 'a > =
        if isNull (box AwaiterOps< ^A, 'a>.Known) then
            AwaiterOps< ^A, 'a>.Known <-
                { new AwaiterOps< ^A, 'a >() with
                    member _.IsCompleted awaiter =
                        (^A: (member get_IsCompleted: unit -> bool) awaiter)

                    member _.GetResult(awaiter, result) =
                        result <- (^A: (member GetResult: unit -> 'a) awaiter)

                    member _.OnCompleted(awaiter, continuation) = register awaiter continuation
                }

        AwaiterSource< ^A, 'a> awaiter

    /// An awaiter with UnsafeOnCompleted: the builder carries the execution context itself.
    static member inline Critical< ^A, 'a when CriticalAwaiter< ^A, 'a >>
        (awaiter: ^A)
        : AwaiterSource< ^A, 'a > =
        AwaiterPattern.Source< ^A, 'a>(
            awaiter,
            (fun awaiter continuation -> awaiter.UnsafeOnCompleted continuation)
        )

    /// Any awaiter; whether it has UnsafeOnCompleted is asked when it registers. For overloads that would be ambiguous.
    static member inline Any< ^A, 'a when Awaiter< ^A, 'a >>(awaiter: ^A) : AwaiterSource< ^A, 'a > =
        AwaiterPattern.Source< ^A, 'a>(
            awaiter,
            (fun awaiter continuation ->
                match box awaiter with
                | :? ICriticalNotifyCompletion as critical -> critical.UnsafeOnCompleted continuation
                | _ -> awaiter.OnCompleted continuation)
        )
