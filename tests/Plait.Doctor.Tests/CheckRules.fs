// Under test: the rules of `plait check` at the blamed lines of the sick programs in F#. The gallery compares the same marks with the
// rules that the doctor names.
module Plait.Doctor.Tests.CheckRules

open System.Diagnostics
open System.IO
open System.Text.Json
open Xunit

open Plait.Tests.Support

/// The findings of the check: rule, file, line and message.
let private findings (project: string) =
    let info =
        ProcessStartInfo(
            "dotnet",
            [ SickProgram.tool; "check"; project; "--json"; "-" ],
            WorkingDirectory = SickProgram.root,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        )

    use child = nonNull (Process.Start info)
    child.BeginErrorReadLine()
    let json = child.StandardOutput.ReadToEndAsync() |> Within.result "the check's end"
    child.WaitForExit()
    use document = JsonDocument.Parse json

    [
        for finding in document.RootElement.GetProperty("findings").EnumerateArray() do
            let text (name: string) (element: JsonElement) =
                string (element.GetProperty(name).GetString())

            let place = finding.GetProperty "place"

            text "rule" finding,
            string (Path.GetFileName(text "file" place)),
            place.GetProperty("line").GetInt32(),
            text "message" finding
    ]

[<Fact>]
let ``the check finds a sick program's line by the rule at its mark, and no line without one`` () =
    let found = findings "samples/sick/fsharp/Plait.Samples.Sick.fsproj"

    let ruleAt (file: string) (line: int) =
        found
        |> List.tryPick (fun (rule, at, first, message) ->
            let isThere =
                at = file && first = line && rule = "PLT201"
                // the finding is at the call of the function that blocks
                || rule = "PLT202" && message.Contains $"({file}, line {line})"

            if isThere then Some rule else None)

    let marked =
        [
            for program in SickProgram.all.Value do
                match program.Blame with
                | Some { Line = Some line; Rule = rule } when program.File.EndsWith ".fs" ->
                    let file = string (Path.GetFileName program.File)
                    file, rule, ruleAt file line
                | _ -> ()
        ]

    Assert.Equal(11, marked.Length)
    Assert.Equal(3, marked |> List.filter (fun (_, rule, _) -> rule.IsSome) |> List.length)
    Assert.Empty(marked |> List.filter (fun (_, rule, found) -> rule <> found))
