// Under test: a strand that is completed on another thread in the very moment in which it is handed to its caller. Each
// part runs once, in its own context, whoever is first.
module Plait.Tests.StrandRaces

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

/// A thread that runs what it is given at once: it spins, so that the race is on.
type Spinner() =
    let mutable work: Action | null = null
    let mutable stop = false

    let thread =
        Thread(
            (fun () ->
                while not (Volatile.Read &stop) do
                    match Interlocked.Exchange(&work, null) with
                    | null -> Thread.SpinWait 1
                    | action ->
                        Ambient.Value <- Foreign.Mark
                        action.Invoke()),
            IsBackground = true
        )

    do thread.UnsafeStart()

    member _.Run(action: Action) =
        while not (isNull (Interlocked.CompareExchange(&work, action, null))) do
            Thread.SpinWait 1

    interface IDisposable with
        member _.Dispose() =
            Volatile.Write(&stop, true)
            thread.Join()

[<Struct>]
type Handover(spinner: Spinner) =
    member handover.GetAwaiter() = handover
    member _.IsCompleted = false
    member _.GetResult() = ()

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation = spinner.Run continuation
        member _.UnsafeOnCompleted continuation = spinner.Run continuation

let private runs = 1_500

let private forms: (string * (Spinner -> (unit -> unit) -> Task<int>)) list =
    [
        "strand",
        fun spinner count ->
            (strand {
                Ambient.Value <- 2
                do! Handover spinner
                let before = Ambient.Value
                Ambient.Value <- 3
                count ()

                let! child =
                    strand {
                        Ambient.Value <- 4
                        do! Handover spinner
                        count ()
                        Ambient.Value <- 5
                        return! strand { return Ambient.Value }
                    }

                count ()
                return before * 100 + child * 10 + Ambient.Value
            })
                .AsTask()
        "pooledValueTask",
        fun spinner count ->
            (pooledValueTask {
                Ambient.Value <- 2
                do! Handover spinner
                let before = Ambient.Value
                Ambient.Value <- 3
                count ()

                let! child =
                    pooledValueTask {
                        Ambient.Value <- 4
                        do! Handover spinner
                        count ()
                        Ambient.Value <- 5
                        return! pooledValueTask { return Ambient.Value }
                    }

                count ()
                return before * 100 + child * 10 + Ambient.Value
            })
                .AsTask()
    ]

let names = [| for name, _ in forms -> TheoryDataRow [| box name |] |]

[<Theory; MemberData(nameof names)>]
let ``each part runs once and in its own context`` (form: string) =
    use spinner = new Spinner()
    let start = forms |> List.find (fst >> (=) form) |> snd

    for _ in 1..runs do
        Ambient.Value <- 1
        let counted = [| 0 |]

        let operation =
            start spinner (fun () -> Interlocked.Increment &counted[0] |> ignore)

        Assert.Equal(1, Ambient.Value)
        Assert.Equal(253, Within.result "It" operation)
        Assert.Equal(3, counted[0])
