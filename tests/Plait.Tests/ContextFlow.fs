// Under test: ExecutionContext and SynchronizationContext, compared with C#'s `async Task`: what the program sees, what
// the caller sees behind the call, behind the await and in its continuation.
module Plait.Tests.ContextFlow

open System.Threading.Tasks
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

/// What the forms without a bubble let out, as documented, when it happens before the first suspension.
let private letOut =
    set
        [
            "flow suppressed and left so"
            "SynchronizationContext replaced"
            "SynchronizationContext replaced, then a throw"
        ]

let contexts =
    [|
        for subject in Catalogue.subjects do
            for name, _ in subject.Contexts do
                if subject.Promise.Contained || not (letOut.Contains name) then
                    for home in Cases.homes subject.Promise do
                        for suppressed in [ false; true ] do
                            Cases.row subject.Promise [ name; home; suppressed ]
    |]

/// Runs a program from an async method, on a thread or context of its own, and gives the trace of both.
let observe (promise: Promise) (home: bool) (suppressed: bool) (program: World -> Task) : string =
    let run (context: HomeContext | null) =
        // two traces: what the program does beside the caller is in no order with it
        let caller = World context
        let world = World(context, WritesContext = promise.Contained)

        let start () =
            Trace.start promise (fun () -> program world)

        struct (caller, world), Drive.Observe(caller, world.Error, suppressed, start)

    let mutable seen = struct (World(), World())

    if home then
        HomeContext.Run(
            "the program",
            fun context ->
                let worlds, operation = run context
                seen <- worlds
                task { do! operation }
        )
    else
        let worlds, operation = Within.thread "The start" 0 (fun () -> run null)
        seen <- worlds
        Within.ended "The program" operation
        operation.GetAwaiter().GetResult()

    let struct (caller, world) = seen
    $"caller:\n{caller.Trace}\nprogram:\n{world.Trace}"

/// The oracle under the same conditions.
let expected (promise: Promise) home suppressed program =
    observe { promise with Captures = true } home suppressed program

/// Where the flow is suppressed a program sees the context of whatever thread resumes it, so that only these are the
/// same each time; C# also leaves there what the program writes, which no builder does.
let private decided =
    set [ "read"; "set"; "set and throw"; "set, yield, set"; "set, yield, throw" ]

[<Theory; MemberData(nameof contexts)>]
let ``a program and its caller have the same contexts as in C#``
    (builder: string)
    (program: string)
    (home: bool)
    (suppressed: bool)
    =
    let subject = Cases.subject builder
    let tested = subject.Contexts |> List.find (fst >> (=) program) |> snd

    let visible (trace: string) =
        if suppressed && not (decided.Contains program) then
            trace.Substring(0, trace.IndexOf "program:")
        else
            trace

    Assert.Equal(
        visible (expected subject.Promise home suppressed ContextPrograms.All[program].Invoke),
        visible (observe subject.Promise home suppressed tested)
    )

[<Fact>]
let ``there is a program of C# for each of F#, and the other way round`` () =
    let names = [ for name in ContextPrograms.All.Keys -> name ]

    for subject in Catalogue.subjects do
        Assert.Equal<string list>(names, List.map fst subject.Contexts)

[<Fact>]
let ``the oracle finds planted differences`` () =
    let trace =
        observe Catalogue.subjects.Head.Promise false false ContextPrograms.All["set, yield, set"].Invoke

    Assert.Equal(
        "caller:\n1 nowhere\nflows\n1 nowhere\nended\n1 nowhere\n1 nowhere\nprogram:\n5 nowhere\n6 nowhere",
        trace
    )
