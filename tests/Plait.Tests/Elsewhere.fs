// Under test: builders that leave the caller's context: `backgroundTask` at its start, the twins in NonAffine at every
// wait; and what only they must bind.
module Plait.Tests.Elsewhere

open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

/// Where the code stands: on the home context, or on a thread without any.
let private here (context: HomeContext) =
    if context.IsHere then "home"
    elif isNull SynchronizationContext.Current then "nowhere"
    else "elsewhere"

/// Ends off the context, when the code that calls this has come to wait: the context has one thread.
let private pause (context: HomeContext) : Task =
    let source = TaskCompletionSource()

    context.Post((fun _ -> ThreadPool.QueueUserWorkItem(fun _ -> source.SetResult()) |> ignore), null)
    source.Task

/// Each twin: where it begins, and where it is behind a wait for another thread, a yield, an awaiter by shape, and a
/// type that has only ConfigureAwait.
let private twins: (string * (HomeContext -> Task<string list>)) list =
    [
        "strand",
        fun context ->
            (NonAffine.strand {
                let a = here context
                do! pause context
                let b = here context
                return [ a; b ]
            })
                .AsTask()
        "pooledValueTask",
        fun context ->
            (NonAffine.pooledValueTask {
                let a = here context
                do! pause context
                let b = here context
                return [ a; b ]
            })
                .AsTask()
        "pooledTask",
        fun context ->
            NonAffine.pooledTask {
                let a = here context
                do! pause context
                let b = here context
                return [ a; b ]
            }
        "valueTask",
        fun context ->
            (NonAffine.valueTask {
                let a = here context
                do! pause context
                let b = here context
                return [ a; b ]
            })
                .AsTask()
        "Tasks.task",
        fun context ->
            NonAffine.Tasks.task {
                let a = here context
                do! pause context
                let b = here context
                return [ a; b ]
            }
    ]

[<Fact>]
let ``a twin in NonAffine begins on the captured context and continues off it`` () =
    for name, start in twins do
        Assert.Equal<string list>([ name; "home"; "nowhere" ], name :: HomeContext.Run(name, start))

let private unitTwins: (string * (HomeContext -> (string -> unit) -> Task)) list =
    [
        "pooledValueTaskUnit",
        fun context note ->
            (NonAffine.pooledValueTaskUnit {
                do! pause context
                note (here context)
            })
                .AsTask()
        "pooledTaskUnit",
        fun context note ->
            NonAffine.pooledTaskUnit {
                do! pause context
                note (here context)
            }
        "valueTaskUnit",
        fun context note ->
            (NonAffine.valueTaskUnit {
                do! pause context
                note (here context)
            })
                .AsTask()
        "Tasks.taskUnit",
        fun context note ->
            NonAffine.Tasks.taskUnit {
                do! pause context
                note (here context)
            }
    ]

[<Fact>]
let ``a twin without a result continues off the captured context`` () =
    for name, start in unitTwins do
        let mutable seen = ""

        HomeContext.Run(
            name,
            fun context ->
                task {
                    do! start context (fun place -> seen <- place)
                    return 0
                }
        )
        |> ignore

        Assert.Equal(name + " nowhere", name + " " + seen)

[<Fact>]
let ``a type with only ConfigureAwait is asked for the builder's own choice`` () =
    let asked (start: ConfigureOnly -> Task<int>) =
        let configurable = ConfigureOnly(Ending 4)
        Assert.Equal(4, Within.result "It" (start configurable))
        configurable.Asked |> Option.ofNullable

    Assert.Equal(Some true, asked (fun source -> pooledTask { return! source }))
    Assert.Equal(Some false, asked (fun source -> NonAffine.pooledTask { return! source }))
    Assert.Equal(Some false, asked (fun source -> (NonAffine.strand { return! source }).AsTask()))
    Assert.Equal(Some true, asked (fun source -> Tasks.task { return! source }))
    Assert.Equal(Some false, asked (fun source -> NonAffine.Tasks.task { return! source }))

[<Fact>]
let ``backgroundTask begins outside of the caller's context at each start`` () =
    let job = fun (context: HomeContext) -> Tasks.backgroundTask { return here context }

    for _ in 1..3 do
        Assert.Equal("nowhere", HomeContext.Run("it", job))

[<Fact>]
let ``backgroundTask begins on the calling thread where there is no context to leave`` () =
    let begun =
        Within.thread "The start" 0 (fun () ->
            let caller = System.Environment.CurrentManagedThreadId
            let work = Tasks.backgroundTask { return System.Environment.CurrentManagedThreadId }
            work.IsCompleted && work.Result = caller)

    Assert.True begun

[<Fact>]
let ``backgroundTaskUnit leaves a TaskScheduler, and its AsyncLocal values stay its own`` () =
    let scheduler = ConcurrentExclusiveSchedulerPair().ExclusiveScheduler
    let local = AsyncLocal<int>()

    let start =
        Task.Factory.StartNew(
            (fun () ->
                local.Value <- 1

                let work =
                    Tasks.backgroundTaskUnit {
                        Assert.Same(TaskScheduler.Default, TaskScheduler.Current)
                        Assert.Equal(1, local.Value)
                        local.Value <- 2
                        do! Task.Yield()
                        Assert.Equal(2, local.Value)
                    }

                Assert.Equal(1, local.Value)
                work),
            CancellationToken.None,
            TaskCreationOptions.None,
            scheduler
        )

    Within.ended "It" (start.Unwrap())
    start.Unwrap().GetAwaiter().GetResult()
