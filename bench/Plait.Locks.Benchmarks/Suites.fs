// The suites and their rows.
module Plait.Benchmarks.Suites

open System
open System.Threading
open System.Threading.Tasks
open Plait

let private suite title operations allThreads rows =
    {
        Title = title
        Base = Rows.gates.Head.Name
        Operations = operations
        AllThreads = allThreads
        Rows = rows
    }

let private over (run: Rows.Gate -> int -> Task) =
    [ for gate in Rows.gates -> { Name = gate.Name; Run = run gate } ]

let free =
    suite "Enter and release a free lock" 100_000 false (over _.Free @ [ Rows.reader ])

/// Operations that enter, yield and release, again and again: all but one of them wait.
let contended contenders operations =
    let visits (gate: Rows.Gate) count =
        Task.WhenAll
            [|
                for _ in 1..contenders ->
                    pooledTaskUnit {
                        for _ in 1 .. count / contenders do
                            do! gate.Visit()
                    }
            |]

    suite $"{contenders} contenders, each inside over one Task.Yield()" operations true (over visits)

/// A hundred at a time wait for a lock that is held, and give up together.
let cancelled =
    let waits (gate: Rows.Gate) =
        gate.Hold()

        fun count ->
            pooledTaskUnit {
                let pending = Array.zeroCreate<ValueTask> 100

                for _ in 1 .. count / 100 do
                    use source = new CancellationTokenSource()

                    for at in 0..99 do
                        pending[at] <- gate.GiveUp source.Token

                    source.Cancel()

                    for at in 0..99 do
                        do! pending[at]
            }

    suite "A wait that is cancelled, and its exception" 2_000 true (over waits)

let private ofSignals title operations allThreads (signals: Rows.Signal list) run =
    {
        Title = title
        Base = signals.Head.Name
        Operations = operations
        AllThreads = allThreads
        Rows = [ for signal in signals -> { Name = signal.Name; Run = run signal } ]
    }

/// An event that is set before an operation waits for it.
let set =
    ofSignals "An event for one: set, then waited for" 100_000 false (Rows.signals ()) (fun signal count ->
        pooledTaskUnit {
            for _ in 1..count do
                signal.Set()
                do! signal.Wait()
        })

/// An operation that awaits an event: its continuation is registered where the event is not set. It has no Task of its own, so that
/// the bytes are the event's.
let private waiter (signal: Rows.Signal) : ValueTask =
    pooledValueTaskUnit { do! signal.Wait() }

/// One operation waits, another sets, again and again.
let signalled =
    ofSignals
        "An event for one: an operation waits, then it is set"
        50_000
        true
        (Rows.signals ())
        (fun signal count ->
            pooledTaskUnit {
                for _ in Range(0, count) do
                    let pending = waiter signal
                    signal.Set()
                    do! pending
            })

/// A hundred wait and are let through together.
let broadcast =
    ofSignals
        "An event for all: a hundred operations wait, then it is set; by wait"
        50_000
        true
        (Rows.broadcasts ())
        (fun signal count ->
            let pending = Array.zeroCreate<ValueTask> 100

            pooledTaskUnit {
                let times = count / pending.Length

                for _ in Range(0, times) do
                    signal.Reset()

                    for at in Range(0, pending.Length) do
                        pending[at] <- waiter signal

                    signal.Set()

                    for at in Range(0, pending.Length) do
                        do! pending[at]
            })

/// All suites, in the order of the report.
let all =
    [ free; contended 2 100_000; contended 1_000 100_000; cancelled; set; signalled; broadcast ]
