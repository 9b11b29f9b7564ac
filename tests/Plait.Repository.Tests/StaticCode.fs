// Under test: what Release makes of a computation expression. Ordinary code becomes a state machine with nothing of the
// dynamic form and no tail call in it; a Run that is not inlined and a `let rec` inside become dynamic, and the compiler says so (FS3511).
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.StaticCode

open Mono.Cecil
open Xunit

let private head =
    "module Snippet\nopen System\nopen System.Runtime.CompilerServices\nopen System.Threading.Tasks\nopen Plait\nopen Plait.Kernel\n"

/// An ordinary function: binds, loops, handlers, resources, matches, nested expressions.
let private ordinary (builder: string) =
    head
    + (if builder = "handed" then
           "let handed = Plait.PooledValueTaskBuilders.pooledValueTask\n"
       else
           "")
    + $"""
let f (d: unit -> IDisposable) (t: Task<int>) (g: int -> ValueTask<int>) =
    {builder} {{
        let! a = t
        let! b = g a
        and! c = t

        try
            for x in [ 1..b ] do
                use _d = d ()
                let! y = g x

                if y > c then
                    do! Task.Yield()
        with _ ->
            do! Task.Delay 1

        match! g b with
        | 0 -> return 0
        | n ->
            let! inner = {builder} {{ return! g n }}
            return inner + 1
    }}
"""

/// Whether the code refers to the machine that runs as closures.
let private refersToDynamic (assembly: AssemblyDefinition) =
    assembly.MainModule.GetTypeReferences()
    |> Seq.exists (fun kind -> kind.FullName.StartsWith "Plait.Kernel.Dynamic")

/// The methods that call in tail position with the prefix for it.
let private tailCalling (assembly: AssemblyDefinition) =
    [
        for kind in assembly.MainModule.GetTypes() do
            for written in kind.Methods do
                if
                    written.HasBody
                    && written.Body.Instructions |> Seq.exists (fun one -> one.OpCode = Cil.OpCodes.Tail)
                then
                    written.FullName
    ]

[<Fact>]
let ``an ordinary stream becomes a state machine`` () =
    use assembly =
        Compiler.silently (
            head
            + """
open System.Collections.Generic

let rec f (d: unit -> IDisposable) (t: Task<int>) (items: IAsyncEnumerable<'T>) (make: int -> 'T) : IAsyncEnumerable<'T * int> =
    stream {
        let! a = t
        and! b = async { return 1 }
        let! token = Stream.cancellationToken

        try
            for x in [ 1..a ] do
                use _d = d ()
                do! Task.Delay(b, token)
                yield make x, x
        with _ ->
            do! Task.Delay 1

        for item in items do
            yield item, 0

        yield! f d t items make

        match! t with
        | 0 -> yield! [| make 1, 1 |]
        | _ -> yield! f d t items make
    }
"""
        )

    Assert.False(refersToDynamic assembly, "The code refers to Plait.Kernel.Dynamic.")

[<Fact>]
let ``the compiler writes tail calls, which these tests look for`` () =
    use assembly =
        Compiler.silently (head + "let f (g: int -> Task<int>) (x: int) = g x\n")

    Assert.Single(tailCalling assembly) |> ignore

[<Theory>]
[<InlineData "pooledValueTask">]
[<InlineData "coldTask">]
[<InlineData "cancellableTask">]
[<InlineData "backgroundCancellableValueTask">]
[<InlineData "Unsafe.pooledValueTask">]
[<InlineData "(PooledValueTaskBuilder<Anywhere, Safe>())">]
[<InlineData "handed">]
[<InlineData "pooledValueTaskResult">]
[<InlineData "taskValidation">]
let ``ordinary code becomes a state machine`` (builder: string) =
    use assembly = Compiler.silently (ordinary builder)
    Assert.False(refersToDynamic assembly, "The code refers to Plait.Kernel.Dynamic.")
    // a method with a tail call is compiled once, without a profile: docs/decisions/0102
    Assert.Empty(tailCalling assembly)

    let machines =
        assembly.MainModule.GetTypes()
        |> Seq.filter (fun kind ->
            kind.Interfaces |> Seq.exists (fun one -> one.InterfaceType.Name = "IAsyncStateMachine"))

    // the function and the expression inside
    Assert.Equal(2, Seq.length machines)

let private overridden =
    head
    + """
type ClosureBuilder() =
    inherit PooledValueTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Code<'T, 'T>) : ValueTask<'T> = base.Run code

let closures = ClosureBuilder()
let f (t: Task<int>) = closures { let! x = t in return x + 1 }
"""

let private recursive =
    head
    + """
let f () = pooledValueTask {
    let rec g n = pooledValueTask { if n > 0 then do! g (n - 1) }
    do! g 3
}
"""

[<Fact>]
let ``an override of Run that is not inlined is dynamic, with the warning FS3511 alone`` () =
    let outcome = Compiler.compile overridden
    Assert.Equal<int list>([ 3511 ], outcome.Said |> List.map _.ErrorNumber |> List.distinct)
    use assembly = nonNull outcome.Assembly
    Assert.True(refersToDynamic assembly, "The code does not refer to Plait.Kernel.Dynamic.")

[<Fact>]
let ``a let rec inside is dynamic, with the warning FS3511 alone`` () =
    let outcome = Compiler.compile recursive
    Assert.Equal<int list>([ 3511 ], outcome.Said |> List.map _.ErrorNumber |> List.distinct)
