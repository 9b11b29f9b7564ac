// Waits until files change, for a check that is done again and again.
module internal Plait.Tool.CheckWatch

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading

open Plait.Common

/// An editor writes a file in several steps, and a branch changes many: they are one change when no more come for so long.
let private quiet = TimeSpan.FromMilliseconds 300.

/// Notes from its start on which of some files are written, made, renamed or deleted.
type Watcher(files: string list) =
    let changed = new BlockingCollection<string>()
    let watched = HashSet<string>(files |> List.map Path.GetFullPath)

    let note (path: string) =
        if watched.Contains path then
            changed.Add path

    let watch (folder: string) =
        Files.guarded
            (fun why -> BadInput $"{folder} cannot be watched: {why}; check without --watch")
            (fun () ->
                let watcher = new FileSystemWatcher(folder)

                watcher.NotifyFilter <-
                    NotifyFilters.FileName ||| NotifyFilters.LastWrite ||| NotifyFilters.Size

                watcher.Changed.Add(fun event -> note event.FullPath)
                watcher.Created.Add(fun event -> note event.FullPath)
                watcher.Deleted.Add(fun event -> note event.FullPath)

                // Editors write beside a file and rename that to it.
                watcher.Renamed.Add(fun event ->
                    note event.FullPath
                    note event.OldFullPath)

                // The system has lost changes, because there were too many at once.
                watcher.Error.Add(fun _ -> Seq.tryHead watched |> Option.iter changed.Add)
                watcher.EnableRaisingEvents <- true
                watcher)

    let watchers =
        watched
        |> Seq.map (fun file -> Path.GetDirectoryName file |> string)
        |> Seq.distinct
        |> Seq.filter Directory.Exists
        |> Seq.map watch
        |> List.ofSeq

    /// Waits for a change, and until it is quiet again; the files that changed. None when it is stopped.
    member _.Next(token: CancellationToken) : string list option =
        try
            let seen = HashSet [ changed.Take token ]
            let mutable more = true

            while more do
                let mutable file = ""

                if changed.TryTake(&file, int quiet.TotalMilliseconds, token) then
                    seen.Add file |> ignore
                else
                    more <- false

            Some(List.ofSeq seen)
        with :? OperationCanceledException ->
            None

    interface IDisposable with
        member _.Dispose() =
            for watcher in watchers do
                watcher.Dispose()
