// Under test: what users may leave out. Unannotated sources take the builder's own kind; values of unknown type, null,
// conditions without else, types with both dispose interfaces and generic code compile, and say nothing.
module Plait.Repository.Tests.Inference

open Mono.Cecil
open Xunit

let private builders =
    [ "strand"; "Unsafe.strand"; "Unsafe.Bare.strand"; "pooledValueTask"; "Unsafe.pooledValueTask" ]

/// The snippet once for each builder, in place of `co`.
let private inEach (snippet: string) =
    let body builder =
        snippet.Replace("co {", builder + " {").Split '\n'
        |> Array.map ((+) "    ")
        |> String.concat "\n"

    Awaitables.head
    + "open Plait\n\n"
    + (builders
       |> List.mapi (fun index builder -> $"module In{index} =\n{body builder}\n")
       |> String.concat "\n")

/// A function of the snippet as it was compiled.
let private signature (assembly: AssemblyDefinition) (kind: string) (name: string) =
    let found =
        assembly.MainModule.GetType(kind).Methods |> Seq.find (fun one -> one.Name = name)

    Names.arguments found + ": " + Names.show found.ReturnType

[<Theory>]
[<InlineData("pooledValueTask", "(p: ValueTask<int>): ValueTask<int>")>]
[<InlineData("Unsafe.pooledValueTask", "(p: ValueTask<int>): ValueTask<int>")>]
[<InlineData("strand", "(p: Plait.Strand<int>): Plait.Strand<int>")>]
[<InlineData("Unsafe.strand", "(p: Plait.Strand<int>): Plait.Strand<int>")>]
[<InlineData("Unsafe.Bare.strand", "(p: Plait.Strand<int>): Plait.Strand<int>")>]
let ``an unannotated source is of the builder's own kind`` (builder: string, expected: string) =
    let source =
        $"module Snippet\nopen Plait\nlet f p = {builder} {{ let! x = p in return x + 1 }}\n"

    use assembly = Compiler.silently source
    Assert.Equal(expected, signature assembly "Snippet" "f")

[<Fact>]
let ``an unannotated source of a builder without a result is a ValueTask`` () =
    use assembly =
        Compiler.silently "module Snippet\nopen Plait\nlet f p = pooledValueTaskUnit { do! p }\n"

    Assert.Equal("(p: ValueTask): ValueTask", signature assembly "Snippet" "f")

let private snippets =
    [
        "a value of unknown type", "let f () = co { let! x = Unchecked.defaultof<_> in return x + 1 }"

        "a condition with an await and no else",
        """let f c (t: Task) (v: ValueTask) = co {
    if c then do! t
    if c then do! v
    if c then do! Task.Yield()
}"""

        "null of no type under use", "let f () = co { use x = null in return 1 }"

        "nullable disposables under use",
        """let f (a: IDisposable | null) (b: IAsyncDisposable | null) = co {
    use _a = a
    use _b = b
    do! Task.Yield()
}"""

        "types with both dispose interfaces under use",
        """let f (stream: IO.Stream) (timer: Threading.Timer) (own: BothResource) (t: Task<BothResource>) = co {
    use _a = stream
    use _b = timer
    use _c = own
    use! _d = t
    do! Task.Yield()
}"""

        "generic results of functions",
        """let f (x: 'a) (g: 'a -> Task<'b>) = co { let! y = g x in return struct (x, y) }
let h (xs: 'a list) (g: 'a -> ValueTask<'b>) = co {
    let ys = ResizeArray()
    for x in xs do
        let! y = g x
        ys.Add y
    return ys
}
let k (x: 'a) = co { return x }
let l () = co { let! x = k 1 in let! y = k "" in return x + y.Length }"""

        "loops over everything",
        """let f (a: int[]) (l: int list) (r: ResizeArray<int>) (s: seq<int>) (d: Dictionary<int, int>) (t: IAsyncEnumerable<int>) = co {
    for x in a do do! Task.Yield()
    for x in l do do! Task.Yield()
    for x in r do do! Task.Yield()
    for x in s do do! Task.Yield()
    for KeyValue(k, v) in d do do! Task.Delay(k + v)
    for x in t do do! Task.Yield()
    for x in 1..3 do do! Task.Delay x
    for x = 1 to 3 do do! Task.Delay x
    while Environment.HasShutdownStarted do do! Task.Yield()
}"""

        "awaits in handlers and matches",
        """let f (t: Task<int option>) (u: Task) = co {
    try
        try
            match! t with
            | Some 1 -> return "one"
            | Some n -> return string n
            | None -> return! co { return "none" }
        with
        | :? ArgumentException as e -> return e.Message
        | e ->
            do! u
            return! co { return e.Message }
    finally
        ignore t
}"""

        "mutable locals, tuples and big records over awaits",
        """type Big = { A: int; B: string; C: decimal; D: DateTime; E: Guid; F: int64 }
let f (t: Task<Big>) (pairs: (int * string) list) = co {
    let mutable sum = 0
    let! big = t
    for number, text in pairs do
        let! n = Task.FromResult number
        sum <- sum + n + text.Length + big.A
    let a, b = sum, { big with B = "" }
    do! Task.Yield()
    return a + b.B.Length
}"""
    ]

let Snippets = [| for name, _ in snippets -> TheoryDataRow<string> name |]

[<Theory; MemberData(nameof Snippets)>]
let ``it compiles in every builder without a word of the compiler`` (name: string) =
    let snippet = snippets |> List.find (fst >> (=) name) |> snd
    (Compiler.silently (inEach snippet)).Dispose()

[<Fact>]
let ``the compiler of these tests does speak of null, so its silence means something`` () =
    let outcome =
        Compiler.compile "module Snippet\nlet f (s: string | null) = s.Length\n"

    Assert.Equal<int list>([ 3261 ], outcome.Said |> List.map _.ErrorNumber |> List.distinct)
