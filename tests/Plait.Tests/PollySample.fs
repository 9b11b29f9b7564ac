// Under test: Polly's pipelines in a builder, as docs/how-to/retry.md has them.
module Plait.Tests.PollySample

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait
open Polly
open Polly.Retry
open Xunit

let private pipeline =
    ResiliencePipelineBuilder()
        .AddRetry(RetryStrategyOptions(MaxRetryAttempts = 3, Delay = TimeSpan.Zero))
        .AddTimeout(TimeSpan.FromSeconds 5.)
        .Build()

let private loadByPolly (load: CancellationToken -> ValueTask<int>) (caller: CancellationToken) =
    pooledValueTask {
        let! loaded = pipeline.ExecuteAsync((fun token -> load token), caller)
        return loaded + 1
    }

[<Fact>]
let ``a pipeline of Polly binds as it is, and runs work of a builder`` () =
    let mutable attempts = 0

    let load (token: CancellationToken) : ValueTask<int> =
        attempts <- attempts + 1

        pooledValueTask {
            do! Task.Yield()
            token.ThrowIfCancellationRequested()

            if attempts < 3 then
                raise (IOException())

            return attempts
        }

    Assert.Equal(4, Within.result "Polly" ((loadByPolly load CancellationToken.None).AsTask()))
