// Under test: the time to compile. An InlineIfLambda in the wrong place makes it grow exponentially with the number of
// binds and the depth of nesting (14 binds took 18 times as long as FSharp.Core's task). Processor time, in one process.
[<Xunit.Collection "alone"; Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.CompileTime

open System
open Xunit

/// The processor time is that of the whole process, so nothing else runs meanwhile.
[<CollectionDefinition("alone", DisableParallelization = true)>]
type Alone() = class end

let private head =
    "module Snippet\nopen System\nopen System.Threading.Tasks\nopen Plait\nlet later (n: int) = Task.FromResult n\n"

let private fourteenBinds (builder: string) =
    let binds = String.Join("\n", [ for i in 0..13 -> $"    let! a{i} = later {i}" ])
    let sum = String.Join(" + ", [ for i in 0..13 -> $"a{i}" ])
    $"{head}let f () = {builder} {{\n{binds}\n    return {sum}\n}}\n"

let private fiveNested (builder: string) =
    let pad level = String(' ', 4 + level * 8)

    let lines =
        [
            $"let f (d: unit -> IDisposable) = {builder} {{"
            for level in 0..4 do
                $"{pad level}try"
                $"{pad level}    for x{level} in [ 1; 2 ] do"
                $"{pad level}        use _d{level} = d ()"
                $"{pad level}        let! y{level} = later x{level}"
                $"{pad level}        if y{level} > 0 then do! (later 1 :> Task)"
            pad 5 + "()"
            for level in 4..-1..0 do
                $"{pad level}finally ignore {level}"
            "    return 1\n}\n"
        ]

    head + String.Join("\n", lines)

/// What each builder's file costs, taken in turn, so that a busy moment of the machine hits all of them.
let private turn (shape: string -> string) =
    [ "task"; "pooledValueTask"; "strand"; "pooledValueTaskResult"; "strandResult" ]
    |> List.map (fun builder -> builder, (Compiler.cost (shape builder)).TotalMilliseconds)

/// The builders that are three times as slow as task, with the factor.
let private slow (costs: (string * float) list) =
    let theirs = snd costs.Head

    [
        for builder, ours in costs do
            if ours / theirs >= 3. then
                $"{builder}: {ours / theirs:F1} times ({ours:F0} and {theirs:F0} ms)"
    ]

let private notSlower (shape: string -> string) =
    // the compiler itself is compiled by the first one
    Compiler.cost (shape "task") |> ignore
    let first = turn shape

    // the best of two, where one was not good enough
    if not (slow first).IsEmpty then
        let best =
            List.map2 (fun (builder, one) (_, other) -> builder, min one other) first (turn shape)

        Repository.none "Slower to compile than task:" (slow best)

[<Fact>]
let ``fourteen binds in one expression compile in less than three times the time of task`` () =
    notSlower fourteenBinds

[<Fact>]
let ``five nested try, for and use compile in less than three times the time of task`` () =
    notSlower fiveNested
