// Under test: the tables of docs/how-to/migrate-*.md, which list the public names of other libraries. A name that a page
// calls the same, or renamed, compiles here; one that it calls absent does not, and the page says why.
//
// A row has three cells: names of the other library, each in a code span; `same`, `absent` or what stands here instead,
// one span for all or one for each; a remark. A row that renames an `open` or a `using` puts the rows below under it. A
// span that begins with a dot goes on from the last one that does not. How a name is written says what it is:
//   F#: `open N`, `builder { }`, `Base()`, `type T`, `name: type`, `name`
//   C#: `using N`, `Type`, `Type.Member`, an expression with brackets
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.MigrationTables

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Xunit

type private Presence =
    | Present
    | Absent

/// A name as the page writes it, what is to be compiled for it, and the `open` or `using` that it stands under.
type private Name = { Written: string; Code: string; Under: string; Presence: Presence }

let private opens (code: string) =
    code.StartsWith "open " || code.StartsWith "using "

let private spans (cell: string) =
    [ for one in Regex.Matches(cell, "`([^`]+)`") -> one.Groups[1].Value ]

/// The names of a cell in full.
let private names (cell: string) =
    let name (whole: string) (one: string) =
        if one.StartsWith '.' then whole + one, whole else one, one

    spans cell |> List.mapFold name "" |> fst

let private rows (page: string) =
    let text = File.ReadAllText page

    [
        for line in text.Substring(text.IndexOf "## Every name").Split '\n' do
            match [ for cell in line.Split '|' -> cell.Trim() ] with
            | [ ""; peers; here; remark; "" ] when peers.StartsWith '`' -> names peers, here, remark
            | "" :: peers :: _ when peers.StartsWith '`' -> failwith $"This row has not three cells: {line}"
            | _ -> ()
    ]

/// Every name of a page, in order.
let private listed (page: string) =
    let rec walk (under: string) rows =
        match rows with
        | [] -> []
        | (peers: string list, here: string, remark: string) :: rest ->
            let all under presence codes =
                [
                    for written, code in List.zip peers codes ->
                        { Written = written; Code = code; Under = under; Presence = presence }
                ]

            match here, spans here with
            | "same", _ -> all under Present peers @ walk under rest
            | "absent", _ when remark <> "" -> all under Absent peers @ walk under rest
            | "absent", _ -> failwith $"{Repository.shown page} does not say why {peers.Head} is absent."
            | _, [ code ] when opens code -> all "" Present [ for _ in peers -> code ] @ walk code rest
            | _, [ code ] -> all under Present [ for _ in peers -> code ] @ walk under rest
            | _, codes -> all under Present codes @ walk under rest

    let found = walk "" (rows page)
    Assert.NotEmpty found
    found

/// What the compiler says about each name, by its number in the list.
type private Compile = Name list -> (int * string) list

let private fsharp: Compile =
    let declaration (code: string) =
        match code, code.IndexOf ": " with
        | code, _ when code.StartsWith "open " -> code
        | code, _ when code.EndsWith "{ }" -> "let value () = " + code.Replace("{ }", "{ do! Task.Yield() }")
        | code, _ when code.EndsWith "()" -> $"type Derived() = inherit {code}"
        | code, _ when code.StartsWith "type " -> $"let value (it: {code.Substring 5}) = it"
        | code, -1 -> $"let value = {code}"
        | code, colon -> $"let value: {code.Substring(colon + 2)} = {code.Substring(0, colon)}"

    fun names ->
        let head =
            [ "module Names"; "open System.Threading"; "open System.Threading.Tasks" ]

        let source =
            [
                yield! head
                for number, name in List.indexed names do
                    $"module N{number} ="
                    "    " + (if name.Under = "" then "let first = ()" else name.Under)
                    "    " + declaration name.Code
                    "    let last = ()"
            ]

        [
            for one in (Compiler.compile (String.Join("\n", source))).Said ->
                (one.StartLine - 1 - head.Length) / 4, $"FS{one.ErrorNumber:D4} {one.Message}"
        ]

/// The C# compiler of the SDK that runs these tests.
let private csharp: Compile =
    let statement (code: string) = if opens code then $"{code}; " else ""

    let expression (code: string) =
        if opens code then "1"
        elif code.Contains '(' then code
        else $"nameof({code})"

    let runtime = string (Path.GetDirectoryName typeof<obj>.Assembly.Location)

    let compiler =
        Directory.GetDirectories(Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", "sdk")))
        |> Array.map (fun sdk -> Path.Combine(sdk, "Roslyn", "bincore", "csc.dll"))
        |> Array.filter File.Exists
        |> Array.last

    fun names ->
        let folder = Directory.CreateTempSubdirectory "plait-names-"

        try
            let lines =
                [
                    for number, name in List.indexed names ->
                        $"namespace N{number} {{ using System.Threading.Tasks; {statement name.Under}{statement name.Code}"
                        + $"static class Name<T> {{ static object Value = {expression name.Code}; }} }}"
                ]

            let source = Path.Combine(folder.FullName, "Names.cs")
            File.WriteAllLines(source, lines)

            let start =
                ProcessStartInfo(
                    "dotnet",
                    [
                        compiler
                        "-nologo"
                        "-target:library"
                        "-nowarn:CS0105,CS8019,CS8933"
                        "-out:" + Path.Combine(folder.FullName, "Names.dll")
                        "-r:" + Repository.library "net10.0"
                        for file in Directory.GetFiles(runtime, "System*.dll") do
                            "-r:" + file
                        source
                    ],
                    RedirectStandardOutput = true
                )

            use run = nonNull (Process.Start start)
            let said = run.StandardOutput.ReadToEnd()
            run.WaitForExit()

            [
                for one in Regex.Matches(said, @"Names\.cs\((\d+),.*?(CS\d+: .*)") ->
                    int one.Groups[1].Value - 1, one.Groups[2].Value.Trim()
            ]
        finally
            folder.Delete true

/// What the compilers say of a name that they do not know.
let private unknown = [ "FS0039"; "CS0103"; "CS0117"; "CS0234"; "CS0246"; "CS1061" ]

let private check (compile: Compile) (page: string) =
    let path = Repository.path [ "docs"; "how-to"; $"migrate-from-{page}.md" ]

    let present, absent =
        listed path |> List.partition (fun name -> name.Presence = Present)

    let refused =
        set
            [
                for number, said in compile absent do
                    if List.exists (fun (code: string) -> said.StartsWith code) unknown then
                        number
            ]

    Repository.none
        $"{Repository.shown path} and the library differ:"
        [
            for number, said in compile present do
                $"{present[number].Written}: {said}"

            for number, name in List.indexed absent do
                if not (refused.Contains number) then
                    $"{name.Written}: the page calls it absent, and it is there"
        ]

[<Theory; Trait("run", "more"); InlineData "ply"; InlineData "taskbuilder"; InlineData "icedtasks">]
let ``an F# page lists the replacement of each name`` (page: string) = check fsharp page

[<Fact>]
let ``the C# page lists the replacement of each name`` () = check csharp "pooledawait"
