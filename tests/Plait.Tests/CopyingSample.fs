// Under test: the job of samples/cancellable.
module Plait.Tests.CopyingSample

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks
open Xunit
open Plait.Samples

/// Remembers that it was disposed.
type private Target() =
    inherit StringWriter(NewLine = ";")
    member val IsDisposed = false with get, set

    override target.Dispose(disposing) =
        target.IsDisposed <- true
        base.Dispose disposing

let private page (number: int) =
    if number = 0 then
        { Lines = [ "a"; "b" ]; After = ValueSome 1 }
    else
        { Lines = [ "c" ]; After = ValueNone }

/// A job over a read, and the targets that it has opened.
let private job (read: int -> CancellationToken -> Task<SourcePage>) =
    let targets = List<Target>()

    let target () : TextWriter =
        targets.Add(new Target())
        targets[targets.Count - 1]

    Copying(read, target), targets

[<Fact>]
let ``the job starts when it is called, each time from the first page and with the token of the call`` () =
    let tokens = List<CancellationToken>()

    let copying, targets =
        job (fun number token ->
            task {
                tokens.Add token
                do! Task.Yield()
                return page number
            })

    let all = copying.All
    Assert.Empty targets

    for start in 1..2 do
        use source = new CancellationTokenSource()
        Assert.Equal(3, Within.result "The job" (all source.Token))
        Assert.Equal(start, targets.Count)
        Assert.Equal<CancellationToken seq>([ source.Token; source.Token ], Seq.skip (2 * start - 2) tokens)

    Assert.All(
        targets,
        (fun target ->
            Assert.True target.IsDisposed
            Assert.Equal("a;b;c;", string target))
    )

[<Fact>]
let ``a job that is cancelled reads no further, and its target is disposed`` () =
    use source = new CancellationTokenSource()
    let reads = List<int>()

    let copying, targets =
        job (fun number _ ->
            reads.Add number
            source.Cancel()
            Task.FromResult(page number))

    let error = Within.error "The job" (copying.All source.Token)
    Assert.Equal(source.Token, Assert.IsAssignableFrom<OperationCanceledException>(error).CancellationToken)
    Assert.Equal<int seq>([ 0 ], reads)
    Assert.True((Assert.Single targets).IsDisposed)

    // and one whose token is cancelled before its start opens none
    Assert.IsAssignableFrom<OperationCanceledException>(Within.error "The job" (copying.All source.Token))
    |> ignore

    Assert.Single targets |> ignore

[<Fact>]
let ``each start of the job with a limit of time is cancelled after it`` () =
    let hangs = ref true

    let copying, targets =
        job (fun number token ->
            task {
                if hangs.Value then
                    do! Task.Delay(Timeout.Infinite, token)

                return page number
            })

    let hasty = copying.Within(TimeSpan.FromMilliseconds 1.)
    let patient = copying.Within Within.limit
    Assert.Empty targets

    for _ in 1..2 do
        Assert.IsAssignableFrom<OperationCanceledException>(Within.error "The job" (hasty ()))
        |> ignore

    hangs.Value <- false
    Assert.Equal(3, Within.result "The job" (patient ()))
    Assert.Equal(3, targets.Count)
    Assert.All(targets, (fun target -> Assert.True target.IsDisposed))
