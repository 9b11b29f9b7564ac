// The library's atomics with a place to change threads before each, and with bugs to plant. Compiled in place of the
// library's file of this name; a site is the line of the library that calls.
namespace Plait.Kernel

open System.Collections.Concurrent
open System.IO
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading

open Plait.Explorer

/// A call of one of the operations that exclude others: compare-and-swap, exchange, lock.
[<Struct>]
type Site =
    {
        File: string
        Line: int
    }

    override site.ToString() =
        $"{Path.GetFileName site.File}:{site.Line}"

/// The sites: which were met, and which one is torn.
[<AbstractClass; Sealed>]
type Sites =
    static let met = ConcurrentDictionary<Site, bool>()
    static let mutable torn = 0
    static let mutable tornIn = ""

    static member Met = List.ofSeq met.Keys

    static member Note(file: string, line: int) =
        let site = { File = file; Line = line }

        if not (met.ContainsKey site) then
            met[site] <- true

        torn = line && tornIn = file

    /// Tears a site while something runs: it reads, lets others go on, and writes without looking again.
    static member Tearing(site: Site, run: unit -> 'T) : 'T =
        torn <- site.Line
        tornIn <- site.File

        try
            run ()
        finally
            torn <- 0

[<AbstractClass; Sealed>]
type internal Atomic =
    static member CompareExchange
        (
            location: byref<int>,
            value: int,
            comparand: int,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) : int =
        Explorer.Point()

        if Sites.Note(file, line) then
            let found = location
            Explorer.Point()

            if found = comparand then
                location <- value

            found
        else
            Interlocked.CompareExchange(&location, value, comparand)

    static member CompareExchangeObject
        (
            location: byref<obj | null>,
            value: obj | null,
            comparand: obj | null,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) : obj | null =
        Explorer.Point()

        if Sites.Note(file, line) then
            let found = location
            Explorer.Point()

            if obj.ReferenceEquals(found, comparand) then
                location <- value

            found
        else
            Interlocked.CompareExchange(&location, value, comparand)

    static member Exchange<'Item when 'Item: not struct>
        (
            location: byref<'Item>,
            value: 'Item,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) : 'Item =
        Explorer.Point()

        if Sites.Note(file, line) then
            let found = location
            Explorer.Point()
            location <- value
            found
        else
            Interlocked.Exchange<'Item>(&location, value)

    static member ExchangeObject
        (
            location: byref<obj | null>,
            value: obj | null,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) : obj | null =
        Explorer.Point()

        if Sites.Note(file, line) then
            let found = location
            Explorer.Point()
            location <- value
            found
        else
            Interlocked.Exchange(&location, value)

    static member Read(location: byref<int>) : int =
        Explorer.Point()
        Volatile.Read &location

    static member ReadItem<'Item when 'Item: not struct>(location: byref<'Item>) : 'Item =
        Explorer.Point()
        Volatile.Read<'Item> &location

    static member Write(location: byref<int>, value: int) =
        Explorer.Point()
        Volatile.Write(&location, value)

    static member WriteItem<'Item when 'Item: not struct>(location: byref<'Item>, value: 'Item) =
        Explorer.Point()
        Volatile.Write<'Item>(&location, value)

    /// Lets others go on until one has taken a step: a thread that waits does not run for ever.
    static member Spin(_spin: byref<SpinWait>) =
        match Explorer.Running with
        | null -> ()
        | explorer ->
            let before = explorer.Steps + 1
            Explorer.Await(fun () -> explorer.Steps > before)

    /// What a thread does in a lock is one step, unless the lock is torn: then there is none.
    static member Enter
        (
            gate: obj,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) =
        Atomic.TryEnter(gate, file, line) |> ignore

    /// Nobody is ever in there: see `Enter`.
    static member TryEnter
        (
            gate: obj,
            [<CallerFilePath; Optional; DefaultParameterValue("")>] file: string,
            [<CallerLineNumber; Optional; DefaultParameterValue(0)>] line: int
        ) : bool =
        Explorer.Point()

        if isNull gate then
            raise (Broken "A thread enters a lock that is gone.")

        if not (Sites.Note(file, line)) then
            match Explorer.Running with
            | null -> ()
            | explorer -> explorer.Undivided <- true

        true

    static member Exit(_gate: obj) =
        match Explorer.Running with
        | null -> ()
        | explorer -> explorer.Undivided <- false

    static member Cores = 2

    static member Core() : int =
        match Explorer.Running with
        | null -> 0
        | explorer -> explorer.Core

    static member Queue(item: IThreadPoolWorkItem) = Explorer.Owner.Queue item

    static member QueueBehind(item: IThreadPoolWorkItem) = Explorer.Owner.Queue item

    /// A look at a Task that another thread may complete before what is done next.
    static member IsCompleted(task: System.Threading.Tasks.Task) : bool =
        Explorer.Point()
        let completed = task.IsCompleted
        Explorer.Point()
        completed
