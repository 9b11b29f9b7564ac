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
    [ for step in finding.Path -> step.Location.Line, step.Says ]

[<Fact>]
let ``the path to a double use names the branch by its first line`` () =
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

    Assert.Contains("again in this call", finding.Message)
    Assert.DoesNotContain("loop", finding.Message)
    Assert.Contains((6, "in this call"), path finding)

[<Fact>]
let ``the message about a use in a loop names the loop`` () =
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
[<InlineData("let f () = async { let! _ = Async.StartChild(async { return 1 }) in return () }",
             "await it: let! _ = …")>]
[<InlineData("let f (gate: obj) = lock gate (fun () -> task { System.Threading.Thread.Sleep 1 })",
             "before the await, release locks, TransactionScopes and contexts of this thread")>]
[<InlineData("let f () = Plait.NonAffine.valueTask { System.Threading.Thread.Sleep 1 }",
             "the code after an await of valueTask leaves the caller's context")>]
let ``the advice is for the builder and the call`` (line: string, says: string) =
    Assert.Contains(says, (found [ line ]).Advice)

/// The advice for the call with a fix in these lines, which stand behind three others.
let private adviceOfFix (lines: string list) : string =
    use made = new Made()
    let file = made.Write("Said.fs", head + String.concat "\n" lines + "\n")

    (Snippets.check (Snippets.project "Said" [ file ])).Findings
    |> List.filter _.Fix.IsSome
    |> Assert.Single
    |> _.Advice

/// A function with a fix, and what calls it.
let private adviceBeside (callers: string list) : string =
    adviceOfFix ("let work () = task { System.Threading.Thread.Sleep 1 }" :: callers)

[<Theory>]
[<InlineData("let show () = (work ()).Wait()")>]
[<InlineData("let show () = work().GetAwaiter().GetResult()")>]
[<InlineData("let show () = Task.WaitAll [| work () :> Task; Task.Delay 1 |]")>]
[<InlineData("let show () = Task.WaitAny(work (), Task.Delay 1)")>]
[<InlineData("let show () = work () |> Async.AwaitTask |> Async.RunSynchronously")>]
[<InlineData("let show () = let pending = work () in pending.Result")>]
[<InlineData("let show () = (task { do! work () }).Wait()")>]
let ``a fix names the caller that blocks`` (caller: string) =
    Assert.Contains(
        "do! Task.Delay; Said.show (Said.fs, line 5) blocks until it is complete",
        adviceBeside [ caller ]
    )

[<Fact>]
let ``a fix names callers that block further up`` () =
    let advice =
        adviceBeside
            [
                "let around () = task { do! work () }"
                "let show () = (around ()).Wait()"
                "let again () = (around ()).Wait(); (work ()).Wait()"
                "let more () = (around ()).Wait()"
            ]

    Assert.Contains(
        "; Said.show (Said.fs, line 6), Said.again (Said.fs, line 7), Said.again (Said.fs, line 7) and another one block until",
        advice
    )

[<Fact>]
let ``a fix names the call that blocks on its block in the same function`` () =
    let advice =
        adviceOfFix
            [
                "let show () ="
                "    let work () = task { System.Threading.Thread.Sleep 1 }"
                "    (work ()).Wait()"
            ]

    Assert.Contains("Said.show (Said.fs, line 6) blocks until it is complete", advice)

[<Theory>]
[<InlineData("let show () = task { do! work () }")>]
[<InlineData("let show () = task {\n    let job = work ()\n    do! job\n    job.Wait() }")>]
[<InlineData("let show (job: Task) = job.Wait()")>]
[<InlineData("let show () = task { return 1 } |> _.Wait()")>]
[<InlineData("let show () = (Task.Delay 1).Wait()")>]
let ``a fix names only callers that block on it`` (caller: string) =
    Assert.Equal("do! Task.Delay", adviceBeside [ caller ])

[<Theory>]
[<InlineData("let work () = async { System.Threading.Thread.Sleep 1 }",
             "a cancelled async would end at the await")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1 }\nlet show () = ignore (work ())",
             "Said.show (Said.fs, line 5) does not await it, and would go on before it is complete")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1 }\nlet show () = work () |> Async.AwaitTask |> Async.StartImmediate",
             "Said.show (Said.fs, line 5) does not await it, and would go on before it is complete")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1 }\nlet around () = task { do! work () }\nlet show () = Async.Start(Async.AwaitTask(around ()))",
             "Said.show (Said.fs, line 6) does not await it, and would go on before it is complete")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1 }\nlet show (gate: obj) = lock gate work",
             "Said.show (Said.fs, line 5) starts it while a lock is held")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1 }\nlet show () = Task.Run(fun () -> work () :> Task)",
             "it runs on the thread that Task.Run (Said.fs, line 5) gives it")>]
[<InlineData("let work () = task { System.Threading.Thread.Sleep 1\n                     return System.Environment.CurrentManagedThreadId }",
             "the number or the state of the thread (Said.fs, line 5) belongs to one thread")>]
[<InlineData("let check id = id = System.Threading.Thread.CurrentThread.ManagedThreadId\nlet work id = task { System.Threading.Thread.Sleep 1\n                     return check id }",
             "the number or the state of the thread (Said.fs, line 4) belongs to one thread")>]
[<InlineData("let work () = task { let part = System.Span<byte>([| 1uy |]) in part.Fill 2uy\n                     System.Threading.Thread.Sleep 1 }",
             "a pointer or a value on the stack (Said.fs, line 4) belongs to one thread")>]
[<InlineData("let slot = new System.Threading.ThreadLocal<int>()\nlet work () = task { System.Threading.Thread.Sleep 1 }",
             "ThreadLocal (Said.fs, line 4) binds code to its thread")>]
let ``a finding that --fix leaves has the reason`` (text: string) (says: string) =
    use made = new Made()
    let file = made.Write("Said.fs", head + text + "\n")
    let project = Snippets.project "Said" [ file ]
    Assert.Empty(Snippets.typeErrors project)

    let finding =
        (Snippets.check project).Findings
        |> List.filter (fun finding -> finding.Rule = "PLT201")
        |> Assert.Single

    Assert.Contains($"; --fix leaves it, because {says}", finding.Advice)
    Assert.Equal(None, finding.Fix)

[<Theory>]
[<InlineData("let later (n: int) : Async<int> = async { return n }\nlet map next work = async { let! value = work in return next value }\nlet f key = later key |> map (fun n -> n + (fetch key).AsTask().Result)")>]
[<InlineData("let later (n: int) = Task.FromResult n\nlet map (next: int -> int) (work: Task<int>) = task { let! value = work in return next value }\nlet f key = later key |> map (fun n -> n + (later key).Result)")>]
let ``the advice for a function that gives a value inside of an operation keeps the type`` (text: string) =
    Assert.Equal(
        "await it before or after the call, or use a helper whose function returns an operation (`bind`)",
        (found [ text ]).Advice
    )

[<Fact>]
let ``the advice for a function that gives an operation inside of another is a computation expression`` () =
    let finding =
        found
            [
                "let bind (next: int -> Async<int>) (work: Async<int>) = async.Bind(work, next)"
                "let g (n: int) = async { return n }"
                "let f (job: Task<int>) = g 1 |> bind (fun n -> g (n + job.Result))"
            ]

    Assert.StartsWith("make the function's body a computation expression such as async, and ", finding.Advice)

[<Theory>]
[<InlineData("Microsoft.Azure.Functions.Worker", "Function")>]
[<InlineData("Microsoft.AspNetCore.Mvc", "HttpGet")>]
let ``a method that a server calls is named by its attribute`` (space: string, attribute: string) =
    use made = new Made()

    let declared =
        made.Write(
            "Attributes.fs",
            $"namespace {space}\ntype {attribute}Attribute() = inherit System.Attribute()\n"
        )

    let file =
        made.Write(
            "Said.fs",
            $"{head}type Served() =\n    [<{space}.{attribute}>]\n    member _.Run(job: Task<int>) : int = job.Result\n"
        )

    let finding =
        (Snippets.check (Snippets.project "Said" [ declared; file ])).Findings |> Assert.Single

    Assert.EndsWith($"inside a method with [<{attribute}>]", finding.Message)

[<Fact>]
let ``the advice for a wait with a limit keeps the limit and the token`` () =
    let finding =
        found [ "let f (job: Task<int>) = Async.RunSynchronously(Async.AwaitTask job, 1000)" ]

    Assert.Equal("PLT203", finding.Rule)
    Assert.Contains("WaitAsync(limit).GetAwaiter().GetResult()", finding.Advice)
    Assert.Contains("token", finding.Advice)

[<Fact>]
let ``a sequence that no code enumerates starts none of its operations`` () =
    let finding =
        found
            [
                "let f (client: System.Net.Http.HttpClient) (urls: string list) = task {"
                "    urls |> Seq.map client.GetStringAsync |> ignore"
                "    return 1 }"
            ]

    Assert.Equal("PLT301", finding.Rule)
    Assert.Equal(Severity.Warning, finding.Severity)
    Assert.Contains("no code enumerates its sequence, and it never runs", finding.Message)
    Assert.Contains("enumerate the sequence once", finding.Advice)

[<Fact>]
let ``the operations of an enumerated sequence run`` () =
    let finding =
        found
            [
                "let f (urls: string list) = task {"
                "    urls |> Seq.map (fun url -> fetch url.Length) |> Seq.iter ignore"
                "    return 1 }"
            ]

    Assert.Equal("PLT301", finding.Rule)
    Assert.Contains("its failure is lost", finding.Message)
