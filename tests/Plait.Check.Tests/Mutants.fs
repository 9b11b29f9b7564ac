// Mutation test of the rules PLT101 and PLT201: mistakes are planted in correct programs, and the line of each is known. All
// are checked together. The programs are the same in every run.
namespace Plait.Check.Tests

open System
open System.Collections.Generic
open System.IO
open Xunit

open Plait.Check

[<Trait("run", "more")>]
module Mutants =
    open Programs
    open Planting

    let private programs = 102

    /// Of each rule, out of one program.
    let private mutantsOfEach = 2

    /// What was planted in a function.
    type private Planted =
        {
            Rule: string
            Way: string
            /// It goes wrong whenever the code runs.
            Definite: bool
        }

    /// A function of a file: what was planted, if anything, and on which lines.
    type private Function =
        { File: string; First: int; Text: string list; Lines: int list; Planted: Planted option }

    let private head =
        [
            "open System.Collections.Generic"
            "open System.Threading"
            "open System.Threading.Tasks"
            "open Plait"
            ""
            "module Work ="
            "    let job (n: int) : Task<int> = Task.Run(fun () -> n)"
            "    let number (n: int) : ValueTask<int> = ValueTask<int>(job n)"
            "    let signal (n: int) : ValueTask = ValueTask(Task.Delay n)"
            "    let spun (n: int) : Strand<int> = strand { return n + 1 }"
            "    let later (n: int) : Async<int> = async { return n + 1 }"
            "    let asTask (value: ValueTask<int>) : Task<int> = value.AsTask()"
            "    let plus (value: ValueTask<int>) (more: int) : Task<int> ="
            "        task {"
            "            let! n = value"
            "            return n + more"
            "        }"
            "    let opened = new ManualResetEvent false"
            "    let slots = new SemaphoreSlim 1"
            ""
        ]

    let private functionText
        (name: string)
        (builder: string)
        (program: Statement list)
        : (string * bool) list =
        [
            $"let {name} (n: int) =", false
            $"    %s{builder} {{", false
            "        let log = List<int>()", false
            yield! render builder 2 program
            "        return log.Count", false
            "    }", false
            "", false
        ]

    /// The functions of a file: some programs by one builder, and their mutants.
    let private write (folder: string) (builder: string) : Function list =
        let file = Path.Combine(folder, $"{builder}.fs")
        let lines = List<string>($"module Mutants_{builder}" :: head)
        let functions = List<Function>()

        let add name program planted =
            let text = functionText name builder program

            functions.Add
                {
                    File = file
                    First = lines.Count + 1
                    Text = List.map fst text
                    Lines =
                        [
                            for index, (_, isPlanted) in List.indexed text do
                                if isPlanted then
                                    lines.Count + 1 + index
                        ]
                    Planted = planted
                }

            lines.AddRange(List.map fst text)

        for number in 0 .. programs / builders.Length - 1 do
            let generator =
                Generator(builder, 1000 * (1 + List.findIndex ((=) builder) builders) + number)

            let program = generator.Program()
            add $"p{number}" program None

            for mutant in 0 .. mutantsOfEach - 1 do
                let way, changed, surely =
                    generator.DoubleUse (number * mutantsOfEach + mutant) program

                let planted = { Rule = "PLT101"; Way = way; Definite = surely }
                add $"p{number}u{mutant}" changed (Some planted)

                let way, changed = generator.Blocking (number * mutantsOfEach + mutant) program
                let planted = { Rule = "PLT201"; Way = way; Definite = true }
                add $"p{number}b{mutant}" changed (Some planted)

        File.WriteAllLines(file, lines)
        List.ofSeq functions

    type private Checked = { Functions: Function list; Errors: string list; Findings: Finding list }

    let private checkedOnce =
        lazy
            (let folder = Directory.CreateTempSubdirectory("plait-mutants-").FullName

             try
                 let functions = builders |> List.collect (write folder)
                 let files = functions |> List.map _.File |> List.distinct
                 let project = Snippets.project "Mutants" files

                 {
                     Functions = functions
                     Findings = (Snippets.check project).Findings
                     Errors = Snippets.typeErrors project
                 }
             finally
                 Directory.Delete(folder, true))

    /// The findings in a function.
    let private within (one: Function) : Finding list =
        checkedOnce.Value.Findings
        |> List.filter (fun finding ->
            finding.Location.File = one.File
            && finding.Location.Line >= one.First
            && finding.Location.Line < one.First + one.Text.Length)

    /// The text of a function, with marks on the lines of the findings and on the planted ones.
    let private marked (one: Function) (findings: Finding list) : string =
        String.Join(
            '\n',
            [
                for index, text in List.indexed one.Text do
                    let line = one.First + index

                    let notes =
                        [
                            if List.contains line one.Lines then
                                "planted"
                            for finding in findings do
                                if finding.Location.Line = line then
                                    $"{finding.Rule}: {finding.Message}"
                        ]

                    if notes.IsEmpty then
                        text
                    else
                        let notes = String.Join("; ", notes)
                        $"{text}    // <- {notes}"
            ]
        )

    let private say (text: string) =
        match TestContext.Current.TestOutputHelper with
        | null -> ()
        | output -> output.WriteLine text

    let private mutantsOf (rule: string) : (Function * Planted) list =
        [
            for one in checkedOnce.Value.Functions do
                match one.Planted with
                | Some planted when planted.Rule = rule -> one, planted
                | _ -> ()
        ]

    /// At least 95 of 100 are found, on the planted line and by the right rule.
    let private isRecalled (rule: string) =
        let judged =
            [
                for one, planted in mutantsOf rule do
                    let caught =
                        within one
                        |> List.filter (fun finding ->
                            finding.Rule = rule && List.contains finding.Location.Line one.Lines)

                    one, planted, caught
            ]

        let missed = judged |> List.filter (fun (_, _, caught) -> caught.IsEmpty)
        let definite = judged |> List.filter (fun (_, planted, _) -> planted.Definite)

        let certain =
            definite
            |> List.filter (fun (_, _, caught) ->
                caught |> List.exists (fun finding -> finding.Severity = Severity.Warning))

        let percent (part: 'T list) (whole: 'T list) =
            100.0 * float part.Length / float whole.Length

        let recall = 100.0 - percent missed judged

        let figures =
            $"{rule}: {judged.Length - missed.Length} of {judged.Length} mutants found, %.1f{recall} %%; of the definite ones "
            + $"{certain.Length} of {definite.Length} as warnings, %.1f{percent certain definite} %%."

        let byWay =
            [
                for way, those in missed |> List.countBy (fun (_, planted, _) -> planted.Way) do
                    $"  missed {those} x: {way}"
            ]

        let programs =
            [ for one, planted, _ in missed -> $"{planted.Way}:\n{marked one (within one)}" ]

        let text = String.Join('\n', figures :: byWay @ programs)
        say text
        Assert.True(recall >= 95.0, text)

    [<Fact>]
    let ``the programs and their mutants type-check without an error`` () =
        Assert.Equal("", String.Join('\n', checkedOnce.Value.Errors))

    [<Fact>]
    let ``there are programs and mutants enough, all different, by every builder and in every way`` () =
        let functions = checkedOnce.Value.Functions
        let correct = functions |> List.filter (fun one -> one.Planted.IsNone)
        let doubleUses, blocking = mutantsOf "PLT101", mutantsOf "PLT201"

        let ways those =
            those |> List.map (fun (_, planted) -> planted.Way) |> List.distinct |> List.length

        Assert.True(correct.Length >= 100, $"{correct.Length} programs")

        Assert.True(
            doubleUses.Length + blocking.Length >= 300,
            $"{doubleUses.Length} + {blocking.Length} mutants"
        )

        Assert.Equal(10, ways doubleUses)
        Assert.Equal(12, ways blocking)
        Assert.All(doubleUses @ blocking, fun (one, _) -> Assert.NotEmpty one.Lines)
        let bodies = functions |> List.map (fun one -> one.File, List.tail one.Text)
        Assert.Equal(bodies.Length, (List.distinct bodies).Length)

    [<Fact>]
    let ``nothing definite is found in the correct programs`` () =
        let wrong =
            [
                for one in checkedOnce.Value.Functions do
                    if one.Planted.IsNone then
                        match
                            within one |> List.filter (fun finding -> finding.Severity = Severity.Warning)
                        with
                        | [] -> ()
                        | findings -> marked one findings
            ]

        Assert.True(wrong.IsEmpty, String.Join('\n', $"{wrong.Length} programs:" :: wrong))

    [<Fact>]
    let ``of the planted double uses at least 95 of 100 are found`` () = isRecalled "PLT101"

    [<Fact>]
    let ``of the planted blocking calls at least 95 of 100 are found`` () = isRecalled "PLT201"
