// Layer: sources. The positions of a `for` over collections that need no enumerator object: structs, so that one loop serves
// every kind of collection. For the builders of results, whose loops end early.
namespace Plait.Kernel

open System
open System.Collections.Generic

/// A position in a collection. Implementations are mutable structs.
type IItemCursor<'a> =

    /// Moves to the next item. False: there is none.
    abstract MoveNext: unit -> bool

    /// The item.
    abstract Current: 'a

/// A position in an array.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type ArrayCursor<'a> =
    val private items: 'a[]
    val mutable private next: int

    /// A position in front of the first item.
    new(items: 'a[]) = { items = items; next = 0 }

    interface IItemCursor<'a> with
        member cursor.MoveNext() =
            cursor.next < cursor.items.Length
            && (cursor.next <- cursor.next + 1
                true)

        member cursor.Current = cursor.items[cursor.next - 1]

/// A position in a list.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type ListCursor<'a> =
    val mutable private rest: 'a list
    val mutable private current: 'a

    /// A position in front of the first item.
    new(items: 'a list) = { rest = items; current = Unchecked.defaultof<'a> }

    interface IItemCursor<'a> with
        member cursor.MoveNext() =
            match cursor.rest with
            | [] -> false
            | item :: rest ->
                cursor.current <- item
                cursor.rest <- rest
                true

        member cursor.Current = cursor.current

/// A position in a ResizeArray.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type ResizeArrayCursor<'a> =
    val mutable private items: List<'a>.Enumerator

    /// A position in front of the first item.
    new(items: ResizeArray<'a>) = { items = items.GetEnumerator() }

    interface IItemCursor<'a> with
        member cursor.MoveNext() = cursor.items.MoveNext()
        member cursor.Current = cursor.items.Current

/// A position in the numbers of a System.Range.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type RangeCursor =
    val mutable private next: int
    val private limit: int

    /// A position in front of the first number.
    new(range: Range) = { next = Ranges.First range; limit = Ranges.Limit range }

    interface IItemCursor<int> with
        member cursor.MoveNext() =
            cursor.next < cursor.limit
            && (cursor.next <- cursor.next + 1
                true)

        member cursor.Current = cursor.next - 1
