// Layer: combinators. Turns the arguments of the C# combinators into those of the F# ones.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Threading

[<AbstractClass; Sealed>]
type internal DelegateAdapters =

    /// Delegates as functions, one by one. Null stays null: the combinator answers it in its result.
    static member Functions<'Operation>(starts: IEnumerable<Func<'Operation>>) : seq<unit -> 'Operation> =
        if isNull starts then
            Unchecked.defaultof<_>
        else
            starts
            |> Seq.map (fun start ->
                fun () ->
                    ArgumentNullException.ThrowIfNull(start, "starts")
                    start.Invoke())

    /// A delegate as a function. Null stays null: the combinator answers it in its result.
    static member Function<'Argument, 'Operation>
        (work: Func<'Argument, 'Operation>)
        : 'Argument -> 'Operation =
        if isNull work then Unchecked.defaultof<_> else work.Invoke

    /// The same, for two arguments.
    static member Function<'First, 'Second, 'Operation>
        (work: Func<'First, 'Second, 'Operation>)
        : 'First -> 'Second -> 'Operation =
        if isNull work then
            Unchecked.defaultof<_>
        else
            (fun first second -> work.Invoke(first, second))

    /// The system's clock where none is given.
    static member ClockOrSystem(clock: TimeProvider | null) : TimeProvider =
        match clock with
        | null -> TimeProvider.System
        | clock -> clock

    /// The limit of work in time.
    static member Within(time: TimeSpan, clock: TimeProvider | null, token: CancellationToken) : WorkLimit =
        WorkLimit.Within(time, token, DelegateAdapters.ClockOrSystem clock)

    /// The limit of work, a point in time.
    static member Before
        (deadline: DateTimeOffset, clock: TimeProvider | null, token: CancellationToken)
        : WorkLimit =
        WorkLimit.Before(deadline, token, DelegateAdapters.ClockOrSystem clock)
