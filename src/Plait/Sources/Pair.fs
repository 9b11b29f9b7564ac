// Layer: sources. `and!`: two sources as one. Three and more nest.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open System.Runtime.CompilerServices

/// Both are awaited before any result is taken, and both results are taken whatever the first one is: the first error
/// wins, pooled operations go home and tasks count as observed. One that was used up before is such an error.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type Pair<'A, 'B, 'a, 'b when 'A :> ISource<'a> and 'B :> ISource<'b>>(first: 'A, second: 'B) =
    interface ISource<struct ('a * 'b)> with
        member _.IsCompleted = Sure<'A, 'a>.HasEnded first && Sure<'B, 'b>.HasEnded second

        member _.GetResult() =
            let mutable value = Unchecked.defaultof<'a>
            let mutable failed = true

            try
                value <- first.GetResult()
                failed <- false
            finally
                if failed then
                    try
                        second.GetResult() |> ignore
                    with _ ->
                        ()

            struct (value, second.GetResult())

        member _.Register frame =
            let join = Join.Rent frame

            // a nested Pair rents a join of its own and counts as one leg here
            if not (Sure<'A, 'a>.HasEnded first) then
                join.Add()
                Sure<'A, 'a>.Register(first, join)

            if not (Sure<'B, 'b>.HasEnded second) then
                join.Add()
                Sure<'B, 'b>.Register(second, join)

            join.Resume()

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
