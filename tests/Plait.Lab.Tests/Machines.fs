// What is read of the machine, and where processes are put on it.
module Plait.Lab.Tests.Machines

open System
open Xunit

open Plait.Load

open Plait.Lab

[<Fact>]
let ``the ticks of a machine are its first eight and the eighth was stolen`` () =
    let found =
        Machine.parseTicks "cpu  10 20 30 40 50 60 70 80 900 1000\ncpu0 1 1 1 1 1 1 1 1 1 1\n"

    Assert.Equal(Some { Machine.Total = 360L; Machine.Idle = 90L; Machine.Steal = 80L }, found)

[<Fact>]
let ``the ticks of a core are those of its own line`` () =
    let stat =
        "cpu  9 9 9 9 9 9 9 9\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 1 1 1 1 1 1 1\nintr 5"

    Assert.Equal(
        Some { Machine.Total = 36L; Machine.Idle = 9L; Machine.Steal = 8L },
        Machine.parseCoreTicks 0 stat
    )

    Assert.Equal(
        Some { Machine.Total = 8L; Machine.Idle = 2L; Machine.Steal = 1L },
        Machine.parseCoreTicks 1 stat
    )

    Assert.Equal(None, Machine.parseCoreTicks 2 stat)

[<Fact>]
let ``a line without ticks gives no reading`` () =
    for text in
        [
            ""
            "cpu"
            "cpu 1 2 3"
            "intr 1 2 3 4 5 6 7 8"
            "cpu a b c d e f g h"
            "cpu 1 2 3 4 5 6 7 99999999999999999999"
        ] do
        Assert.Equal(None, Machine.parseTicks text)

[<Fact>]
let ``the stolen share is of the time between two readings`` () =
    let ticks total steal =
        Some { Machine.Total = total; Machine.Idle = 0L; Machine.Steal = steal }

    Assert.Equal(Some 25.0, Machine.stealPercent (ticks 1000L 10L) (ticks 1200L 60L))
    Assert.Equal(None, Machine.stealPercent (ticks 1000L 10L) (ticks 1000L 10L))
    Assert.Equal(None, Machine.stealPercent None (ticks 1000L 10L))
    Assert.Equal(None, Machine.stealPercent (ticks 1000L 10L) None)

[<Fact>]
let ``cores that were not idle between two readings were busy`` () =
    let ticks total idle =
        Some { Machine.Total = total; Machine.Idle = idle; Machine.Steal = 0L }

    let before = [ ticks 1000L 10L; ticks 1000L 10L ]
    // one core 25 % busy, the other 75 %
    Assert.Equal(Some 1.0, Machine.busyCores before [ ticks 1200L 160L; ticks 1200L 60L ])
    Assert.Equal(None, Machine.busyCores before before)
    Assert.Equal(None, Machine.busyCores [ None ] [ ticks 1000L 10L ])
    Assert.Equal(None, Machine.busyCores [] [])

/// Cores, and the server's and the client's.
let private places =
    [ [ 0; 1 ], Some 0, Some 1; [ 3; 7; 9 ], Some 3, Some 7; [ 5 ], Some 5, Some 5; [], None, None ]

[<Fact>]
let ``server and client get a core each, share the only one, or are not bound`` () =
    for cores, server, client in places do
        let place = Affinity.place true cores
        Assert.Equal((server, client), (place.Server, place.Client))
        Assert.Equal(cores.Length < 2, place.Warning.IsSome)

    Assert.Contains("only Linux", (Affinity.place false []).Description)

[<Fact>]
let ``a process started on a core may use that core alone, and one without a core all cores of its parent``
    ()
    =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux binds processes to cores")
    let core = List.last (Affinity.allowed ())
    let before = Affinity.allowed ()

    let ofChild () =
        Machine.firstLine "/" "grep" [ "Cpus_allowed_list"; "/proc/self/status" ] |> Option.get

    let usual = ofChild ()
    Assert.EndsWith($"\t{core}", Affinity.withCore (Some core) ofChild)
    Assert.Equal(usual, Affinity.withCore (Some core) (fun () -> Affinity.withCore None ofChild))
    Assert.Equal<int list>(before, Affinity.allowed ())

[<Fact>]
let ``a command that cannot be run has no first line`` () =
    Assert.Equal(None, Machine.firstLine "/" "no-such-command-anywhere" [])
    Assert.Equal(None, Machine.firstLine "/" "false" [])
