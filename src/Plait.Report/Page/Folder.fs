// The output folder of a run: results.json, results.csv and page.html, and a copy of them in a place that stays.
namespace Plait.Report

open System.IO
open Plait.Common

/// Where a run writes. `latest`: the folder that is given a copy at the end; None: no copy.
type Folder(path: string, latest: string option) =
    let file name = Path.Combine(path, name)

    /// Creates the folder and tries it. Raises BadInput when files cannot be written there.
    static member Create(path: string, latest: string option) : Folder =
        Files.guarded
            (fun why -> BadInput $"--out: files cannot be written in {path}: {why}; name another folder")
            (fun () ->
                Directory.CreateDirectory path |> ignore
                // a new name, under which no earlier run has left its results
                let trial = Path.Combine(path, "results.json.new")
                File.WriteAllText(trial, "")
                File.Delete trial
                Folder(path, latest))

    /// The full path of results.json.
    member _.Json = file "results.json"
    /// The full path of results.csv.
    member _.Csv = file "results.csv"
    /// The full path of the page.
    member _.Page = file "page.html"

    /// The full path of the page in the place that stays, where there is one.
    member this.LastPage =
        match latest with
        | Some latest -> Path.Combine(latest, "page.html")
        | None -> this.Page

    /// Writes results.json, also for a run that is not complete: the file is always whole, because it is moved into
    /// its place.
    member this.WriteJson(results: Results) : unit =
        Files.writing this.Json (fun () ->
            Files.replacing this.Json (fun beside -> Files.put beside (ResultsJson.write results)))

    /// Writes results.csv.
    member this.WriteCsv(results: Results) : unit =
        Files.write this.Csv (Csv.write results)

    /// Writes the page. Raises RunFailed in a build without one.
    member this.WritePage(results: Results) : unit =
        Files.writing this.Page (fun () -> Page.write this.Page results)

    /// Copies the written files to the place that stays.
    member this.CopyToLatest() : unit =
        match latest with
        | None -> ()
        | Some latest ->
            Files.guarded (fun why -> RunFailed $"{latest} cannot be written: {why}") (fun () ->
                Directory.CreateDirectory latest |> ignore

                for name in [ "results.json"; "results.csv"; "page.html" ] do
                    let target = Path.Combine(latest, name)

                    if File.Exists(file name) then File.Copy(file name, target, true) else File.Delete target)
