// Layer: guard. Gets the events of waits from the runtime and its libraries. The event of a wait for a Task comes on the waiting
// thread, so that its stack is at hand; that of a wait for a handle comes on another thread, and has the number of the waiting one.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Diagnostics
open System.Diagnostics.Tracing
open System.Text
open System.Threading
open Plait

/// A wait that has begun.
[<Struct; NoEquality; NoComparison>]
type internal OpenWait =
    {
        At: DateTime
        Since: int64
        /// The processor time of the thread by then, in nanoseconds; -1: unknown.
        Busy: int64
        Stack: string | null
    }

module internal UserFrames =
    let private isOurs (line: string) =
        let frame = line.TrimStart()

        frame.StartsWith("at System.", StringComparison.Ordinal)
        || frame.StartsWith("at Microsoft.FSharp.", StringComparison.Ordinal)
        || frame.StartsWith("at Plait.Kernel.", StringComparison.Ordinal)
        || frame.StartsWith("at Internal.", StringComparison.Ordinal)

    /// The stack of the calling thread without the frames of the runtime, innermost first.
    let here () : string =
        let text = StringBuilder()

        for line in (string Environment.StackTrace).Split '\n' do
            if line.Trim() <> "" && not (isOurs line) then
                text.Append("  ").AppendLine(line.Trim()) |> ignore

        text.ToString().TrimEnd()

/// `found` is called with each wait of at least `threshold` on a thread of the pool, on any thread.
[<Sealed>]
type internal WaitListener(threshold: TimeSpan, found: BlockedWait -> unit) =
    inherit EventListener()
    // the base class calls the overrides before these fields are written: then they are null
    let gate = obj ()
    let taskWaits = Dictionary<int, OpenWait>()
    let handleWaits = Dictionary<int64, OpenWait>()
    let mutable isReady = false
    let workers = HashSet<int64>()

    // this event comes on the thread that takes a work item; the name of a thread in the system shows nothing, because a thread
    // without one has the name of the thread that started it
    let onWorkItem (event: EventWrittenEventArgs) =
        if Thread.CurrentThread.IsThreadPoolThread then
            lock gate (fun () -> workers.Add event.OSThreadId |> ignore)

    let take (thread: 'Key) (waits: Dictionary<'Key, OpenWait>) : OpenWait voption =
        match waits.TryGetValue thread with
        | true, wait ->
            waits.Remove thread |> ignore
            ValueSome wait
        | _ -> ValueNone

    let report (kind: BlockedWaitKind) (wait: OpenWait) (until: int64) (ran: TimeSpan) =
        let duration = Stopwatch.GetElapsedTime(wait.Since, until) - ran

        if duration >= threshold then
            found (BlockedWait(kind, wait.At, duration, wait.Stack))

    let ran (wait: OpenWait) =
        if wait.Busy < 0L then
            TimeSpan.Zero
        else
            TimeSpan.FromTicks((ThreadFiles.OwnBusyNanoseconds() - wait.Busy) / 100L)

    let onTaskEvent (event: EventWrittenEventArgs) =
        let thread = Environment.CurrentManagedThreadId

        match event.EventId, event.Payload with
        | 10, payload when
            not (isNull payload)
            && payload.Count > 3
            // 1: the thread waits; 2: an await
            && Object.Equals(payload[3], 1)
            && Thread.CurrentThread.IsThreadPoolThread
            ->
            let wait =
                {
                    At = DateTime.UtcNow
                    Since = Stopwatch.GetTimestamp()
                    Busy = ThreadFiles.OwnBusyNanoseconds()
                    Stack = UserFrames.here ()
                }

            lock gate (fun () -> taskWaits[thread] <- wait)
        | 11, _ ->
            let ended = lock gate (fun () -> taskWaits |> take thread)

            match ended with
            | ValueSome wait -> report BlockedWaitKind.TaskWait wait (Stopwatch.GetTimestamp()) (ran wait)
            | ValueNone -> ()
        | _ -> ()

    let onRuntimeEvent (event: EventWrittenEventArgs) =
        let thread = event.OSThreadId

        match event.EventName with
        | "WaitHandleWaitStart" ->
            let wait =
                { At = event.TimeStamp; Since = Stopwatch.GetTimestamp(); Busy = -1L; Stack = null }

            lock gate (fun () ->
                if workers.Contains thread then
                    handleWaits[thread] <- wait)
        | "WaitHandleWaitStop" ->
            let ended = lock gate (fun () -> handleWaits |> take thread)

            match ended with
            | ValueSome wait ->
                let duration = event.TimeStamp - wait.At

                if duration >= threshold then
                    found (BlockedWait(BlockedWaitKind.WaitHandle, wait.At, duration, null))
            | ValueNone -> ()
        | _ -> ()

    /// Begins to listen.
    member listener.Start() =
        isReady <- true

        for source in EventSource.GetSources() do
            listener.Enable source

    member private listener.Enable(source: EventSource) =
        if source.Name = "System.Threading.Tasks.TplEventSource" then
            // TaskTransfer and Tasks: the begin and the end of waits
            listener.EnableEvents(
                source,
                EventLevel.Verbose,
                LanguagePrimitives.EnumOfValue<int64, EventKeywords> 3L
            )
        elif source.Name = "System.Diagnostics.Eventing.FrameworkEventSource" then
            // ThreadPool: work items that a thread takes
            listener.EnableEvents(
                source,
                EventLevel.Verbose,
                LanguagePrimitives.EnumOfValue<int64, EventKeywords> 2L
            )
        elif source.Name = "Microsoft-Windows-DotNETRuntime" then
            // WaitHandle; from .NET 9 on
            listener.EnableEvents(
                source,
                EventLevel.Verbose,
                LanguagePrimitives.EnumOfValue<int64, EventKeywords> 0x40000000000L
            )

    override listener.OnEventSourceCreated(source: EventSource) =
        if isReady then
            listener.Enable source

    override _.OnEventWritten(event: EventWrittenEventArgs) =
        if event.EventSource.Name = "System.Threading.Tasks.TplEventSource" then
            onTaskEvent event
        elif event.EventSource.Name = "System.Diagnostics.Eventing.FrameworkEventSource" then
            onWorkItem event
        else
            onRuntimeEvent event

    /// The waits that have not ended are found too.
    member _.TakeOpen() =
        let now = Stopwatch.GetTimestamp()

        let tasks, handles =
            lock gate (fun () ->
                let both = Seq.toArray taskWaits.Values, Seq.toArray handleWaits.Values
                taskWaits.Clear()
                handleWaits.Clear()
                both)

        for wait in tasks do
            report BlockedWaitKind.TaskWait wait now TimeSpan.Zero

        for wait in handles do
            report BlockedWaitKind.WaitHandle wait now TimeSpan.Zero
