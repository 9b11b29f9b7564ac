// Layer: guard. The waits that the guard of the thread pool has seen, and the exception that lists them.
namespace Plait

open System
open System.Globalization
open System.Text

/// The evidence by which a guard found a wait.
type BlockedWaitKind =
    /// `Task.Wait`, `.Result`, `GetAwaiter().GetResult()` on a Task that was pending: with the stack of the thread.
    | TaskWait = 0
    /// A wait of the runtime: handles, `Async.RunSynchronously`, locks that others held, `Monitor.Wait`, semaphores, events.
    | WaitHandle = 1
    /// A thread of the pool was in a work item and took no processor time: any blocking call, `Thread.Sleep`, files and
    /// sockets included.
    | OffProcessor = 2

/// A thread of the pool that blocked while a guard was on.
[<Sealed>]
type BlockedWait internal (kind: BlockedWaitKind, at: DateTime, duration: TimeSpan, stack: string | null) =

    /// The evidence by which it was found.
    member _.Kind = kind

    /// When it began, UTC.
    member _.At = at

    /// How long it lasted, or has lasted so far.
    member _.Duration = duration

    /// The user's frames, innermost first, one a line; null: only waits for Tasks have them.
    member _.Stack = stack

    /// One line, and the stack below it.
    override _.ToString() =
        let kind =
            match kind with
            | BlockedWaitKind.TaskWait -> "a wait for a Task"
            | BlockedWaitKind.WaitHandle -> "a wait for a handle, lock or event"
            | _ -> "a work item that took no processor time (sleep, input or output, or any other wait)"

        let milliseconds =
            duration.TotalMilliseconds.ToString("0", CultureInfo.InvariantCulture)

        let stack =
            match stack with
            | null -> ""
            | stack -> "\n" + stack

        $"{milliseconds} ms in {kind}{stack}"

/// A thread of the pool blocked while a guard was on.
[<Sealed>]
type BlockedThreadPoolException internal (message: string, waits: BlockedWait[]) =
    inherit InvalidOperationException(message)

    /// The waits, in the order of time.
    member _.Waits: Collections.Generic.IReadOnlyList<BlockedWait> = waits

    static member internal Of(waits: BlockedWait[]) : BlockedThreadPoolException =
        let text = StringBuilder()

        text
            .Append("Threads of the pool blocked while a guard was on: ")
            .Append(waits.Length)
            .Append(if waits.Length = 1 then " wait." else " waits.")
        |> ignore

        for wait in Seq.truncate 10 waits do
            text.Append("\n- ").Append(wait.ToString()) |> ignore

        text
            .Append('\n')
            .Append(
                "Usual cause: a call that blocks in async code. Await it instead; where there is no such call, make it on \
             threads of its own with Blocking.run. `plait check` finds such calls in source, `plait doctor` the lines in a \
             running process. See docs/errors/blocked-thread-pool.md in the Plait package."
            )
        |> ignore

        BlockedThreadPoolException(text.ToString(), waits)
