// Layer: sources. `and!`: two sources as one. Three and more are nested pairs.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// Both are awaited before any result is taken, and both results are taken even if the first is an error: so pooled
/// operations return to their pools and errors of tasks count as observed. The first error is the result; an
/// operation that was consumed before is such an error.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Pair<'A, 'B, 'a, 'b when 'A :> ISource<'a> and 'B :> ISource<'b>>(first: 'A, second: 'B) =
    interface ISource<struct ('a * 'b)> with
        member _.IsCompleted =
            SafeSource<'A, 'a>.IsCompleted first && SafeSource<'B, 'b>.IsCompleted second

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

            // a nested Pair rents a join of its own and counts as one branch here
            if not (SafeSource<'A, 'a>.IsCompleted first) then
                join.Add()
                SafeSource<'A, 'a>.Register(first, join)

            if not (SafeSource<'B, 'b>.IsCompleted second) then
                join.Add()
                SafeSource<'B, 'b>.Register(second, join)

            join.Resume()

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())

    interface ITokenSource with
        member _.TakesToken = TokenSources<'A>.Takes first || TokenSources<'B>.Takes second

        member _.Take token =
            TokenSources<'A>.Give(first, token)
            TokenSources<'B>.Give(second, token)
