// Under test: a work item of our own in the queue of another process, and that nothing but the loaded assembly stays there.
module Plait.Doctor.Tests.Inject

open System
open System.IO
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.Targets

let private second = TimeSpan.FromSeconds 1.0

let private leftBehind (folder: string) (pid: int) =
    Directory.GetFileSystemEntries(folder, "plait-canary-*")
    |> Array.filter (fun path ->
        Path.GetFileName(path) = $"plait-canary-{pid}" || path.Contains $"plait-canary-{pid}-")

[<Fact>]
let ``in a starved process the item does not run, and its age is told`` () =
    use target = sick "SleepInAsync"
    let item = Canary.wait target.Pid second
    Assert.False item.Ran
    Assert.True(item.WaitedMilliseconds >= second.TotalMilliseconds, $"{item}")
    Assert.Empty(leftBehind (Path.GetTempPath()) target.Pid)
    target.GoesOn()

[<Fact>]
let ``in a healthy process it runs at once, as often as it is asked`` () =
    use target = sick "HealthyAsync"

    for _ in 1..3 do
        let item = Canary.wait target.Pid limit
        Assert.True(item.Ran, $"{item}")
        // milliseconds, or less, on a quiet machine
        Assert.InRange(item.WaitedMilliseconds, 0.0, 30_000.0)

    Assert.Empty(leftBehind (Path.GetTempPath()) target.Pid)
    target.GoesOn()

[<Fact>]
let ``an item that runs after nobody waits for it any more leaves nothing behind`` () =
    use target = sick "HealthyAsync"
    // not asked for an answer at all
    let given = Canary.wait target.Pid TimeSpan.Zero
    Assert.True(given.WaitedMilliseconds >= 0.0)
    // what is queued after it runs after it
    Assert.True((Canary.wait target.Pid limit).Ran)
    Assert.Empty(leftBehind (Path.GetTempPath()) target.Pid)

[<Fact>]
let ``a process in a container of its own is given a copy, which is taken away again`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target

    for _ in 1..2 do
        Assert.True((Canary.wait pid limit).Ran)

    Assert.Empty(Directory.GetFileSystemEntries($"/proc/{pid}/root/var/tmp", "plait-canary-*"))

[<Fact; Trait("run", "more")>]
let ``a stopped process is said to be stopped`` () =
    use target = sick "HealthyAsync"
    stop target.Pid

    let refusal =
        Assert.Throws<NoAnswer>(fun () -> Canary.wait target.Pid second |> ignore)

    Assert.Contains("SIGSTOP", refusal.Message)
    Assert.Empty(leftBehind (Path.GetTempPath()) target.Pid)

[<Fact>]
let ``a process with its diagnostics off is told as such`` () =
    use target = sickWith [ "DOTNET_EnableDiagnostics", "0" ] "HealthyAsync"

    let refusal =
        Assert.Throws<CannotAttach>(fun () -> Canary.wait target.Pid second |> ignore)

    Assert.Contains("DOTNET_EnableDiagnostics=0", refusal.Message)
