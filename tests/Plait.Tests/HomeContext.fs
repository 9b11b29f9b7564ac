// A SynchronizationContext with one thread, as a user interface has: what must run on it can be told.
namespace Plait.Tests

open System.Collections.Concurrent
open System.Threading
open System.Threading.Tasks

/// Runs what is posted to it on its own thread.
type HomeContext() =
    inherit SynchronizationContext()
    let posts = new BlockingCollection<struct (SendOrPostCallback * (obj | null))>()
    let mutable posted = 0

    /// How many times something was posted.
    member _.Posted = Volatile.Read &posted

    override _.Post(callback, state) =
        Interlocked.Increment &posted |> ignore
        posts.Add(struct (callback, state))

    override context.CreateCopy() = context

    member private context.Loop() =
        SynchronizationContext.SetSynchronizationContext context

        for struct (callback, state) in posts.GetConsumingEnumerable() do
            callback.Invoke state

    /// Whether the calling code runs on the context's thread, with the context installed.
    member context.IsHere =
        obj.ReferenceEquals(SynchronizationContext.Current, context)
        && Thread.CurrentThread.Name = "home"

    /// Starts an operation on the context and waits, elsewhere, until it has ended.
    static member Run(what: string, start: HomeContext -> Task<'T>) : 'T =
        let context = HomeContext()

        let promise =
            TaskCompletionSource<Task<'T>>(TaskCreationOptions.RunContinuationsAsynchronously)

        context.Post(
            (fun _ ->
                try
                    promise.SetResult(start context)
                with error ->
                    promise.SetException error),
            null
        )

        let thread = Thread(context.Loop, IsBackground = true, Name = "home")
        thread.UnsafeStart()

        try
            promise.Task |> Within.result $"The start of {what}" |> Within.result what
        finally
            context.Stop()

    member private _.Stop() = posts.CompleteAdding()
