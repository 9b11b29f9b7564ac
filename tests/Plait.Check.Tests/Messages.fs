// Under test: what findings say: names of values as the source has them, the way that leads there, and the advice.
module Plait.Check.Tests.Messages

open Xunit

open Plait.Check

let private head =
    "module Said\nopen System.Threading.Tasks\nlet fetch (n: int) = ValueTask<int>(n |> Task.FromResult)\n"

/// The one finding of at least info in these lines, which stand behind three others.
let private found (lines: string list) : Finding =
    use made = new Made()
    let file = made.Write("Said.fs", head + String.concat "\n" lines + "\n")

    (Snippets.check (Snippets.project "Said" [ file ])).Findings
    |> List.filter (fun finding -> finding.Severity > Severity.Hint)
    |> Assert.Single

let private path (finding: Finding) : (int * string) list =
    [ for step in finding.Path -> step.Place.Line, step.Says ]

[<Fact>]
let ``the way to a double use names the branch by the line where it begins`` () =
    let finding =
        found
            [
                "let f (reading: ValueTask<int>) isEarly = task {"
                "    if isEarly then"
                "        let! value = reading"
                "        printfn \"%d\" value"
                "    return! reading }"
            ]

    Assert.Equal(Severity.Info, finding.Severity)

    Assert.Equal<_ list>(
        [
            4, "it comes from here"
            6, "through the 'then' branch"
            6, "first use: it is awaited"
            8, "second use: it is awaited with return!"
        ],
        path finding
    )

[<Fact>]
let ``a function that is called twice shows its calls, and no loop`` () =
    let finding =
        found
            [
                "let f (reading: ValueTask<int>) ="
                "    let start () = reading.AsTask()"
                "    let first = start ()"
                "    let second = start ()"
                "    Task.WhenAll(first, second)"
            ]

    Assert.Contains("each time that this runs", finding.Message)
    Assert.DoesNotContain("loop", finding.Message)
    Assert.Contains((6, "in this call"), path finding)

[<Fact>]
let ``a use in a loop says so`` () =
    let finding =
        found
            [
                "let f (reading: ValueTask<int>) = task {"
                "    for _ in 1..3 do"
                "        let! value = reading"
                "        printfn \"%d\" value }"
            ]

    Assert.Contains("in each turn of a loop", finding.Message)

[<Theory>]
[<InlineData("let f (job: {| Job: Task<int> |}) = task { return job.Job.Result }", "blocks the thread, inside")>]
[<InlineData("let f (s: TaskCompletionSource<int>) = task { return s.Task.Result }",
             "until 's.Task' is complete")>]
[<InlineData("let f (jobs: Task<int> option) = task { return (match jobs with Some job -> job.Result | None -> 0) }",
             "until 'job' is complete")>]
let ``a value is named as in the source, or not at all`` (line: string, says: string) =
    Assert.Contains(says, (found [ line ]).Message)

[<Theory>]
[<InlineData("let f (jobs: Task[]) = task { Task.WaitAll jobs }", "await Task.WhenAll")>]
[<InlineData("let f (job: Task<int>) = async { return job.Result }", "Async.AwaitTask")>]
[<InlineData("let f () = task { Task.FromException<int>(exn \"\").ConfigureAwait false |> ignore\n                  System.Threading.Thread.Sleep 1 }",
             "do! Task.Delay")>]
let ``the advice is for the builder and the call`` (line: string, says: string) =
    Assert.Contains(says, (found [ line ]).Advice)
