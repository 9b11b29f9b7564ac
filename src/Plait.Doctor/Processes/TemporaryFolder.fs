// A folder for the files of a look, deleted after the look. The folder of a killed doctor is deleted by the next one.
namespace Plait.Doctor

open System
open System.Diagnostics
open System.IO

[<Sealed>]
type internal TemporaryFolder() =
    static let prefix = "plait-doctor-"

    static let hasEnded (pid: int) =
        try
            use running = Process.GetProcessById pid
            running.HasExited
        with
        | :? ArgumentException
        | :? InvalidOperationException -> true
        // another user's
        | :? ComponentModel.Win32Exception -> false

    // "plait-doctor-4711-Xyz" belongs to process 4711.
    static let owner (folder: string) =
        match (string (Path.GetFileName folder)).Split '-' with
        | [| _; _; pid; _ |] ->
            match Int32.TryParse pid with
            | true, pid -> Some pid
            | _ -> None
        | _ -> None

    static let sweep () =
        for folder in Directory.GetDirectories(Path.GetTempPath(), $"{prefix}*") do
            match owner folder with
            | Some pid when hasEnded pid ->
                try
                    Directory.Delete(folder, true)
                with
                | :? IOException
                | :? UnauthorizedAccessException -> ()
            | _ -> ()

    static do sweep ()

    let folder = Directory.CreateTempSubdirectory $"{prefix}{Environment.ProcessId}-"

    // A stopped look may still run at the end of the process.
    let atEnd =
        EventHandler(fun _ _ ->
            try
                folder.Delete true
            with
            | :? IOException
            | :? UnauthorizedAccessException -> ())

    do AppDomain.CurrentDomain.ProcessExit.AddHandler atEnd

    /// The path of a file in it.
    member _.File(name: string) = Path.Combine(folder.FullName, name)

    interface IDisposable with
        member _.Dispose() =
            AppDomain.CurrentDomain.ProcessExit.RemoveHandler atEnd
            folder.Delete true
