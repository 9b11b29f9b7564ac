// Under test: what is said of a failure that nobody takes: an event, a counter and a trace event; and nothing of others.
namespace Plait.Tests

open System
open System.Collections.Concurrent
open System.Diagnostics.Metrics
open System.Diagnostics.Tracing
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Xunit

open Plait

/// The messages of the failures that were reported while it lived.
type Reported() =
    let messages = ConcurrentQueue<string>()

    let handler = EventHandler<exn>(fun _ error -> messages.Enqueue error.Message)

    do Diagnostics.Unobserved.AddHandler handler

    member _.Has(message: string) = Seq.contains message messages

    interface IDisposable with
        member _.Dispose() =
            Diagnostics.Unobserved.RemoveHandler handler

module Unobserved =
    let private error (message: string) : exn = InvalidOperationException message

    let private strandThatWaits (gate: Task) (error: exn) =
        strand {
            do! gate
            return raise error
        }

    let private strandAtOnce (error: exn) : Strand<int> = strand { return raise error }

    let private pooled (gate: Task) (error: exn) : ValueTask<int> =
        pooledValueTask {
            do! gate
            return raise error
        }

    /// Operations that have failed with the error and that nobody has: what made them has returned.
    let private lost: (string * (exn -> unit)) list =
        [
            "a strand that waited",
            fun error ->
                let gate = TaskCompletionSource()
                let failing: Strand<int> = strandThatWaits gate.Task error
                gate.SetResult()
                Assert.True failing.IsCompleted
            "a strand that did not wait", (fun error -> Assert.True (strandAtOnce error).IsFaulted)
            "a strand on its way up",
            fun error ->
                let gate = TaskCompletionSource()

                let failing: Strand<int> =
                    strand {
                        try
                            let! x = strandThatWaits gate.Task error
                            return x + 1
                        finally
                            ignore gate
                    }

                gate.SetResult()
                Assert.True failing.IsFaulted
            "a pooledValueTask that waited",
            fun error ->
                let gate = TaskCompletionSource()
                let failing = pooled gate.Task error
                gate.SetResult()
                Assert.True failing.IsFaulted
        ]

    /// Operations whose failure somebody takes, or that were cancelled.
    let private taken: (string * (exn -> unit)) list =
        [
            "a result that is read",
            (fun error ->
                Assert.Throws<InvalidOperationException>(fun () -> (strandAtOnce error).Result |> ignore)
                |> ignore)
            "a strand that becomes a Task",
            fun error ->
                let gate = TaskCompletionSource()
                let task: Task<int> = (strandThatWaits gate.Task error).AsTask()
                gate.SetResult()
                Within.error "The task" task |> ignore
            "a strand that is awaited",
            fun error ->
                let gate = TaskCompletionSource()

                let handled: Strand<int> =
                    strand {
                        try
                            return! strandThatWaits gate.Task error
                        with _ ->
                            return 1
                    }

                gate.SetResult()
                Assert.Equal(1, handled.Result)
            "a strand of many that are awaited",
            fun error ->
                let gate = TaskCompletionSource()

                let handled: Strand<int> =
                    strand {
                        try
                            let! xs =
                                Strand.whenAll
                                    [| strandThatWaits gate.Task error; strandThatWaits gate.Task error |]

                            return xs[0]
                        with _ ->
                            return 1
                    }

                gate.SetResult()
                Within.result "It" (handled.AsTask()) |> ignore
            "a pooledValueTask that is awaited",
            fun error ->
                let gate = TaskCompletionSource()
                let failing = pooled gate.Task error
                gate.SetResult()
                Within.error "It" (failing.AsTask()) |> ignore
            "a cancelled strand",
            fun error ->
                let gate = TaskCompletionSource()

                let cancelled: Strand<int> =
                    strandThatWaits gate.Task (OperationCanceledException error.Message)

                gate.SetResult()
                Assert.True cancelled.IsCanceled
        ]

    let private names (cases: (string * (exn -> unit)) list) : TheoryData<string> =
        TheoryData<string>(List.map fst cases)

    let lostNames = names lost
    let takenNames = names taken

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    let private make (cases: (string * (exn -> unit)) list) (case: string) (message: string) =
        (snd (List.find (fun (name, _) -> name = case) cases)) (error message)

    let private collected (what: string) (condition: unit -> bool) =
        Within.comes what (fun () ->
            GC.Collect()
            GC.WaitForPendingFinalizers()
            condition ())

    [<Theory; MemberData(nameof lostNames)>]
    let ``a failure that no code observes is reported when its operation is collected`` (case: string) =
        use reported = new Reported()
        let message = string (Guid.NewGuid())
        make lost case message
        collected "the report" (fun () -> reported.Has message)

    [<Theory; MemberData(nameof takenNames)>]
    let ``an observed failure is not reported, nor is a cancellation`` (case: string) =
        use reported = new Reported()
        let message = string (Guid.NewGuid())
        make taken case message
        let later = string (Guid.NewGuid())
        make lost "a strand that waited" later
        collected "the report of a later one" (fun () -> reported.Has later)
        Assert.False(reported.Has message)

    [<Fact>]
    let ``a failure that no code observes is counted, and traced with its type and message`` () =
        use reported = new Reported()
        let mutable counted = 0L
        let events = ConcurrentQueue<string>()
        use meters = new MeterListener()

        meters.InstrumentPublished <-
            fun instrument listener ->
                if instrument.Name = "plait.unobserved" then
                    listener.EnableMeasurementEvents(instrument, null)

        meters.SetMeasurementEventCallback<int64>(fun _ value _ _ -> counted <- counted + value)

        use traced =
            { new EventListener() with
                override listener.OnEventSourceCreated source =
                    if source.Name = "Plait" then
                        listener.EnableEvents(source, EventLevel.Warning)

                override _.OnEventWritten event =
                    if event.EventName = "Unobserved" then
                        let payload = event.Payload |> Option.ofObj |> Option.get
                        events.Enqueue $"{payload[0]}: {payload[1]}"
            }

        meters.Start()
        let message = string (Guid.NewGuid())
        make lost "a strand that waited" message
        collected "the report" (fun () -> reported.Has message)
        Assert.Contains($"{typeof<InvalidOperationException>}: {message}", events)
        Assert.NotEqual(0L, counted)

    [<Fact>]
    let ``if a listener throws, the other listeners get the report and the process goes on`` () =
        use reported = new Reported()
        let mutable thrown = 0
        use meters = new MeterListener()

        meters.InstrumentPublished <-
            fun instrument listener ->
                if instrument.Name = "plait.unobserved" then
                    listener.EnableMeasurementEvents(instrument, null)

        meters.SetMeasurementEventCallback<int64>(fun _ _ _ _ ->
            thrown <- thrown + 1
            raise (InvalidOperationException "the listener's own"))

        meters.Start()
        let message = string (Guid.NewGuid())
        make lost "a strand that waited" message
        collected "the report" (fun () -> reported.Has message)
        Assert.NotEqual(0, thrown)
