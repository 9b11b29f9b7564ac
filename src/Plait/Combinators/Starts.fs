// Layer: combinators. What C# gives to a combinator, as F# takes it.
namespace Plait.Kernel

#nowarn "3261" // null is a state here: not given

open System
open System.Collections.Generic

[<AbstractClass; Sealed>]
type internal Starts =

    /// Delegates as functions, one by one. Null stays null: the combinator answers it in its result.
    static member Of<'Operation>(starts: IEnumerable<Func<'Operation>>) : seq<unit -> 'Operation> =
        if isNull starts then
            Unchecked.defaultof<_>
        else
            starts
            |> Seq.map (fun start ->
                fun () ->
                    ArgumentNullException.ThrowIfNull(start, "starts")
                    start.Invoke())

    /// The system's clock where none is given.
    static member Clock(clock: TimeProvider | null) : TimeProvider =
        match clock with
        | null -> TimeProvider.System
        | clock -> clock
