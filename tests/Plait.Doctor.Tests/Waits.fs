// Under test: threads outside of the pool that wait for others in any call: which of them can never go on, because what is to end their
// wait was posted to their own context or because they join one another, with which function; and that those which go on in the end, or
// are there to wait, are named and not called hung.
[<Xunit.Collection(Plait.Lab.Tests.Alone.Name)>]
module Plait.Doctor.Tests.Waits

open Xunit

open Plait.Doctor

/// Looks at a program until what is found is right, twice at the most, as the gallery does.
let private look (name: string) (problems: Diagnosis -> string list) : Diagnosis =
    use running = RunningProgram.Start(SickProgram.find name)
    let first = SickProgram.examine running.Pid

    let diagnosis =
        if (problems first).IsEmpty then first else SickProgram.examine running.Pid

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
let ``a thread that waits in any call for what was posted to its own context is hung`` () =
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
let ``who waits for a thread that goes on, for its turn or for the end of a server is named and not hung``
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
        @ [
            if diagnosis.Verdict <> Verdict.Healthy then
                $"the verdict is {diagnosis.Verdict}"
        ])
    |> ignore

[<Fact>]
let ``threads that join one another are hung, and who joins one that works is not`` () =
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

    Assert.Equal(Some { What = Obstruction.Thread; By = [ sort.Thread ] }, close.Deadlock)

    Assert.Equal(Some { What = Obstruction.Lock(Some "Sick.Archive"); By = [ close.Thread ] }, sort.Deadlock)

    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains($"it joins thread {sort.Thread}", text)
    Assert.Contains($"the lock on Sick.Archive is held by thread {close.Thread}", text)
