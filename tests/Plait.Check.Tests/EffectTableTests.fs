// The table of effects: every member and type of FSharp.Core, the framework and Plait that it names exists under this name in the
// compiler's own view of these assemblies, and every effect that there is, is used.
namespace Plait.Check.Tests

open System
open System.Collections.Generic
open System.IO
open System.Text.RegularExpressions
open FSharp.Compiler.Symbols
open Xunit

open Plait.Check

module EffectTableTests =
    /// The lines of the table that comes with the checker: a name, and what it does.
    let private lines: (string * string) list =
        use stream =
            typeof<Report>.Assembly.GetManifestResourceStream "effects.txt" |> Unchecked.nonNull

        use reader = new StreamReader(stream)

        [
            for line in reader.ReadToEnd().Split '\n' do
                if line.Trim() <> "" && not (line.StartsWith '#') then
                    let line = line.Trim()
                    let space = line.IndexOf ' '
                    line.Substring(0, space), line.Substring(space).Trim()
        ]

    // Libraries whose assemblies are not among the references of the tests.
    let private isElsewhere (name: string) =
        [
            "Ply"
            "Plait.RuntimeAsync."
            "IcedTasks."
            "FsToolkit."
            "FSharp.Control."
            "Giraffe."
            "Falco."
            "System.Data.SqlClient."
            "Xunit."
            "NUnit."
            "BenchmarkDotNet."
            "Microsoft.VisualStudio."
            "Microsoft.Azure."
        ]
        |> List.exists name.StartsWith

    let private withoutArity (name: string) = Regex.Replace(name, "`[0-9]+", "")

    /// The types and modules of all references, by the names that the table gives them.
    let private entities =
        lazy
            (use made = new Made()
             let file = made.Write("Table.fs", "module Table\nlet x = 1\n")

             let results =
                 Snippets.checker.Value.ParseAndCheckProject (Snippets.project "Table" [ file ]).Options
                 |> Async.RunSynchronously

             let found = Dictionary<string, List<FSharpEntity>>()

             let rec add (entity: FSharpEntity) =
                 let name =
                     match entity.TryFullName with
                     | Some name -> withoutArity name
                     | None -> withoutArity entity.CompiledName

                 if not (found.ContainsKey name) then
                     found[name] <- List()

                 found[name].Add entity

                 if entity.IsFSharp || entity.NestedEntities.Count > 0 then
                     Seq.iter add entity.NestedEntities

             for assembly in results.ProjectContext.GetReferencedAssemblies() do
                 Seq.iter add assembly.Contents.Entities

             found)

    let rec private memberNames (entity: FSharpEntity) : string list =
        let own =
            [
                for symbol in entity.MembersFunctionsAndValues do
                    // that of an extension member has its type before a dot
                    let name = symbol.CompiledName
                    let dot = name.TrimStart('.').LastIndexOf '.'
                    if dot < 0 then name else name.Substring(dot + 1)
            ]

        // an object is known by its own type, whatever type declares the member
        let inherited =
            [
                match entity.BaseType with
                | Some parent when parent.HasTypeDefinition -> yield! memberNames parent.TypeDefinition
                | _ -> ()

                for parent in entity.AllInterfaces do
                    if parent.HasTypeDefinition && parent.TypeDefinition <> entity then
                        for symbol in parent.TypeDefinition.MembersFunctionsAndValues do
                            symbol.CompiledName
            ]

        own @ inherited

    let private exists (name: string) : bool =
        let isPrefix = name.EndsWith '*'
        let name = name.TrimEnd '*'
        // ..ctor
        let dot = if name.EndsWith "..ctor" then name.Length - 6 else name.LastIndexOf '.'
        let owner, part = name.Substring(0, dot), name.Substring(dot + 1)

        match entities.Value.TryGetValue owner with
        | true, owners ->
            owners
            |> Seq.exists (fun entity ->
                memberNames entity
                |> List.exists (fun one ->
                    if isPrefix then one.StartsWith(part, StringComparison.Ordinal) else one = part))
        | _ -> false

    [<Fact>]
    let ``every member of FSharp.Core, the framework and Plait in the table exists`` () =
        let named =
            lines
            |> List.filter (fun (name, does) -> not (does.StartsWith "is ") || does = "is-complete")

        let checkedHere = named |> List.map fst |> List.filter (isElsewhere >> not)
        Assert.True(checkedHere.Length > 150, $"{checkedHere.Length} members")
        let missing = checkedHere |> List.filter (exists >> not)
        Assert.True(missing.IsEmpty, String.Join('\n', missing))

    [<Fact>]
    let ``every type in the table exists`` () =
        let missing =
            [
                for name, does in lines do
                    if
                        List.contains does [ "is single-use"; "is task"; "is cold"; "is entry"; "is remote" ]
                        && not (isElsewhere name)
                    then
                        if not (entities.Value.ContainsKey name) then
                            name
            ]

        Assert.True(missing.IsEmpty, String.Join('\n', missing))

    [<Fact>]
    let ``each name is in the table once`` () =
        let twice =
            lines |> List.countBy fst |> List.filter (fun (_, times) -> times > 1) |> List.map fst

        Assert.True(twice.IsEmpty, String.Join('\n', twice))

    [<Fact>]
    let ``every effect is used by some line`` () =
        let head =
            use stream =
                typeof<Report>.Assembly.GetManifestResourceStream "effects.txt" |> Unchecked.nonNull

            use reader = new StreamReader(stream)

            // the table's own description: words in the left half of the lines before the first type
            reader.ReadToEnd().Split '\n'
            |> Seq.takeWhile (fun line -> line.StartsWith '#')
            |> Seq.filter (fun line -> Regex.IsMatch(line, "^# {5}[a-z]"))
            |> Seq.collect (fun line -> (Regex.Split(line.TrimStart('#', ' '), " {2,}")[0]).Split ',')
            |> Seq.map (fun part -> part.Trim().Split(' ')[0])
            |> Seq.filter (fun word -> word <> "")
            |> List.ofSeq

        let used =
            lines
            |> List.collect (fun (_, does) -> [ for part in does.Split ',' -> part.Trim().Split(' ')[0] ])

        let unused = head |> List.filter (fun word -> not (List.contains word used))
        Assert.True(head.Length > 25, String.Join(' ', head))
        Assert.True(unused.IsEmpty, String.Join(' ', unused))

module ``The table in use`` =
    /// The findings in these lines that are no hints, by line, rule and weight.
    let private finds (lines: string list) : (int * string * Severity) list =
        let head =
            [ "module Use"; "open System.IO"; "open System.Threading.Tasks"; "open Plait" ]

        let report = Survival.source "Use" (String.Join('\n', head @ lines))
        Survival.isWhole report

        [
            for finding in report.Findings do
                if finding.Severity <> Severity.Hint then
                    finding.Location.Line - head.Length, finding.Rule, finding.Severity
        ]

    let private isFound expected lines =
        Assert.Equal<(int * string * Severity) list>(expected, finds lines)

    [<Fact>]
    let ``a list that is written for whenAll uses up its items`` () =
        isFound [] [ "let both (a: Strand<int>) (b: Strand<int>) = Strand.whenAll [ a; b ]" ]

        isFound
            [ 4, "PLT101", Severity.Warning ]
            [
                "let twice (a: Strand<int>) (b: Strand<int>) ="
                "    task {"
                "        let! all = Strand.whenAll [ a; b ]"
                "        let! more = a"
                "        return all.Length + more"
                "    }"
            ]

    [<Fact>]
    let ``a derived stream blocks like its base class, except a stream in memory`` () =
        let read (stream: string) =
            [
                $"let read (stream: {stream}) ="
                "    task {"
                "        let count = stream.Read(Array.zeroCreate 8, 0, 8)"
                "        return count"
                "    }"
            ]

        isFound [ 3, "PLT201", Severity.Info ] (read "BufferedStream")
        isFound [] (read "MemoryStream")

    [<Fact>]
    let ``a call of a function with a short wait has no warning, and a later call with a long wait has one``
        ()
        =
        let call (body: string list) =
            [ "let load (path: string) =" ]
            @ body
            @ [ "let run () ="; "    task {"; "        return load \"a\""; "    }" ]

        isFound [ 5, "PLT202", Severity.Info ] (call [ "    File.ReadAllText path" ])

        isFound
            [ 7, "PLT202", Severity.Warning ]
            (call
                [ "    let text = File.ReadAllText path"; "    System.Threading.Thread.Sleep 1"; "    text" ])
