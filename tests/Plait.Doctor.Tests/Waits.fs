// Under test: threads outside of the pool that wait for others in any call: which of them can never go on, because what is to end their
// wait was posted to their own context or because they join one another, with which function; and that those which go on in the end, or
// are there to wait, are named and not called hung.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>)>]
module Plait.Doctor.Tests.Waits

open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

/// Looks at a program until what is found is right, five times at the most: a look at which a thread has just posted work does not know
/// whether that thread takes it, too.
let private look (name: string) (problems: Diagnosis -> string list) : Diagnosis =
    use running = RunningProgram.Start(SickProgram.find name)

    let diagnosis =
        SickProgram.lookUntil (problems >> List.isEmpty) 10 (fun () -> SickProgram.examine running.Pid)

    let said = problems diagnosis |> String.concat "\n"
    Assert.True((said = ""), $"{said}\n{diagnosis.Why}\n%A{diagnosis.Waiters}")
    diagnosis

let private functions (diagnosis: Diagnosis) (isMeant: WaitingThread -> bool) : string list =
    diagnosis.Waiters |> List.filter isMeant |> List.map _.Function |> List.sort

let private differs (what: string) (expected: string list) (found: string list) : string list =
    [
        for missing in List.except found expected do
            $"{missing} is not among what {what}"
        for wrong in List.except expected found do
            $"{wrong} is among what {what}"
    ]

[<Fact>]
let ``a thread that waits for work posted to its own context is hung, in any blocking call`` () =
    let expected =
        [
            for name in
                [
                    "CommonEvent"
                    "Countdown"
                    "Handle"
                    "Join"
                    "Lock"
                    "Pulse"
                    "Queued"
                    "Semaphore"
                    "Take"
                    "Worker"
                ] do
                $"WindowWaits.{name}"

            "Form.Open"
        ]

    let diagnosis =
        look "WindowWaits" (fun diagnosis ->
            differs "hangs" expected (functions diagnosis _.IsHung)
            @ [
                if diagnosis.Verdict <> Verdict.Hung then
                    $"the verdict is {diagnosis.Verdict}"
            ])

    Assert.Contains("was posted to Sick.", diagnosis.Why)
    Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))

    let queued =
        diagnosis.Waiters |> List.find (fun waiter -> waiter.Function = "WindowWaits.Queued")

    Assert.Equal(Some "Sick.Dispatcher+Context", queued.Context)

    // a worker of the pool is listed only where it hangs
    for waiter in diagnosis.Waiters do
        Assert.Equal((waiter.Function = "WindowWaits.Worker"), waiter.IsWorker)

[<Fact>]
let ``posted work deep in a queue is found, and without a found queue it may wait`` () =
    let posted (posted: bool option) (diagnosis: Diagnosis) =
        functions diagnosis (fun waiter -> waiter.HasPosted = posted)

    let hung = [ "Actions.Invoke"; "DeepWindows.Chosen"; "DeepWindows.Clicked" ]

    let diagnosis =
        look "DeepWindows" (fun diagnosis ->
            differs "hangs" hung (functions diagnosis _.IsHung)
            @ differs "keeps work waiting" hung (posted (Some true) diagnosis)
            @ differs
                "keeps none waiting"
                [ "Actions.Run"; "DeepWindows.WaitsAndReports" ]
                (posted (Some false) diagnosis)
            @ differs
                "nobody can tell of"
                [ "DeepWindows.FarAway"; "DeepWindows.WaitsOnPool" ]
                (posted None diagnosis))

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)

[<Fact>]
let ``a thread that waits for a running thread, for its turn or for the end of a server is named and not hung``
    ()
    =
    let named =
        [
            for name in
                [
                    "JoinsServer"
                    "JoinsWork"
                    "WaitsForDelay"
                    "WaitsForEnd"
                    "WaitsForLater"
                    "WaitsForTask"
                    "WaitsForTest"
                    "WaitsForWork"
                ] do
                $"BusyWindow.{name}"
            "Dispatcher.Next"
            "Timed.Run"
        ]

    look "BusyWindow" (fun diagnosis ->
        differs "waits" named (functions diagnosis (fun _ -> true))
        @ differs "hangs" [] (functions diagnosis _.IsHung)
        // work is posted to these windows all the time; whoever posts may seem to take it
        @ [
            let windows =
                [ "JoinsWork"; "WaitsForDelay"; "WaitsForLater"; "WaitsForTask"; "WaitsForWork" ]
                |> List.map (fun name -> $"BusyWindow.{name}")

            let known (posted: bool) =
                functions diagnosis (fun waiter -> waiter.HasPosted = Some posted)

            if (known true).IsEmpty then
                "no window keeps posted work waiting"

            for wrong in List.except windows (known true) do
                $"{wrong} is said to keep posted work waiting"

            // its list waits for its hour
            for wrong in List.except [ "Timed.Run" ] (known false) do
                $"{wrong} is said to keep no posted work waiting"
        ]
        @ [
            if diagnosis.Verdict <> Verdict.Healthy then
                $"the verdict is {diagnosis.Verdict}"
        ])
    |> ignore

[<Fact>]
let ``posted work waits for a window whose thread hangs, and not for a dispatcher that waits for its next item``
    ()
    =
    let posted (diagnosis: Diagnosis) =
        functions diagnosis (fun waiter -> waiter.HasPosted = Some true)

    let idle =
        look "IdleWindow" (fun diagnosis ->
            differs
                "waits"
                [ "ChannelContext.Run"; "IdleWindow.RunServer"; "WindowContext.Run" ]
                (functions diagnosis (fun _ -> true))
            @ differs "keeps work waiting" [] (posted diagnosis))

    Assert.Equal(Verdict.Healthy, idle.Verdict)
    let text = DiagnosisText.lines 200 idle |> List.map snd |> String.concat "\n"

    Assert.Contains(
        "its SynchronizationContext is Sick.ChannelContext, and no work that was posted to it waits",
        text
    )

    Assert.DoesNotContain("until this thread goes on", text)

[<Fact>]
let ``if more threads wait than the doctor reads, a note has both numbers`` () =
    let waits count kind = List.replicate count kind
    Assert.Empty(Contexts.leftOut (waits 32 BlockKind.TaskWait @ waits 32 BlockKind.Lock) 4000 32)
    // nothing is looked for that could end these
    Assert.Empty(Contexts.leftOut (waits 500 BlockKind.Semaphore) 500 500)

    Assert.Equal<string list>(
        [
            "not checked for a deadlock: 1,168 of 1,210 threads that wait for a task, a lock, a static constructor or a thread"
        ],
        Contexts.leftOut (waits 1200 BlockKind.TaskWait @ waits 10 BlockKind.Lock) 1210 0
    )

    let note = List.exactlyOne (Contexts.leftOut [] 4001 0)

    Assert.StartsWith(
        "4,001 threads wait, and the doctor looked at the SynchronizationContexts of 4,000",
        note
    )

    Assert.StartsWith(
        "33 threads have resumed an async method, and the doctor searched 32 of them",
        List.exactlyOne (Contexts.leftOut [ BlockKind.TaskWait ] 1 33)
    )

[<Fact>]
let ``of the threads that have resumed async methods those that wait for no other thread are searched first``
    ()
    =
    let box =
        framework "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1.MoveNext"

    let handler =
        List.takeWhile _.IsFramework taskWait
        @ own "Shop.Orders+<Handle>d__1.MoveNext" 5 :: box :: bottom

    let load =
        framework "System.Threading.Thread.Sleep"
        :: own "Shop.Orders+<Load>d__2.MoveNext" 9
        :: box
        :: bottom

    let handlers = Map.ofList [ for thread in 1..40 -> thread, handler ]

    Assert.Equal<(int * string list) list>(
        (41, [ "<Load>d__2" ]) :: [ for thread in 1..40 -> thread, [ "<Handle>d__1" ] ],
        Contexts.resumed handlers (Map.ofList [ 41, load; 42, sleeping ])
    )

[<Fact>]
let ``threads that join one another are hung, and a thread that joins a working one is not`` () =
    let diagnosis =
        look "JoinDeadlock" (fun diagnosis ->
            differs
                "hangs"
                [ "Archiving.Close"; "Archiving.Follow"; "Archiving.Sort" ]
                (functions diagnosis _.IsHung)
            @ differs "waits and goes on" [ "Archiving.Watch" ] (functions diagnosis (_.IsHung >> not)))

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)

    let close =
        diagnosis.Waiters |> List.find (fun waiter -> waiter.Function = "Archiving.Close")

    let sort =
        diagnosis.Waiters |> List.find (fun waiter -> waiter.Function = "Archiving.Sort")

    Assert.Equal(Some { WaitsFor = WaitObject.Thread; BlockedBy = [ sort.Thread ] }, close.Deadlock)

    Assert.Equal(
        Some { WaitsFor = WaitObject.Lock(Some "Sick.Archive"); BlockedBy = [ close.Thread ] },
        sort.Deadlock
    )

    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains($"it joins thread {sort.Thread}", text)
    Assert.Contains($"the lock on Sick.Archive is held by thread {close.Thread}", text)
