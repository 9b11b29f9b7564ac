// plait doctor as a process with temporary files of its own: what it says while it runs, and how it ends. The tests of its verbs
// use it.
namespace Plait.Doctor.Tests

open System
open System.Collections.Concurrent
open System.Diagnostics
open System.IO
open System.Threading.Tasks
open Xunit

open Plait.Tests.Support

/// How the doctor ended.
type Ended =
    {
        Code: int
        Out: string
        Err: string
    }

    /// It ended with this code, and with no error that nobody foresaw.
    member this.EndsWith(code: int) : unit =
        let said = $"{this.Out}\n{this.Err}"
        Assert.True((this.Code = code), $"exit code {this.Code}, not {code}:\n{said}")
        Assert.DoesNotContain("should not happen", said)
        Assert.DoesNotContain("   at ", this.Err)

    /// It shows a line over time for each figure of the pool.
    member this.HasTimeline() : unit =
        for figure in [ "queue"; "threads"; "completed/s"; "CPU" ] do
            Assert.Matches($"\n  {figure} +[▁▂▃▄▅▆▇█]+  [0-9,]+ to [0-9,]+", this.Out)

    /// It could not tell, and said why in one sentence with these words.
    member this.Refuses(words: string list) : unit =
        this.EndsWith 2

        match this.Err.Split '\n' |> Array.filter _.StartsWith("plait: ") with
        | [| sentence |] ->
            for word in words do
                Assert.Contains(word, sentence)
        | sentences -> Assert.Fail $"{sentences.Length} sentences, not one:\n{this.Err}"

/// A folder for the temporary files of doctors, and for what they write. It goes away with the value.
type TemporaryFiles() =
    let path = Directory.CreateTempSubdirectory("doctor-tests-").FullName
    member _.Path = path
    member _.File(name: string) = Path.Combine(path, name)

    /// What a doctor made there for itself.
    member _.OfDoctors: string list =
        Directory.GetFileSystemEntries(path, "plait-doctor-*") |> List.ofArray

    interface IDisposable with
        member _.Dispose() = Directory.Delete(path, true)

/// A doctor under way.
type DoctorProcess(files: TemporaryFiles, arguments: string list) =
    let out = ConcurrentQueue<string>()
    let err = ConcurrentQueue<string>()

    let child =
        if not (File.Exists SickProgram.tool) then
            Assert.Fail $"{SickProgram.tool} is missing: build it first, with 'make build'."

        let info =
            ProcessStartInfo(
                "dotnet",
                [ SickProgram.tool; "doctor" ] @ arguments,
                WorkingDirectory = SickProgram.root,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true
            )

        info.Environment["TMPDIR"] <- files.Path
        info.Environment["COLUMNS"] <- "200"
        nonNull (Process.Start info)

    let reading (stream: StreamReader) (lines: ConcurrentQueue<string>) =
        Task.Run(fun () ->
            let mutable line = stream.ReadLine()

            while not (isNull line) do
                lines.Enqueue(nonNull line)
                line <- stream.ReadLine())

    let reads =
        Task.WhenAll(reading child.StandardOutput out, reading child.StandardError err)

    let text (lines: ConcurrentQueue<string>) = String.concat "\n" lines

    member _.Id = child.Id

    member _.HasEnded = child.HasExited

    /// Waits until a line on either stream has these words, and returns the line.
    member _.Says(words: string) : string =
        let said () =
            Seq.append out err |> Seq.tryFind _.Contains(words)

        Within.comes $"'{words}' is said, or the end" (fun () -> (said ()).IsSome || reads.IsCompleted)

        match said () with
        | Some line -> line
        | None -> failwith $"The doctor did not say '{words}'; it said:\n{text out}\n{text err}"

    /// Ends its input.
    member _.CloseInput() = child.StandardInput.Close()

    member _.Kill() =
        child.Kill()
        child.WaitForExit()

    /// Waits for its end.
    member _.Wait() : Ended =
        if not (child.WaitForExit Within.limit) then
            child.Kill true
            Assert.Fail $"The doctor did not end within {Within.limit.TotalMinutes} minutes:\n{text err}"

        Within.result "the streams of the doctor" (task { do! reads }) |> ignore

        { Code = child.ExitCode; Out = text out; Err = text err }

    interface IDisposable with
        member _.Dispose() =
            if not child.HasExited then
                child.Kill true

            child.Dispose()

module DoctorProcess =
    /// Runs the doctor to its end, which leaves none of its temporary files.
    let run (files: TemporaryFiles) (arguments: string list) : Ended =
        use doctor = new DoctorProcess(files, arguments)
        let ended = doctor.Wait()
        Assert.Empty files.OfDoctors
        ended
