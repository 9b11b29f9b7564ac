// The bytes of operations that suspend.
module Plait.Allocation.Tests.SuspendedBytes

open System
open System.Threading.Tasks
open Plait.Benchmarks.CSharp

/// Bytes of one operation that waits twice at a gate; `take` takes its result.
let gated (start: Gate -> 'Operation) (take: 'Operation -> unit) : float =
    let gate = Gate()

    Bytes.perOperation (fun () ->
        let pending = start gate
        gate.Open()
        gate.Open()
        take pending)

/// Bytes of one operation of 20,000, of which so many are in flight at a time.
let inFlight (width: int) (operation: unit -> ValueTask<int>) : float =
    let pending = Array.zeroCreate<ValueTask<int>> width
    let operation = Func<ValueTask<int>> operation
    Bytes.perOperationOfAll 20_000 (fun count -> Loops.RunInFlight(operation, pending, count).Wait())
