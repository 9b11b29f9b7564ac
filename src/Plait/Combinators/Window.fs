// Layer: combinators. `whenAllThrottled`: starts operations in order, so many at a time. Owns the count of those in flight
// and the rule that nothing is started behind a failure.
//
// One machine drives the window. `credits` is the number of free places; a driver that must wait takes its credits before
// they are there, so that the leg which brings the count back to zero is the one, and the only one, that wakes it.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: no error, nobody waits, no enumerator

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading
open FSharp.Core // its DefaultValue

[<Sealed; AllowNullLiteral>]
type internal Window<'Operation, 'Read, 'S, 'a when 'S :> ISource<'a> and 'Read :> IOperand<'Operation, 'S>>()
    =
    static let woken = obj ()

    let legs = ResizeArray<Leg<'S, 'a>>()

    [<DefaultValue(false)>]
    val mutable private limit: int

    [<DefaultValue(false)>]
    val mutable private credits: int

    /// null, the driver's frame, or the mark that it need not wait any more.
    [<DefaultValue(false)>]
    val mutable private driver: obj | null

    [<DefaultValue(false)>]
    val mutable private failed: bool

    [<DefaultValue(false)>]
    val mutable private starts: IEnumerator<unit -> 'Operation>

    member private window.Fail(error: exn) =
        legs.Add(Leg<'S, 'a>.Failed error)
        window.failed <- true

    static member Open(limit: int, starts: seq<unit -> 'Operation>) =
        let window = Kept<Window<'Operation, 'Read, 'S, 'a>>.Rent()
        window.limit <- limit
        window.credits <- limit

        try
            ArgumentNullException.ThrowIfNull(starts, "starts")

            if limit < 1 then
                raise (
                    ArgumentOutOfRangeException(
                        "limit",
                        limit,
                        "A throttle of less than one operation at a time would start none. Nothing was started. Usual \
                         cause: a number of processors that was divided. Give it at least 1. See \
                         docs/errors/throttle-below-one.md."
                    )
                )

            window.starts <- starts.GetEnumerator()
        with error ->
            window.Fail error

        window

    /// Moves to the next start; false at the end and behind a failure.
    member window.MoveNext() : bool =
        try
            not (Volatile.Read &window.failed) && window.starts.MoveNext()
        with error ->
            window.Fail error
            false

    /// Takes a place; false: one must be waited for, by the window as a source.
    member window.TryEnter() =
        Interlocked.Decrement &window.credits >= 0

    /// Takes every place; false: that must be waited for.
    member window.TryDrain() =
        Interlocked.Add(&window.credits, -window.limit) = 0

    /// Starts the current operation in the place that was taken, or gives the place back behind a failure.
    member window.Begin() =
        if Volatile.Read &window.failed then
            Interlocked.Increment &window.credits |> ignore
        else
            let mutable error: exn = null
            let mutable source = Unchecked.defaultof<'S>

            try
                source <- 'Read.Source(window.starts.Current())
            with caught ->
                error <- caught

            if isNull error then
                let leg = Leg<'S, 'a>.Rent(source, window)
                legs.Add leg
                leg.Go()
            else
                window.Fail error
                Interlocked.Increment &window.credits |> ignore

    /// The results in the order of the starts, or the first error in that order. Only when all have come in.
    member window.Close() : 'a[] =
        let mutable first: exn = null

        try
            if not (isNull window.starts) then
                window.starts.Dispose()
        with error ->
            first <- error

        let results = if legs.Count = 0 then [||] else Array.zeroCreate legs.Count

        // from the end: the first error is the last one seen
        for index in legs.Count - 1 .. -1 .. 0 do
            let leg = legs[index]
            results[index] <- leg.Value

            if not (isNull leg.Error) then
                first <- leg.Error

            leg.Release()

        legs.Clear()
        window.starts <- null
        window.driver <- null
        window.failed <- false

        if legs.Capacity <= 4096 then
            Kept<Window<'Operation, 'Read, 'S, 'a>>.Return window

        if not (isNull first) then
            ExceptionDispatchInfo.Throw first

        results

    interface ILegOwner<'S, 'a> with
        member window.Arrived leg =
            if not (isNull leg.Error) then
                Volatile.Write(&window.failed, true)

            if Interlocked.Increment &window.credits = 0 then
                match Interlocked.Exchange(&window.driver, woken) with
                | null -> ()
                | driver -> Unsafe.As<Frame>(driver).Resume()

    member internal window.IsFree = not (isNull (Volatile.Read &window.driver))

    member internal window.TakePlace() = window.driver <- null

    /// The driver goes on where it was: it runs code of the caller.
    member internal window.Wake(frame: Frame) =
        let frame = Posted.Capture frame

        if not (isNull (Interlocked.CompareExchange(&window.driver, (frame :> obj), null))) then
            ThreadPool.UnsafeQueueUserWorkItem(frame, true) |> ignore
