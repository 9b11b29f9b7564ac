// Layer: combinators. `mapThrottled`, `whenAllThrottled`: starts operations in order, so many at a time. Owns the count of the
// operations in flight and the rule that nothing is started after a failure.
//
// One state machine, the driver, starts the operations. `free` is the number of free slots; a driver that must wait takes its
// slots before they are free, so that the branch which brings the count back to zero is the only one that resumes it.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading

/// The token of a caller, behind tokens that are linked to it.
[<AbstractClass; Sealed>]
type internal CallersToken =

    /// The error of the result: a cancellation that came from the caller has the caller's token.
    static member Explain(error: exn, token: CancellationToken) : exn =
        match error with
        | :? OperationCanceledException as cancelled when
            token.IsCancellationRequested && cancelled.CancellationToken <> token
            ->
            OperationCanceledException("The operation was canceled.", error, token)
        | _ -> error

[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a
    when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S>>() =
    static let woken = obj ()

    /// All that were started, in order, where results are kept.
    let branches = ResizeArray<Branch<'S, 'a>>()

    [<DefaultValue(false)>]
    val mutable private keeps: bool

    /// The number of operations that were started.
    [<DefaultValue(false)>]
    val mutable private starts: int64

    /// The first error in the order of the starts, and its place there. In the lock.
    [<DefaultValue(false)>]
    val mutable private error: exn

    [<DefaultValue(false)>]
    val mutable private errorPlace: int64

    [<DefaultValue(false)>]
    val mutable private limit: int

    [<DefaultValue(false)>]
    val mutable private free: int

    /// null, the driver's frame, or the mark that it need not wait any more.
    [<DefaultValue(false)>]
    val mutable private driver: obj | null

    [<DefaultValue(false)>]
    val mutable private failed: bool

    [<DefaultValue(false)>]
    val mutable private ended: bool

    [<DefaultValue(false)>]
    val mutable private items: IEnumerator<'Item>

    /// Cancels the wait for the next item; null: items do not wait.
    [<DefaultValue(false)>]
    val mutable private stop: CancellationTokenSource

    /// Starts the operation of an item.
    [<DefaultValue(false)>]
    val mutable private start: 'Item -> 'Operation

    /// The error of an operation at its place.
    member private slots.FailAt(place: int64, error: exn) =
        Atomic.Enter slots

        try
            if isNull slots.error || place < slots.errorPlace then
                slots.error <- error
                slots.errorPlace <- place
        finally
            Atomic.Exit slots

        Volatile.Write(&slots.failed, true)

    /// An error in place of the next operation.
    member slots.Fail(error: exn) = slots.FailAt(slots.starts, error)

    /// Slots without items yet; `parameter` is the name of the argument that has them.
    static member Open(limit: int, items: obj, parameter: string, start: 'Item -> 'Operation, keeps: bool) =
        let slots = SmallObjectPool<ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>>.Rent()
        slots.keeps <- keeps
        slots.limit <- limit
        slots.free <- limit
        slots.start <- start

        try
            ArgumentNullException.ThrowIfNull(items, parameter)
            ArgumentNullException.ThrowIfNull(start, (if keeps then "mapping" else "action"))

            if limit < 1 then
                raise (
                    ArgumentOutOfRangeException(
                        "limit",
                        limit,
                        "A throttle with a limit below one would never start an operation. Nothing was \
                         started. Usual cause: a number of processors that was divided. Use a limit of at \
                         least 1. See docs/errors/throttle-below-one.md in the Plait package."
                    )
                )

        with error ->
            slots.Fail error

        slots

    /// The items of a sequence.
    static member Open
        (limit: int, items: seq<'Item>, parameter: string, start: 'Item -> 'Operation, keeps: bool)
        =
        let slots =
            ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>
                .Open(limit, (items :> obj), parameter, start, keeps)

        try
            if not slots.failed then
                slots.items <- items.GetEnumerator()
        with error ->
            slots.Fail error

        slots

    /// The token for items that come one by one: cancelled with the caller's, and when an operation fails.
    member slots.Link(token: CancellationToken) : CancellationToken =
        slots.stop <- CancellationTokenSource.CreateLinkedTokenSource token
        slots.stop.Token

    /// Ends a wait for the next item, which could be for ever. The error of a callback comes behind that of the operation.
    member private slots.Stop() =
        if not (isNull slots.stop) then
            try
                slots.stop.Cancel()
            with error ->
                slots.Fail error

    /// Whether a further item may be started, of items that are not in the slots.
    member slots.GoesOn = not slots.ended && not (Volatile.Read &slots.failed)

    /// There is no further item.
    member slots.End() = slots.ended <- true

    /// Moves to the next start; false at the end and after a failure.
    member slots.MoveNext() : bool =
        try
            not (Volatile.Read &slots.failed) && slots.items.MoveNext()
        with error ->
            slots.Fail error
            false

    /// Takes a slot; false: one must be waited for, through `ThrottleSlotSource`.
    member slots.TryTake() = Interlocked.Decrement &slots.free >= 0

    /// Takes every slot, which is the end of all operations; false: that must be waited for.
    member slots.TryTakeAll() =
        Interlocked.Add(&slots.free, -slots.limit) = 0

    /// Starts the operation of an item in the slot that was taken, or gives the slot back after a failure.
    member slots.Start(item: 'Item) =
        if Volatile.Read &slots.failed then
            Interlocked.Increment &slots.free |> ignore
        else
            let mutable error: exn = null
            let mutable source = Unchecked.defaultof<'S>

            try
                source <- Unchecked.defaultof<'Read>.Of(slots.start item)
            with caught ->
                error <- caught

            if isNull error then
                let branch = Branch<'S, 'a>.Rent(source, slots)
                branch.Place <- slots.starts
                slots.starts <- slots.starts + 1L

                if slots.keeps then
                    branches.Add branch

                branch.Go()
            else
                slots.Fail error
                Interlocked.Increment &slots.free |> ignore

    /// Starts the operation of the current item of the sequence.
    member slots.Start() =
        let mutable error: exn = null
        let mutable item = Unchecked.defaultof<'Item>

        try
            item <- slots.items.Current
        with caught ->
            error <- caught

        if isNull error then
            slots.Start item
        else
            slots.Fail error
            Interlocked.Increment &slots.free |> ignore

    /// The results in the order of the starts, or the first error in that order. Called when all have completed; releases the slots.
    member slots.Results<'All, 'Gathering when 'Gathering :> IGathering<'a, 'All>>() : 'All =
        try
            if not (isNull slots.items) then
                slots.items.Dispose()
        with error ->
            slots.Fail error

        if not (isNull slots.stop) then
            slots.stop.Dispose()
            slots.stop <- null

        let first = slots.error

        let results =
            if not 'Gathering.Keeps then null
            elif branches.Count = 0 then [||]
            else Array.zeroCreate branches.Count

        for index in 0 .. branches.Count - 1 do
            let branch = branches[index]
            results[index] <- branch.Value
            branch.Release()

        branches.Clear()
        slots.starts <- 0L
        slots.error <- null
        slots.items <- null
        slots.start <- Unchecked.defaultof<_>
        slots.driver <- null
        slots.failed <- false
        slots.ended <- false

        if branches.Capacity <= 4096 then
            SmallObjectPool<ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>>.Return slots

        if not (isNull first) then
            Rethrow.Throw first

        'Gathering.Of results

    interface IBranchOwner<'S, 'a> with
        member slots.BranchCompleted branch =
            if not (isNull branch.Error) then
                slots.FailAt(branch.Place, branch.Error)
                slots.Stop()

            if not slots.keeps then
                branch.Release()

            if Interlocked.Increment &slots.free = 0 then
                match Interlocked.Exchange(&slots.driver, woken) with
                | null -> ()
                | driver -> Unsafe.As<Frame>(driver).Resume()

    member internal slots.CanResume = not (isNull (Volatile.Read &slots.driver))

    member internal slots.ClearDriver() = slots.driver <- null

    /// The driver continues on its own scheduling context: it runs code of the caller.
    member internal slots.ResumeLater(frame: Frame) =
        let frame = ScheduledFrame.Capture frame

        if not (isNull (Interlocked.CompareExchange(&slots.driver, (frame :> obj), null))) then
            ThreadPool.UnsafeQueueUserWorkItem(frame, true) |> ignore

/// The function that starts an operation that is given as a function, made once.
[<AbstractClass; Sealed>]
type internal StartOf<'Operation> =
    static let start = fun (start: unit -> 'Operation) -> start ()
    static member Function: (unit -> 'Operation) -> 'Operation = start

/// The free slot, or the end of all operations, that the driver waits for. 'Unit is unit: see BclSources.fs.
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
type internal ThrottleSlotSource<'Unit, 'Item, 'Operation, 'Read, 'S, 'a
    when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S>>
    (slots: ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>) =
    interface ISource<'Unit> with
        member _.IsCompleted = slots.CanResume

        member _.GetResult() =
            slots.ClearDriver()
            Unchecked.defaultof<'Unit>

        member _.Register frame = slots.ResumeLater frame
        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
