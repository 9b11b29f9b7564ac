// Under test: every order of the atomic steps of two threads, for every way to share a handful of acts between them, over
// settable sources, pooled operations, pools, strand nodes, promises and locks, and of three threads for the acts that meet most;
// and that each operation which excludes others is needed: torn, it is found. Between two atomic steps the order of plain
// stores is taken to be the program's. Depth: sources four acts, nodes three, pools two, all interleavings; pools with three
// acts and three threads with as many interruptions as the test says.
namespace Plait.Explorer

open System
open System.Diagnostics
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Kernel

/// Worlds with their names.
module internal Families =
    open Plait.Explorer.Worlds

    let private named (name: string) (world: 'Acts -> unit -> World) (acts: 'Acts list) =
        [ for acts in acts -> struct ($"%s{name} %A{acts}", world acts) ]

    let sources length =
        let allowed =
            [
                Sources.Set, 2
                Sources.Subscribe, 2
                Sources.Await, 1
                Sources.Consume, 2
                Sources.StaleSet, 1
                Sources.StaleSubscribe, 1
                Sources.StaleConsume, 1
                Sources.Next, 1
            ]

        splits allowed length
        |> List.map (fun (first, second) -> [ first; second ])
        |> named "source" Sources.source

    /// One act more, of those that meet most.
    let longSources =
        splits
            [
                Sources.Set, 2
                Sources.Subscribe, 2
                Sources.Consume, 2
                Sources.StaleConsume, 1
                Sources.Next, 1
            ]
            4
        |> List.filter (fun (first, second) -> first.Length + second.Length = 4)
        |> List.map (fun (first, second) -> [ first; second ])
        |> named "source" Sources.source

    let threeSources =
        named
            "source"
            Sources.source
            [
                for acts in
                    words [ Sources.Set, 3; Sources.Subscribe, 2; Sources.Await, 1; Sources.Consume, 3 ] 3 do
                    if acts = List.sort acts then
                        [ for act in acts -> [ act ] ]
                [ [ Sources.Set ]; [ Sources.Await ]; [ Sources.Next ] ]
                [ [ Sources.Set ]; [ Sources.Await ]; [ Sources.StaleSubscribe ] ]
            ]

    let operations =
        [
            struct ("operation as a Task", Operations.asTask false)
            struct ("failing operation as a Task", Operations.asTask true)

            for inStep in [ false; true ] do
                for isHome in [ false; true ] do
                    struct ($"operation, a frame, in a step {inStep}, at home {isHome}",
                            Operations.byFrame inStep isHome)
        ]

    // a bound of 4 is two cores' slots and two places behind them
    let private kinds =
        [
            for bound, kept in [ 1, 0; 1, 1; 2, 1; 2, 2; 4, 0; 4, 1; 4, 2; 4, 3 ] do
                for cores in [ false; true ] do
                    for emptied in [ false; true ] do
                        if kept > 0 || not emptied then
                            {
                                Pools.Bound = bound
                                Pools.Kept = kept
                                Pools.Filled = 1
                                Pools.Emptied = emptied
                                Pools.Cores = cores
                                Pools.ThreadCaches = false
                            }
            for kept in 0..2 do
                {
                    Pools.Bound = 2
                    Pools.Kept = kept
                    Pools.Filled = 1
                    Pools.Emptied = false
                    Pools.Cores = true
                    Pools.ThreadCaches = true
                }
        ]

    let pools (length: int) =
        [
            for kind in kinds do
                if length = 2 || kind.Bound = 4 || kind.ThreadCaches then
                    for first, second in
                        splits [ Pools.Rent, 2; Pools.Return, 2; Pools.Trim, 1; Pools.TrimEarly, 1 ] length do
                        struct ($"pool %A{kind}: {first} | {second}", Pools.pool kind [ first; second ])
        ]

    /// Thread caches that exchange one item at a time with the locked stack: full ones push, empty ones pop.
    let batches =
        let kind filled kept : Pools.Kind =
            {
                Bound = 32
                Kept = kept
                Filled = filled
                Emptied = false
                ThreadCaches = true
                Cores = false
            }

        [
            for filled, kept, threads in
                [
                    2, 4, [ [ Pools.Return ]; [ Pools.Return ] ]
                    2, 4, [ [ Pools.Return; Pools.Rent ]; [ Pools.Return ] ]
                    1, 6, [ [ Pools.Return ]; [ Pools.Rent ] ]
                    1, 6, [ [ Pools.Return ]; [ Pools.Rent; Pools.Rent ] ]
                    1, 6, [ [ Pools.Return ]; [ Pools.Rent ]; [ Pools.Rent ] ]
                    1, 4, [ [ Pools.TrimEarly ]; [ Pools.Rent ]; [ Pools.Rent ] ]
                ] do
                struct ($"batches, {filled} x {kept}: %A{threads}", Pools.pool (kind filled kept) threads)
        ]

    let threePools =
        [
            for kind in kinds do
                if kind.Bound > 1 then
                    for acts in words [ Pools.Rent, 2; Pools.Return, 2; Pools.Trim, 1 ] 3 do
                        if acts = List.sort acts then
                            struct ($"pool %A{kind}: three threads {acts}",
                                    Pools.pool kind [ for act in acts -> [ act ] ])
        ]

    let nodes length =
        [
            for closed in [ false; true ] do
                for context in [ false; true ] do
                    for first, second in
                        splits
                            [
                                Strands.End, 1
                                Strands.Attach, 2
                                Strands.Notify, 1
                                Strands.Follow, 1
                                Strands.Read, 1
                            ]
                            length do
                        if List.contains Strands.End (first @ second) then
                            struct ($"node closed={closed} context={context}: {first} | {second}",
                                    Strands.node closed context [ first; second ])
        ]

    let boxes =
        [
            for threads in 2..3 do
                struct ($"{threads} take from a box", Boxes.unboxed threads)
        ]

    let promises =
        [
            for threads in 2..3 do
                for failing in [ false; true ] do
                    struct ($"{threads} setters of a promise", Promises.settled threads failing)
        ]

    /// Locks, semaphores and events under two threads, with what cancels, sets and disposes between.
    let primitives length =
        let gates =
            [
                struct ("a lock", Primitives.aLock)
                struct ("a semaphore of one", Primitives.aSemaphore 1)
                struct ("a semaphore of two", Primitives.aSemaphore 2)
            ]

        let events =
            [
                struct ("an auto-reset event", Primitives.anAutoEvent false)
                struct ("an auto-reset event after a cancelled wait", Primitives.anAutoEvent true)
                struct ("a manual-reset event", Primitives.aManualEvent)
            ]

        let passes =
            [ Primitives.Pass, 2; Primitives.PassWithToken, 2; Primitives.Cancel, 1 ]

        [
            for struct (name, make) in gates do
                for first, second in splits ((Primitives.Dispose, 1) :: passes) length do
                    struct ($"{name}: {first} | {second}", Primitives.primitive make [ first; second ])
            for struct (name, make) in events do
                for first, second in
                    splits
                        ((Primitives.Dispose, 1) :: (Primitives.Set, 2) :: (Primitives.Reset, 1) :: passes)
                        length do
                    struct ($"{name}: {first} | {second}", Primitives.primitive make [ first; second ])
            for threads in 2..3 do
                struct ($"{threads} dispose of a releaser", Primitives.released threads)

                for failing in [ false; true ] do
                    struct ($"{threads} read a lazy value, failing {failing}",
                            Primitives.lazily threads failing)
        ]

    /// The same under three threads.
    let threePrimitives =
        [
            for struct (name, make) in
                [
                    struct ("a lock", Primitives.aLock)
                    struct ("a semaphore of two", Primitives.aSemaphore 2)
                ] do
                for acts in
                    [
                        [ Primitives.Pass; Primitives.Pass; Primitives.Pass ]
                        [ Primitives.Pass; Primitives.PassWithToken; Primitives.Cancel ]
                        [ Primitives.Pass; Primitives.Pass; Primitives.Dispose ]
                    ] do
                    struct ($"{name}: three threads {acts}",
                            Primitives.primitive make [ for act in acts -> [ act ] ])

            // one is inside, one waits with the token and one without: who is cancelled leaves the turn to the other
            struct ("a lock: two wait, one is cancelled",
                    Primitives.primitive
                        Primitives.aLock
                        [
                            [ Primitives.Pass ]
                            [ Primitives.PassWithToken; Primitives.Pass ]
                            [ Primitives.Cancel ]
                        ])
            for struct (name, make) in
                [
                    struct ("an auto-reset event", Primitives.anAutoEvent false)
                    struct ("a manual-reset event", Primitives.aManualEvent)
                ] do
                for acts in
                    [
                        [ Primitives.Pass; Primitives.Pass; Primitives.Set ]
                        [ Primitives.PassWithToken; Primitives.Set; Primitives.Cancel ]
                        [ Primitives.Pass; Primitives.Set; Primitives.Reset ]
                        [ Primitives.Pass; Primitives.Set; Primitives.Set ]
                    ] do
                    struct ($"{name}: three threads {acts}",
                            Primitives.primitive make [ for act in acts -> [ act ] ])
        ]

[<Collection("alone")>]
type Explorations(output: ITestOutputHelper) =
    let all = Int32.MaxValue

    // on all cores that it has, one explorer each, which end at the first world that does not hold
    let run (interruptions: int) (worlds: struct (string * (unit -> World)) list) : int64 =
        let worlds = Array.ofList worlds
        let mutable next = -1
        let mutable schedules = 0L

        let exploreNext () =
            use explorer = Explorer.Start 4
            let mutable at = Interlocked.Increment &next

            while at < worlds.Length do
                let struct (world, setup) = worlds[at]

                let count =
                    try
                        explorer.All(setup, interruptions)
                    with error ->
                        Volatile.Write(&next, worlds.Length)
                        raise (Broken $"{world}: {error.Message}")

                Interlocked.Add(&schedules, int64 count) |> ignore
                at <- Interlocked.Increment &next

        Task.WaitAll [| for _ in 1 .. Environment.ProcessorCount -> Task.Run exploreNext |]
        schedules

    let explore (name: string) (interruptions: int) (worlds: struct (string * (unit -> World)) list) =
        let clock = Stopwatch.StartNew()
        let schedules = run interruptions worlds

        output.WriteLine
            $"{name}: {worlds.Length} worlds, {schedules} schedules, {clock.Elapsed.TotalSeconds:F1} s"
        // each world has its choices
        Assert.True(schedules > int64 worlds.Length, $"{schedules} schedules")

    let finds (worlds: struct (string * (unit -> World)) list) =
        try
            run 3 worlds |> ignore
            false
        with _ ->
            true

    /// Tears each site of the library's files that the worlds meet, and looks for a schedule that breaks.
    let findsEachTorn (isLookedAt: string -> bool) (worlds: struct (string * (unit -> World)) list list) =
        // meets the sites
        for family in worlds do
            run 1 family |> ignore

        let sites = Sites.Met |> List.sort |> List.filter (fun site -> isLookedAt site.File)

        let missed =
            [
                for site in sites do
                    let isFound = Sites.Tearing(site, (fun () -> List.exists finds worlds))
                    output.WriteLine $"""{site} is {if isFound then "found" else "missed"}"""

                    if not isFound then
                        site
            ]

        Assert.True(sites.Length >= 10, "Too few sites were met.")
        Assert.Empty missed

    let isPrimitive (file: string) =
        file.Replace('\\', '/').Contains "/src/Plait/Primitives/"

    [<Fact>]
    member _.``sources hold in every schedule of two threads``() =
        explore "sources" all (Families.sources 3)

    [<Fact>]
    member _.``sources hold where three threads meet``() =
        explore "sources, three threads" 3 Families.threeSources

    [<Fact; Trait("run", "more")>]
    member _.``sources hold where four acts meet``() =
        explore "sources, four acts" all Families.longSources

    [<Fact>]
    member _.``operations that a Task stands for hold in every schedule``() =
        explore "operations" all Families.operations

    [<Fact>]
    member _.``pools hold in every schedule of two threads with an act each``() =
        explore "pools, two acts" all (Families.pools 2)

    [<Fact>]
    member _.``pools hold where three acts of two threads meet``() =
        explore "pools, three acts" 3 (Families.pools 3)

    [<Fact>]
    member _.``pools hold where three threads meet``() =
        explore "pools, three threads" 2 Families.threePools

    [<Fact>]
    member _.``pools hold where caches exchange items with the locked stack``() =
        explore "batches" 3 Families.batches

    [<Fact; Trait("run", "more")>]
    member _.``strand nodes hold in every schedule of two threads``() = explore "nodes" all (Families.nodes 3)

    [<Fact>]
    member _.``boxed values hold in every schedule of two and of three threads``() =
        explore "boxes" all Families.boxes

    [<Fact>]
    member _.``promises hold in every schedule of two and of three threads``() =
        explore "promises" all Families.promises

    [<Fact>]
    member _.``locks, semaphores and events hold where two acts meet, and where three threads do``() =
        explore "primitives, two acts" 2 (Families.primitives 2)
        explore "primitives, three threads" 2 Families.threePrimitives

    [<Fact; Trait("run", "more")>]
    member _.``locks, semaphores and events hold where three acts of two threads meet``() =
        explore "primitives, three acts" 2 (Families.primitives 3)

    [<Fact; Trait("run", "more")>]
    member _.``each compare-and-swap, each exchange and each lock is needed: torn, it is found``() =
        findsEachTorn
            (isPrimitive >> not)
            [
                Families.operations
                Families.boxes
                Families.sources 2
                Families.nodes 2
                Families.pools 2
                Families.batches
                Families.sources 3
                Families.pools 3
            ]
