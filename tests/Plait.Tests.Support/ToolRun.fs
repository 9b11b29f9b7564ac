// The tool as a process, and what a good and a bad ending look like from outside.
namespace Plait.Tests.Support

open System
open System.Diagnostics
open System.IO
open System.Threading
open System.Threading.Tasks
open Xunit

/// What a run of the tool came to.
type Ended = { Code: int; Out: string; Err: string }

/// A running tool.
type Running(child: Process) =
    let out = child.StandardOutput.ReadToEndAsync()
    let lines = Collections.Concurrent.ConcurrentQueue<string>()

    let err =
        Task.Run(fun () ->
            let mutable line = child.StandardError.ReadLine()

            while not (isNull line) do
                lines.Enqueue(nonNull line)
                line <- child.StandardError.ReadLine())

    /// Its process id.
    member _.Id = child.Id

    /// The processes that it has started and that still run.
    member _.Children: int list =
        [
            for folder in Directory.GetDirectories "/proc" do
                match Int32.TryParse(Path.GetFileName folder) with
                | true, id ->
                    let parent =
                        try
                            let stat = File.ReadAllText $"{folder}/stat"
                            // The name before it, in parentheses, may hold blanks.
                            int (stat.Substring(stat.LastIndexOf ')' + 2).Split(' ')[1])
                        with
                        // It has ended meanwhile.
                        | :? IOException
                        | :? UnauthorizedAccessException -> -1

                    if parent = child.Id then
                        id
                | _ -> ()
        ]

    /// The lines on stderr so far.
    member _.Errors = List.ofSeq lines

    /// Waits until a line on stderr has these words.
    member this.Says(words: string) : unit =
        let said () =
            this.Errors |> List.exists _.Contains(words)

        let ended () = child.HasExited && err.IsCompleted
        SpinWait.SpinUntil((fun () -> said () || ended ()), Within.limit) |> ignore

        if not (said ()) then
            let all = String.concat "\n" this.Errors
            Assert.Fail $"The tool did not say '{words}'; it said:\n{all}"

    /// Sends a signal, such as TERM.
    member _.Signal(name: string) : unit =
        use kill = Process.Start("kill", [ $"-{name}"; string child.Id ])
        kill.WaitForExit()

    /// Presses Ctrl-C.
    member this.Interrupt() : unit = this.Signal "INT"

    /// Waits for its end.
    member this.Wait() : Ended =
        if not (child.WaitForExit Within.limit) then
            child.Kill true
            let said = String.concat "\n" this.Errors
            Assert.Fail $"The tool did not end within {Within.limit.TotalMinutes} minutes; it said:\n{said}"

        Within.result "stderr of the tool" (task { do! err }) |> ignore

        {
            Code = child.ExitCode
            Out = Within.result "stdout of the tool" out
            Err = String.concat "\n" lines
        }

module ToolRun =
    let private launch (tool: string) (variables: (string * string) list) (arguments: string list) : Process =
        let info =
            ProcessStartInfo(
                Built.dotnet,
                tool :: arguments,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                RedirectStandardInput = true
            )

        for name, value in variables do
            info.Environment[name] <- value

        nonNull (Process.Start info)

    let private startFrom tool variables arguments : Running =
        Running(launch tool variables arguments)

    let private startWith variables arguments =
        startFrom (Built.tool ()) variables arguments

    /// Runs a copy of the tool to its end.
    let runFrom (tool: string) (arguments: string list) : Ended = (startFrom tool [] arguments).Wait()

    /// Runs the tool to its end, with this text as its standard input.
    let runWith (input: string) (arguments: string list) : Ended =
        let child = launch (Built.tool ()) [] arguments
        let running = Running child
        child.StandardInput.Write input
        child.StandardInput.Close()
        running.Wait()

    /// Starts the tool.
    let start (arguments: string list) : Running = startWith [] arguments

    /// Runs the tool to its end.
    let run (arguments: string list) : Ended = (start arguments).Wait()

    /// The same, with these variables in its environment.
    let runIn (variables: (string * string) list) (arguments: string list) : Ended =
        (startWith variables arguments).Wait()

    /// The same, with so many columns for its tables.
    let runWithin (columns: int) (arguments: string list) : Ended =
        (startWith [ "COLUMNS", string columns ] arguments).Wait()

    /// The one sentence on stderr that a bad ending has, besides progress and notes. There is no stack trace.
    let sentence (ended: Ended) : string =
        Assert.DoesNotContain("   at ", ended.Err)
        Assert.DoesNotContain("Exception", ended.Err)
        Assert.DoesNotContain("should not happen", ended.Err)

        match
            ended.Err.Split '\n'
            |> List.ofArray
            |> List.filter (fun line ->
                line <> "" && [ "["; "now: "; "note: " ] |> List.forall (line.StartsWith >> not))
        with
        | [ line ] ->
            Assert.StartsWith("plait: ", line)
            line
        | _ ->
            Assert.Fail $"This is not one sentence:\n{ended.Err}"
            ""

    /// The ending was bad in this way: this exit code, and these words in the sentence.
    let endsBadly (code: int) (words: string list) (ended: Ended) : unit =
        let sentence = sentence ended
        Assert.True((code = ended.Code), $"exit code {ended.Code}: {ended.Err}")

        for word in words do
            Assert.Contains(word, sentence)

    /// It measured all that it was asked for. On a busy machine the A/A control may miss, which is a sentence.
    let endsMeasured (ended: Ended) : unit =
        Assert.True((ended.Code = 0), $"exit code {ended.Code}: {ended.Err}")
