// Under test: what an assembly says of its methods: names, and the lines of calls, which is all that is known of a place in code that
// was compiled ahead of time. The methods are those of this file.
module Plait.Doctor.Tests.CodePlaces

open System
open System.Reflection
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Doctor

let internal once () =
    GC.KeepAlive 1
    Thread.Sleep 1
    GC.KeepAlive 2

let internal onceLine = int __LINE__ - 3

let internal twice () =
    Thread.Sleep 1
    GC.KeepAlive 1
    Thread.Sleep 2

let internal result (task: Task<int>) =
    let found = task.Result
    GC.KeepAlive found

let private resultLine = int __LINE__ - 3

/// Both calls may block; the JIT may give them one range of native code.
let internal prints (task: Task<int>) =
    let found = task.Result
    Console.WriteLine found
    GC.KeepAlive found

let internal reads (input: System.IO.TextReader) =
    let found = input.ReadLine()
    Console.WriteLine found
    GC.KeepAlive found

let private awaitedLine = int __LINE__ - 9
let private printedLine = int __LINE__ - 9
let private readLine = int __LINE__ - 6

let internal fail () =
    raise (System.IO.IOException "no answer")

let internal retries () =
    try
        fail ()
    with :? System.IO.IOException ->
        Thread.Sleep 1

let private retryLine = int __LINE__ - 2
let private failLine = int __LINE__ - 5

let private short () = Thread.Sleep 1

let internal sleepsFirst () =
    try
        short ()
    with :? System.IO.IOException ->
        Thread.Sleep 2

let private shortLine = int __LINE__ - 4

type internal IGate =
    abstract Pass: unit -> unit

type internal Door() =
    interface IGate with
        member _.Pass() = GC.KeepAlive 1

let internal callsDelegate (action: Action) =
    try
        action.Invoke()
    with :? System.IO.IOException ->
        Thread.Sleep 3

let internal callsFunction (work: unit -> unit) =
    try
        work ()
    with :? System.IO.IOException ->
        Thread.Sleep 4

let internal callsInterface (gate: IGate) =
    try
        gate.Pass()
    with :? System.IO.IOException ->
        Thread.Sleep 5

let internal callsFrameworkInterface (held: IDisposable) =
    try
        held.Dispose()
    with :? System.IO.IOException ->
        Thread.Sleep 6

let internal callsOtherAssembly () =
    try
        Remedy.ofKind BlockKind.Sleep |> ignore
    with :? System.IO.IOException ->
        Thread.Sleep 7

let internal openCalls =
    [
        "callsDelegate"
        "callsFunction"
        "callsInterface"
        "callsFrameworkInterface"
        "callsOtherAssembly"
    ]

let internal retriesTwice () =
    try
        fail ()
    with
    | :? System.IO.IOException -> Thread.Sleep 8
    | :? TimeoutException -> Thread.Sleep 9

let internal retriesInOneLine (isShort: bool) =
    try
        fail ()
    with :? System.IO.IOException ->
        if isShort then Thread.Sleep 1 else Thread.Sleep 2

let private oneLine = int __LINE__ - 2

// the F# compiler inlines them otherwise
[<MethodImpl(MethodImplOptions.NoInlining)>]
let internal inner () =
    GC.KeepAlive 1
    Thread.Sleep 1

let private innerLine = int __LINE__ - 2

[<MethodImpl(MethodImplOptions.NoInlining)>]
let internal outer () =
    GC.KeepAlive 1
    inner ()

let private outerLine = int __LINE__ - 2

let internal callsOuter () =
    outer ()
    GC.KeepAlive 2

let private callsOuterLine = int __LINE__ - 3

let internal callsBoth (isFirst: bool) = if isFirst then inner () else short ()

let ``a name (in brackets) [and more]`` () = GC.KeepAlive 1

type private Marker = class end

let private here = nonNull typeof<Marker>.DeclaringType

let private methodId (name: string) : MethodId =
    let found =
        here.GetMethod(name, BindingFlags.Static ||| BindingFlags.NonPublic ||| BindingFlags.Public)

    {
        File = here.Assembly.Location
        Build = Guid.Empty
        Token = (nonNull found).MetadataToken
    }

let private sleep = "System.Threading.Thread.Sleep"

let private lineOf (name: string) (callee: string) : int option =
    use code = new UserCode()

    code.TryFind(methodId name, Position.Calling callee)
    |> Option.bind _.Line
    |> Option.map snd

[<Fact>]
let ``the line of a call is that of the only call of the method that stands on the stack`` () =
    Assert.Equal(Some onceLine, lineOf "once" sleep)
    Assert.Equal(None, lineOf "twice" sleep)
    Assert.Equal(None, lineOf "once" "System.Threading.Thread.Join")

[<Fact>]
let ``if the JIT inlined the called method, the line is that of the only call that blocks in the same way``
    ()
    =
    Assert.Equal(Some resultLine, lineOf "result" "System.Threading.Tasks.Task`1.GetResultCore")
    Assert.Equal(None, lineOf "result" "System.Threading.Monitor.Wait")

[<Fact>]
let ``of several statements in one range of native code, the one whose call blocks like the method on the stack counts``
    ()
    =
    use code = new UserCode()

    let within (name: string) (callee: string) =
        code.TryFind(methodId name, Position.Between(0, Int32.MaxValue, Some callee))
        |> Option.map (fun facts -> Option.map snd facts.Line, facts.Calls)

    let found = within "prints"
    let found' = within "callsOuter"

    let waits = Some(Some awaitedLine, [ "System.Threading.Tasks.Task`1.get_Result" ])

    Assert.Equal(waits, found "System.Threading.Tasks.Task`1.GetResultCore")
    Assert.Equal(waits, found "System.Threading.Tasks.Task`1.get_Result")
    let prints = Some(Some printedLine, [ "System.Console.WriteLine" ])
    Assert.Equal(prints, found "System.Console.WriteLine")
    Assert.Equal(prints, found "")
    // a function of the program's own
    let outer = found' "Plait.Doctor.Tests.CodePlaces.outer"
    Assert.Equal(Some callsOuterLine, Option.bind fst outer)
    // the reader of the console overrides it
    let read = Some(Some readLine, [ "System.IO.TextReader.ReadLine" ])
    Assert.Equal(read, within "reads" "System.IO.SyncTextReader.ReadLine")

/// The calls that the JIT may have inlined between a statement and the method on the stack: method and line, innermost first.
let private inlined (name: string) (callee: string) =
    use code = new UserCode()

    match code.TryFind(methodId name, Position.Between(0, Int32.MaxValue, Some callee)) with
    | Some facts ->
        let calls =
            facts.Inlined
            |> List.map (fun call ->
                call.Method.Substring(call.Method.LastIndexOf '.' + 1), Option.map snd call.Line, call.Called)

        Option.map snd facts.Line, calls
    | None -> failwith $"nothing is known of {name}"

[<Fact>]
let ``methods that the JIT has inlined are found by the only way from the statement to the method on the stack``
    ()
    =
    Assert.Equal(
        (Some callsOuterLine,
         [ "inner", Some innerLine, sleep; "outer", Some outerLine, "Plait.Doctor.Tests.CodePlaces.inner" ]),
        inlined "callsOuter" sleep
    )

    // the statement calls it itself, or there are several ways, or none
    for name, callee in
        [
            "once", sleep
            "callsBoth", sleep
            "callsOuter", "System.Threading.Monitor.Wait"
            "callsOuter", ""
        ] do
        Assert.Empty(snd (inlined name callee))

/// The line of a frame at the statement that an exception can leave.
let private lineAtThrow (name: string) (callee: string) : int option =
    use code = new UserCode()

    let body =
        here.GetMethod(name, BindingFlags.Static ||| BindingFlags.NonPublic)
        |> nonNull
        |> _.GetMethodBody()
        |> nonNull

    let clause = body.ExceptionHandlingClauses[0]
    let until = clause.TryOffset + clause.TryLength

    code.TryFind(methodId name, Position.Between(clause.TryOffset, until, Some callee))
    |> Option.bind _.Line
    |> Option.map snd

[<Fact>]
let ``a call in the handler of an exception has its own line, and not that of the statement that threw`` () =
    Assert.Equal(Some retryLine, lineAtThrow "retries" sleep)
    // the statement waits itself, or its call is not known
    Assert.Equal(Some failLine, lineAtThrow "retries" "System.Threading.Thread.Join")
    Assert.Equal(Some failLine, lineAtThrow "retries" "")
    // the JIT may have inlined the called function, which sleeps too
    Assert.Equal(Some shortLine, lineAtThrow "sleepsFirst" sleep)
    Assert.Equal(Some oneLine, lineAtThrow "retriesInOneLine" sleep)

[<Fact>]
let ``a statement that may call any code may wait itself, and of several calls in handlers none is named``
    ()
    =
    for name in openCalls do
        Assert.Equal((name, lineAtThrow name ""), (name, lineAtThrow name sleep))
        Assert.NotEqual(None, lineAtThrow name sleep)

    Assert.Equal(None, lineAtThrow "retriesTwice" sleep)

[<Fact>]
let ``a method is named by its metadata, with any characters in its name`` () =
    use code = new UserCode()

    for name in [ "once"; nameof ``a name (in brackets) [and more]`` ] do
        Assert.Equal(Some $"Plait.Doctor.Tests.CodePlaces.{name}", code.TryName(methodId name))

[<Fact>]
let ``the method of an interface is one of the class that implements it`` () =
    use code = new UserCode()

    let pass =
        typeof<Door>.GetMethods(BindingFlags.Instance ||| BindingFlags.NonPublic)
        |> Array.find (fun method -> method.Name.EndsWith ".Pass")

    Assert.Equal(
        Some "Plait.Doctor.Tests.CodePlaces+Door.Pass",
        code.TryName { methodId "once" with Token = pass.MetadataToken }
    )

[<Fact>]
let ``an assembly of another build gives no lines, and one note`` () =
    use code = new UserCode()
    let other = { methodId "once" with Build = Guid.NewGuid() }
    Assert.Equal(None, code.TryName other)
    Assert.Equal(None, code.TryFind(other, Position.Calling sleep))
    let note = List.exactlyOne code.Notes
    Assert.StartsWith("Plait.Doctor.Tests.dll on disk is another build", note)
