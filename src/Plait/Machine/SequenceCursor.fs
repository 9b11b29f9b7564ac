// Layer: machine. A pooled cursor over any sequence, without an enumerator object for an array, a list or a
// ResizeArray. For builders that must accept a sequence of unknown type as `seq`.
namespace Plait.Kernel

open System
open System.Collections.Generic

/// The position of a loop. Each thread keeps one; one loop uses it, from `Over` to `Dispose`.
[<Sealed; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type SequenceCursor<'a> private () =

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private spare: SequenceCursor<'a>

    let mutable array: 'a[] = null
    let mutable list: 'a list = []
    let mutable cursor = Unchecked.defaultof<List<'a>.Enumerator>
    let mutable enumerator: IEnumerator<'a> = null
    let mutable index = -1

    member private _.Begin(items: seq<'a>) =
        index <- -1

        match items with
        | :? ('a[]) as items -> array <- items
        | :? ('a list) as items ->
            list <- items
            index <- -2
        // a subclass may give other items
        | :? ResizeArray<'a> as items when obj.ReferenceEquals(items.GetType(), typeof<ResizeArray<'a>>) ->
            cursor <- items.GetEnumerator()
            index <- -3
        | items -> enumerator <- items.GetEnumerator()

    /// A cursor in front of the first item. Null is a NullReferenceException, as in a `for` of FSharp.Core's `task`.
    static member Over(items: seq<'a>) : SequenceCursor<'a> =
        let cursor =
            match SequenceCursor<'a>.spare with
            | null -> new SequenceCursor<'a>()
            | cursor ->
                SequenceCursor<'a>.spare <- null
                cursor

        cursor.Begin items
        cursor

    /// Moves to the next item. False: there is none.
    member _.MoveNext() : bool =
        if not (isNull array) then
            index <- index + 1
            index < array.Length
        elif not (isNull enumerator) then
            enumerator.MoveNext()
        elif index = -3 then
            cursor.MoveNext()
        else
            if index = -2 then index <- 0 else list <- list.Tail

            not list.IsEmpty

    /// The item.
    member _.Current: 'a =
        if not (isNull array) then array[index]
        elif not (isNull enumerator) then enumerator.Current
        elif index = -3 then cursor.Current
        else list.Head

    interface IDisposable with
        member items.Dispose() =
            let ended = enumerator
            array <- null
            list <- []
            cursor <- Unchecked.defaultof<_>
            enumerator <- null
            SequenceCursor<'a>.spare <- items

            if not (isNull ended) then
                ended.Dispose()
