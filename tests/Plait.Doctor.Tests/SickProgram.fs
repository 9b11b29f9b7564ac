// The programs of samples/sick: what the comments of their sources say that the doctor must find, running one, and holding a
// diagnosis against the comments. Every test that needs a program with a known illness uses it.
namespace Plait.Doctor.Tests

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Microsoft.FSharp.Reflection

open Plait.Doctor
open Plait.Tests.Support

/// What must be blamed. Line: None: the compiler has written none. Rule: of `plait check`, which finds it in the source; None: none.
type ExpectedBlame = { Kind: BlockKind; Function: string; Line: int option; Rule: string option }

/// A program, by the comments of its source.
type SickProgram =
    {
        /// The name of its file, without ending; what it is started by.
        Name: string
        File: string
        /// The compiled samples of its language.
        Assembly: string
        /// What starts it: the command, and its arguments before the name.
        Start: string list
        Verdict: Verdict
        /// None: nothing blocks.
        Blame: ExpectedBlame option
    }

    override this.ToString() = this.Name

module SickProgram =
    /// The folder of the repository.
    let root = Plait.Tests.Support.SolutionFolder.path

    /// The dotnet of `make dotnet11`, which has no other runtime than 11.
    let dotnet11 = Path.Combine(root, "artifacts", "dotnet11", "root", "dotnet")

    /// The tool as it was built.
    let tool =
        Path.Combine(root, "artifacts", "bin", "Plait.Tool", "release", "plait.dll")

    /// The case that is meant, however its words are divided.
    let private case<'T> (words: string) : 'T =
        let plain (text: string) =
            text.Replace("-", "").Replace(" ", "").ToLowerInvariant()

        FSharpType.GetUnionCases typeof<'T>
        |> Array.tryFind (fun case -> plain case.Name = plain words && case.GetFields().Length = 0)
        |> function
            | Some case -> FSharpValue.MakeUnion(case, [||]) |> unbox<'T>
            | None -> failwith $"'{words}' is no {typeof<'T>.Name}."

    let private after (mark: string) (lines: string array) : string option =
        lines
        |> Array.tryFind _.StartsWith(mark, StringComparison.Ordinal)
        |> Option.map _.Substring(mark.Length).Trim()

    /// The runtimes that may have a verdict of their own.
    let private runtimes = [ "8"; "9" ]

    /// What the comments of a source say of it on a runtime; None: it is no program.
    let private read
        (runtime: string)
        (start: string list)
        (assembly: string)
        (file: string)
        : SickProgram option =
        let lines = File.ReadAllLines file

        for line in lines do
            let mark = Regex.Match(line, "^// doctor on *([^:]*):")

            if mark.Success && not (List.contains mark.Groups[1].Value runtimes) then
                let known = String.concat " or " runtimes

                failwith
                    $"{file}: '{line}' has no effect: only {known} may stand between 'on' and the colon. The verdict on the other runtimes is that of '// doctor:'."

        after $"// doctor on {runtime}:" lines
        |> Option.orElse (after "// doctor:" lines)
        |> Option.map (fun said ->
            // the verdict stands in capitals, and the kind in small letters
            let words = said.Split ' '
            let isVerdict (word: string) = word = word.ToUpperInvariant()
            let verdict = words |> Array.takeWhile isVerdict |> String.concat " "
            let kind = words |> Array.skipWhile isVerdict |> String.concat " "

            {
                Name = string (Path.GetFileNameWithoutExtension file)
                File = file
                Assembly = assembly
                Start = start
                Verdict = case verdict
                Blame =
                    if kind = "" then
                        None
                    else
                        let marked =
                            lines
                            |> Array.indexed
                            |> Array.choose (fun (at, line) ->
                                let mark = Regex.Match(line, "// blamed(?:: (PLT[0-9]+))?$")
                                if mark.Success then Some(1 + at, mark.Groups[1].Value) else None)

                        let only = if marked.Length = 0 then None else Some(Array.exactlyOne marked)

                        Some
                            {
                                Kind = case kind
                                Function =
                                    after "// function:" lines
                                    |> Option.defaultWith (fun () ->
                                        failwith $"{file} does not say which function is blamed.")
                                Line = Option.map fst only
                                Rule = only |> Option.map snd |> Option.filter (fun rule -> rule <> "")
                            }
            })

    let private inFolder
        (runtime: string)
        (folder: string)
        (start: string -> string list)
        (assembly: string)
        =
        [
            for file in
                Directory.GetFiles(Path.Combine(root, "samples", "sick", folder), "*.?s") |> Array.sort do
                yield! Option.toList (read runtime (start assembly) assembly file)
        ]

    /// The programs of a folder of samples/sick, as a project compiled them.
    let ofFolder
        (dotnet: string)
        (folder: string)
        (project: string)
        (configuration: string)
        (assembly: string)
        =
        Path.Combine(root, "artifacts", "bin", project, configuration, assembly)
        |> inFolder "" folder (fun assembly -> [ dotnet; assembly ])

    /// All of them, on .NET 10 or on the runtime 8, 9 or 11, as `make gallery-doctor` has built them for it.
    let allOn (runtime: string) : SickProgram list =
        let language (folder: string) (project: string) (name: string) =
            let built (artifacts: string) (file: string) =
                Path.Combine(root, "artifacts", artifacts, "bin", project, "release", file)

            match runtime with
            // programs that have their runtime with them
            | "8"
            | "9" ->
                built $"sick-{runtime}" $"{name}.dll"
                |> inFolder runtime folder (fun _ -> [ built $"sick-{runtime}" name ])
            | "11" -> ofFolder dotnet11 folder project "release" $"{name}.dll"
            | _ -> ofFolder "dotnet" folder project "release" $"{name}.dll"

        language "fsharp" "Plait.Samples.Sick" "sick-fsharp"
        @ language "csharp" "Plait.Samples.Sick.CSharp" "sick-csharp"

    /// All of them, on the runtime that the variable PLAIT_DOCTOR_RUNTIME says.
    let all =
        lazy (allOn (string (Environment.GetEnvironmentVariable "PLAIT_DOCTOR_RUNTIME")))

    /// The one of that name.
    let find (name: string) : SickProgram =
        all.Value |> List.find (fun program -> program.Name = name)

    /// Where a diagnosis says something else than the comments, a sentence each.
    let differences (program: SickProgram) (diagnosis: Diagnosis) : string list =
        let shown (blockingLine: BlockingLine) =
            let place =
                match blockingLine.Place with
                | Some(file, line) -> $"{Path.GetFileName file}:{line}"
                | None -> "no place"

            $"{blockingLine.Kind} at {blockingLine.Function} ({place}), {blockingLine.Workers} workers"

        [
            // What computes and gets little of a busy machine is late: nothing else can be told from its threads.
            let isKept =
                program.Verdict = Verdict.CpuBound
                && diagnosis.Verdict = Verdict.Late
                && diagnosis.Numbers.CpuPercent |> Option.exists (fun percent -> percent < 50.0)

            if diagnosis.Verdict <> program.Verdict && not isKept then
                $"the verdict is {diagnosis.Verdict} ({diagnosis.Why}), not {program.Verdict}: {diagnosis.Numbers}"

            match program.Blame, diagnosis.BlockingLines with
            | None, _ -> ()
            | Some expected, [] -> $"nothing is blamed, but {expected.Kind} in {expected.Function} blocks"
            | Some expected, first :: rest ->
                let file = Path.GetFileName program.File

                let isRight =
                    first.Kind = expected.Kind
                    && first.Function = expected.Function
                    && Option.map (fun (found: string, line) -> Path.GetFileName found, line) first.Place =
                        Option.map (fun line -> file, line) expected.Line

                if not isRight then
                    let others = rest |> List.map shown |> String.concat "; "

                    let line =
                        expected.Line |> Option.map string |> Option.defaultValue "without a line"

                    $"{expected.Kind} at {expected.Function} ({file}, {line}) blocks, but first is {shown first}, then {others}"
                elif first.Rule <> expected.Rule then
                    $"the rule of {shown first} is {first.Rule}, but {expected.Rule} finds it in the source"
        ]

    /// Looks until the result is right, so many times at the most. Returns the last result.
    let rec lookUntil (isRight: 'Result -> bool) (times: int) (look: unit -> 'Result) : 'Result =
        let result = look ()

        if times <= 1 || isRight result then result else lookUntil isRight (times - 1) look

    /// One look at a process, judged.
    let examine (pid: int) : Diagnosis =
        // a process whose threads stand still most of the time may answer late beside other work
        Look.at { Look.usual with Limit = System.TimeSpan.FromMinutes 5.0 } pid |> Judging.judge

/// Programs as no children of the tests' own process, which may trace them then: the runtime of a parent that traces its child takes a
/// stop of the child for its end.
module Apart =
    /// The command as a child of a child, which ends in half an hour if nobody ends it.
    let command (command: string list) : string list =
        "timeout" :: "--foreground" :: "1800" :: command

/// One of the programs as a process, under way. It ends with the value.
type RunningProgram private (program: SickProgram, child: Process) =
    // timeout runs it: see Apart
    let line (what: string) : string =
        match child.StandardOutput.ReadLineAsync() |> Within.result $"{program.Name}: {what}" with
        | null -> failwith $"{program.Name} ended before {what}."
        | line -> line

    // the first that it says
    let pid =
        let ready = line "it was ready"

        match ready.Split ' ' with
        | [| "ready"; pid |] -> int pid
        | _ -> failwith $"{program.Name} began with '{ready}'."

    /// Starts it with these variables besides, and waits until its load is under way.
    static member Start
        (program: SickProgram, [<ParamArray>] variables: (string * string) array)
        : RunningProgram =
        if not (File.Exists program.Assembly) then
            failwith $"{program.Assembly} is missing: build it first."

        let command = Apart.command (program.Start @ [ program.Name ])

        let info =
            ProcessStartInfo(
                command.Head,
                command.Tail,
                RedirectStandardInput = true,
                RedirectStandardOutput = true
            )

        for name, value in variables do
            info.Environment[name] <- value

        new RunningProgram(program, nonNull (Process.Start info))

    member _.Pid = pid
    member _.HasEnded = child.HasExited

    /// Work items that its pool has completed so far, as it says itself.
    member _.Completed: int64 =
        child.StandardInput.WriteLine()
        let answer = line "it said how many work items are completed"
        int64 (answer.Replace("completed ", ""))

    interface IDisposable with
        member _.Dispose() =
            child.StandardInput.Close()

            if not (child.WaitForExit(TimeSpan.FromSeconds 30.0)) then
                child.Kill true

            child.Dispose()
