// Under test: what users may leave out. Unannotated sources take the builder's own kind, and ordinary code (Ordinary.fs)
// compiles under every builder as in a Release build, and nothing is said: no warning, no FS3511.
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.Inference

open Xunit

/// A function of one unannotated parameter for each builder, and the type it must have.
let private unannotated =
    [
        "strand", "(p: Plait.Strand<int>): Plait.Strand<int>"
        "Guarded.strand", "(p: Plait.Strand<int>): Plait.Strand<int>"
        "Unsafe.strand", "(p: Plait.Strand<int>): Plait.Strand<int>"
        "Unsafe.Bare.strand", "(p: Plait.Strand<int>): Plait.Strand<int>"
        "NonAffine.strand", "(p: Plait.Strand<int>): Plait.Strand<int>"
        "pooledValueTask", "(p: ValueTask<int>): ValueTask<int>"
        "Unsafe.pooledValueTask", "(p: ValueTask<int>): ValueTask<int>"
        "valueTask", "(p: ValueTask<int>): ValueTask<int>"
        "pooledTask", "(p: Task<int>): Task<int>"
        "NonAffine.pooledTask", "(p: Task<int>): Task<int>"
        "Tasks.task", "(p: Task<int>): Task<int>"
        "pooledValueTaskUnit", "(p: ValueTask): ValueTask"
        "valueTaskUnit", "(p: ValueTask): ValueTask"
        "pooledTaskUnit", "(p: Task<unit>): Task"
        "Tasks.taskUnit", "(p: Task<unit>): Task"
    ]

[<Fact>]
let ``an unannotated source is of the builder's own kind`` () =
    let written index (builder: string, _) =
        let body = if builder.EndsWith "Unit" then "do! p" else "let! x = p in return x + 1"

        $"let f{index} p = {builder} {{ {body} }}"

    let source =
        "module Snippet\nopen Plait\n" + String.concat "\n" (List.mapi written unannotated) + "\n"

    use assembly = Compiler.silently source
    let methods = assembly.MainModule.GetType("Snippet").Methods

    let found =
        unannotated
        |> List.mapi (fun index (builder, _) ->
            let one = methods |> Seq.find (fun one -> one.Name = $"f{index}")
            builder, Names.arguments one + ": " + Names.show one.ReturnType)

    Assert.Equal<(string * string) list>(unannotated, found)

[<Fact>]
let ``an operand of and! without a type is a task under Plait's task, beside any neighbour`` () =
    let neighbours =
        List.map (fun (source: string) -> source.Replace("RESULT", "int")) Awaitables.valued

    let source =
        Awaitables.head
        + "open Plait\n"
        + String.concat
            "\n"
            [
                for index, neighbour in List.indexed neighbours do
                    for at, arguments in [ 0, $"p (q: {neighbour})"; 1, $"(q: {neighbour}) p" ] do
                        let first, second = if at = 0 then "p", "q" else "q", "p"

                        $"let f{index}_{at} {arguments} = Tasks.task {{\n    let! x = {first}\n    and! y = {second}\n\
    return x + y }}"
                "let f p q r = Tasks.task {\n    let! x = p\n    and! y = q\n    and! z = r\n    return x + y + z + 1 }\n"
            ]

    use assembly = Compiler.silently source

    let parameters =
        [
            for one in assembly.MainModule.GetType("Snippet").Methods do
                for parameter in one.Parameters do
                    if parameter.Name <> "q" || one.Name = "f" then
                        Names.show parameter.ParameterType
        ]

    Assert.Equal(2 * neighbours.Length + 3, parameters.Length)
    Assert.All(parameters, (fun parameter -> Assert.Equal("Task<int>", parameter)))

let private compiles (builders: string list) (snippets: (string * string) list) =
    (Compiler.silently (Batch.file "open Plait" builders snippets)).Dispose()

let Valued = TheoryData<string> Builders.valued

[<Theory; MemberData(nameof Valued)>]
let ``ordinary code compiles without a warning`` (builder: string) = compiles [ builder ] Ordinary.valued

[<Theory; Trait("run", "more")>]
[<InlineData "strands">]
[<InlineData "machines">]
let ``ordinary code compiles under the twins, which take turns`` (kernel: string) =
    compiles (List.find (fst >> (=) kernel) Builders.twins |> snd) Ordinary.valued

let Unvalued = TheoryData<string> Builders.unvalued

[<Theory; MemberData(nameof Unvalued)>]
let ``ordinary code without a result compiles without a warning`` (builder: string) =
    compiles [ builder ] Ordinary.unvalued

[<Fact; Trait("run", "more")>]
let ``ordinary code without a result compiles under the twins, which take turns`` () =
    compiles Builders.unvaluedTwins Ordinary.unvalued

[<Fact>]
let ``the compiler of these tests has nullness warnings`` () =
    let outcome =
        Compiler.compile "module Snippet\nlet f (s: string | null) = s.Length\n"

    Assert.Equal<int list>([ 3261 ], outcome.Said |> List.map _.ErrorNumber |> List.distinct)
