// Layer: sources. Awaiters, found by their shape, as sources: what is asked of an awaiter is compiled once for each type.
namespace Plait.Kernel

open System.ComponentModel
open System.Runtime.CompilerServices

/// Awaiters as sources, which differ in how they register.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type AwaiterShapes =

    /// An awaiter with UnsafeOnCompleted: the builder carries the execution context itself.
    static member inline Critical< ^A, 'a
        when ^A :> ICriticalNotifyCompletion
        and ^A: (member get_IsCompleted: unit -> bool)
        and ^A: (member GetResult: unit -> 'a)>
        (awaiter: ^A)
        : AwaiterSource< ^A, 'a > =
        if isNull (box AwaiterOps< ^A, 'a>.Known) then
            AwaiterOps< ^A, 'a>.Known <-
                { new AwaiterOps< ^A, 'a >() with
                    member _.IsCompleted awaiter =
                        (^A: (member get_IsCompleted: unit -> bool) awaiter)

                    member _.GetResult(awaiter, result) =
                        result <- (^A: (member GetResult: unit -> 'a) awaiter)

                    member _.OnCompleted(awaiter, continuation) = awaiter.UnsafeOnCompleted continuation
                }

        AwaiterSource< ^A, 'a> awaiter

    /// Any awaiter; whether it has UnsafeOnCompleted is asked when it registers. For overloads that would be ambiguous.
    static member inline Any< ^A, 'a
        when ^A :> INotifyCompletion
        and ^A: (member get_IsCompleted: unit -> bool)
        and ^A: (member GetResult: unit -> 'a)>
        (awaiter: ^A)
        : AwaiterSource< ^A, 'a > =
        if isNull (box AwaiterOps< ^A, 'a>.Known) then
            AwaiterOps< ^A, 'a>.Known <-
                { new AwaiterOps< ^A, 'a >() with
                    member _.IsCompleted awaiter =
                        (^A: (member get_IsCompleted: unit -> bool) awaiter)

                    member _.GetResult(awaiter, result) =
                        result <- (^A: (member GetResult: unit -> 'a) awaiter)

                    member _.OnCompleted(awaiter, continuation) =
                        match box awaiter with
                        | :? ICriticalNotifyCompletion as critical -> critical.UnsafeOnCompleted continuation
                        | _ -> awaiter.OnCompleted continuation
                }

        AwaiterSource< ^A, 'a> awaiter

    /// An awaiter that knows only OnCompleted.
    static member inline Plain< ^A, 'a
        when ^A :> INotifyCompletion
        and ^A: (member get_IsCompleted: unit -> bool)
        and ^A: (member GetResult: unit -> 'a)>
        (awaiter: ^A)
        : AwaiterSource< ^A, 'a > =
        AwaiterShapes.Any< ^A, 'a> awaiter
