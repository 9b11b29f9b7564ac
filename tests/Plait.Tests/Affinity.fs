// Under test: a wait goes on on the SynchronizationContext or TaskScheduler it began on, or nowhere in particular where
// that was asked for.
module Plait.Tests.Affinity

open System
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Kernel
open Plait.Tests.Oracle
open Plait.Tests.Programs

let resultBuilders = Cases.resultBuilders

let private sources: (string * (unit -> Task<int>)) list =
    [
        "foreign", (fun () -> Foreign.Return 1)
        "done", (fun () -> Task.FromResult 1)
        "pool",
        (fun () ->
            task {
                do! Task.Delay(1).ConfigureAwait false
                return 1
            })
    ]

[<Theory; MemberData(nameof resultBuilders)>]
let ``loops, children, handlers and ends run on, or all off, the SynchronizationContext`` (builder: string) =
    let subject = Cases.result builder

    for name, source in sources do
        let mutable here = []

        let result =
            HomeContext.Run(
                builder,
                fun context -> subject.AfterEach(source, (fun () -> here <- context.IsHere :: here))
            )

        Assert.Equal(3, result)

        Assert.True(
            List.forall ((=) subject.Promise.Affine) here && here.Length = 8,
            $"%s{name}: %A{List.rev here}"
        )

[<Theory; MemberData(nameof resultBuilders)>]
let ``loops, children, handlers and ends run on, or all off, the TaskScheduler`` (builder: string) =
    let subject = Cases.result builder

    for name, source in sources do
        let scheduler = ConcurrentExclusiveSchedulerPair().ExclusiveScheduler
        let mutable here = []

        let start =
            Task.Factory.StartNew(
                (fun () ->
                    subject.AfterEach(
                        source,
                        fun () -> here <- obj.ReferenceEquals(TaskScheduler.Current, scheduler) :: here
                    )),
                CancellationToken.None,
                TaskCreationOptions.None,
                scheduler
            )

        Assert.Equal(3, Within.result builder (start.Unwrap()))

        Assert.True(
            List.forall ((=) subject.Promise.Affine) here && here.Length = 8,
            $"%s{name}: %A{List.rev here}"
        )

[<Theory; MemberData(nameof resultBuilders)>]
let ``code after a statement that left the caller's thread never runs there again`` (builder: string) =
    let subject = Cases.result builder
    let hopper = Hopper()
    let mutable seen = []

    // by then the hop is over, each time: whoever looks first finds it done
    let note what =
        let away =
            Thread.CurrentThread.Name <> "home" && isNull SynchronizationContext.Current

        seen <- $"{what}: {away}" :: seen

    Assert.Equal(2, HomeContext.Run("It", (fun _ -> subject.Hopping(hopper, note))))

    let places =
        [ "if"; "for"; "while"; "finally"; "behind finally"; "handler"; "behind the handler" ]

    Assert.Equal<string list>([ for place in places -> $"{place}: True" ], List.rev seen)

let private loops: (string * (ForeignItems -> Task<unit>)) list =
    [
        "NonAffine.strand",
        fun items ->
            (Plait.NonAffine.strand {
                for _ in items do
                    ()
            })
                .AsTask()
        "NonAffine.pooledValueTask",
        fun items ->
            (Plait.NonAffine.pooledValueTask {
                for _ in items do
                    ()
            })
                .AsTask()
    ]

/// Builders that stay away.
let away = TheoryData<string>(List.map fst loops)

[<Theory; MemberData(nameof away)>]
let ``a builder off the context stays off it after each item and after the disposal`` (builder: string) =
    let run = loops |> List.find (fst >> (=) builder) |> snd

    let posted =
        HomeContext.Run(
            builder,
            fun context ->
                task {
                    do! (run (ForeignItems(2, ignore))).ConfigureAwait false
                    return context.Posted
                }
        )

    // the one that started it
    Assert.Equal(1, posted)

[<Fact>]
let ``a machine over a strand over a strand goes on on the SynchronizationContext`` () =
    let source = TaskCompletionSource<int>()

    let seen =
        HomeContext.Run(
            "it",
            fun context ->
                // the innermost goes on elsewhere; each of the others must find its own way home
                let inner = strand { return! source.Task.ConfigureAwait false }

                let middle =
                    strand {
                        let! x = inner
                        return x, context.IsHere
                    }

                let outer =
                    pooledValueTask {
                        let! x, middleHome = middle
                        return x, middleHome, context.IsHere
                    }

                let root =
                    strand {
                        let! x, middleHome, outerHome = outer
                        return x, middleHome, outerHome, context.IsHere
                    }

                Foreign.Run(fun () -> source.SetResult 7)
                root.AsTask()
        )

    Assert.Equal((7, true, true, true), seen)

[<Fact>]
let ``a returned strand keeps the context of its awaiter`` () =
    let seen =
        HomeContext.Run(
            "it",
            fun context ->
                let rec hop (n: int) : Strand<int> =
                    strand {
                        let! x = (Foreign.Return 1).ConfigureAwait false
                        if n = 0 then return x else return! hop (n - 1)
                    }

                (strand {
                    let! _ = hop 5
                    return context.IsHere
                })
                    .AsTask()
        )

    Assert.True seen

/// Not over before it is looked at.
let private pending () =
    task {
        do! Task.Delay(20).ConfigureAwait false
        return 1
    }

/// Builders that continue anywhere.
let private anywhere = PooledValueTaskBuilder<Anywhere, Safe>()

let private anywhereStrand = StrandBuilder<Anywhere>()

[<Fact>]
let ``with the flag Anywhere no code returns to the context`` () =
    let pooled, strands =
        HomeContext.Run(
            "it",
            fun context ->
                task {
                    let! pooled =
                        anywhere {
                            let! _ = pending ()
                            let first = context.IsHere
                            do! Task.Yield()
                            let! _ = ValueTask<int>(pending ())
                            let! _ = strand { return! (pending ()).ConfigureAwait false }
                            return first, context.IsHere, isNull SynchronizationContext.Current
                        }

                    let! strands =
                        anywhereStrand {
                            let! _ = pending ()
                            let first = context.IsHere
                            do! Task.Yield()
                            let! _ = ValueTask<int>(pending ())
                            let! _ = strand { return! (pending ()).ConfigureAwait false }
                            return first, context.IsHere, isNull SynchronizationContext.Current
                        }

                    return pooled, strands
                }
        )

    Assert.Equal((false, false, true), pooled)
    Assert.Equal((false, false, true), strands)

[<Fact>]
let ``a type with ConfigureAwait only is configured by the builder's affinity`` () =
    let captured = ConfigureOnly(Ending 1)
    let free = ConfigureOnly(Ending 1)
    let operation = pooledValueTask { return! captured }
    Assert.Equal(1, Within.result "It" (operation.AsTask()))
    let operation = anywhere { return! free }
    Assert.Equal(1, Within.result "It" (operation.AsTask()))
    Assert.Equal(Nullable true, captured.Asked)
    Assert.Equal(Nullable false, free.Asked)

[<Fact>]
let ``without a context nothing is posted`` () =
    let posts =
        HomeContext.Run(
            "it",
            fun context ->
                task {
                    // opened by the context's thread when this method has given it back: the wait is one
                    let gate = TaskCompletionSource TaskCreationOptions.RunContinuationsAsynchronously

                    context.Post((fun _ -> gate.SetResult()), null)
                    let before = context.Posted

                    do!
                        Task.Run(fun () ->
                            task {
                                do! gate.Task
                                do! pooledValueTask { do! Task.Yield() }
                                do! strand { do! Task.Yield() }
                            }
                            :> Task)

                    // the one post is this very wait
                    return context.Posted - before
                }
        )

    Assert.Equal(1, posts)
