// Candidates as they lie on disk: a folder each, with candidate.json beside the assembly. This file finds and reads
// them; it starts nothing.
namespace Plait.Lab

open System.IO

open Plait.Common
open Plait.Report

/// A figure that somebody published for the same way of writing.
type PublishedFigure =
    {
        /// Where it was published.
        Source: string
        /// Requests a second as a percentage of the sync variant's.
        PercentOfSync: float
        /// The publication's name for the variant, or a remark about the figure.
        Note: string option
        /// The factors of the row that it is for.
        Factors: (string * string) list
    }

/// Why a candidate is not run.
type Absence =
    {
        /// The status of its rows: not available, or failed where that is an error of the run.
        Status: Status
        /// One sentence without a capital and a stop.
        Reason: string
    }

/// One candidate.
type Candidate =
    {
        /// Its name, unique, also that of its folder.
        Name: string
        /// How it is shown.
        Label: string
        Family: Family
        /// The library it is named after; None: none.
        Library: string option
        /// The values of factors, by the factor's name, that it has a row for besides its plain one.
        Factors: (string * string) list
        /// Whether waiting blocks a thread in it, by its candidate.json.
        Blocks: bool
        /// Its place in lists.
        Order: int
        /// Published figures for it.
        Published: PublishedFigure list
        /// One sentence.
        Description: string
        /// The full path of the assembly to run.
        Assembly: string
        /// Arguments it is always given.
        Arguments: string list
        /// Why it is shown but not run; None: it is run.
        Absence: Absence option
    }

/// Finding and reading candidates.
module Candidate =
    /// FizzBuzz's factor and its value: functions that only compute are called without a wrapper.
    let syncFn = "calls", "sync-fn"

    let private factors (node: JsonEntry) =
        if TypedJson.fallback "syncFn" TypedJson.flag false node then [ syncFn ] else []

    let private families = Word.all<Family>() |> List.filter ((<>) "")

    let private text (name: string) (node: JsonEntry) =
        TypedJson.required name "a text" node |> TypedJson.text

    let private figure (node: JsonEntry) =
        TypedJson.only [ "source"; "percentOfSync"; "note"; "syncFn" ] node

        {
            Source = text "source" node
            PercentOfSync =
                TypedJson.required "percentOfSync" "a number" node |> TypedJson.number (0.0, infinity)
            Note = TypedJson.optional "note" TypedJson.anyText node
            Factors = factors node
        }

    /// Reads the text of a candidate.json that lies at `file`. Two optional entries serve candidates that are not laid
    /// out like ours: "assembly" (a path, from the folder of the file; default: <name>.dll) and "arguments".
    let parse (file: string) (content: string) : Candidate =
        let json = TypedJson.parse file content

        TypedJson.only
            [
                "name"
                "label"
                "family"
                "library"
                "evaluator"
                "syncFn"
                "blocks"
                "order"
                "published"
                "description"
                "assembly"
                "arguments"
            ]
            json

        let name = text "name" json
        let family = TypedJson.required "family" "a word" json |> TypedJson.word families

        let list (name: string) (expected: string) (read: JsonEntry -> 'T) =
            TypedJson.fallback name (TypedJson.items expected >> List.map read) [] json

        let folder =
            Path.GetFullPath(Path.GetDirectoryName file |> Option.ofObj |> Option.defaultValue ".")

        {
            Name = name
            Label = TypedJson.fallback "label" TypedJson.anyText name json
            Family = Word.tryFind family |> Option.defaultValue Family.Other
            Library = TypedJson.optional "library" TypedJson.text json
            Factors = factors json
            Blocks = TypedJson.fallback "blocks" TypedJson.flag false json
            Order = TypedJson.required "order" "a number" json |> TypedJson.whole (0, 1_000_000)
            Published = list "published" "figures" figure
            Description = TypedJson.fallback "description" TypedJson.anyText "" json
            Assembly = Path.Combine(folder, TypedJson.fallback "assembly" TypedJson.text $"{name}.dll" json)
            Arguments = list "arguments" "texts" TypedJson.anyText
            Absence = None
        }

    /// The candidate with the reason why it is shown but not run.
    let absent (status: Status) (reason: string) (candidate: Candidate) : Candidate =
        { candidate with Absence = Some { Status = status; Reason = reason } }

    /// The nearest folder upward from `start` that holds Plait.slnx.
    let repository (start: string) : string option =
        let rec up (folder: DirectoryInfo | null) =
            match folder with
            | null -> None
            | folder when File.Exists(Path.Combine(folder.FullName, "Plait.slnx")) -> Some folder.FullName
            | folder -> up folder.Parent

        up (DirectoryInfo start)

    /// Where candidates are without --candidates: `candidates` beside the tool, else the build output of the
    /// repository that the tool or the current folder lies in.
    let defaultFolder (toolFolder: string) (currentFolder: string) : string =
        let installed = Path.Combine(toolFolder, "candidates")

        if Directory.Exists installed then
            installed
        else
            match repository toolFolder |> Option.orElse (repository currentFolder) with
            | Some root -> Path.Combine(root, "artifacts", "bin", "candidates")
            | None ->
                raise (
                    BadInput
                        $"the candidates (the programs that this verb measures) were not found: the folder {installed} does not exist, and both the tool and the current folder are outside of the Plait repository. Build them on the machine that you measure: run 'make candidates' in that repository (with the .NET SDK that its global.json names), then run this verb there, or with --candidates DIR, where DIR is its artifacts/bin/candidates. 'plait lab run' measures programs of your own without candidates"
                )

    /// All candidates below `folder`, in their order.
    let discover (folder: string) : Candidate list =
        if not (Directory.Exists folder) then
            raise (
                BadInput
                    $"there is no folder of candidates {folder}; build them with 'make build', or name another"
            )

        let files =
            Directory.GetDirectories folder
            |> Array.map (fun folder -> Path.Combine(folder, "candidate.json"))
            |> Array.filter File.Exists

        if files.Length = 0 then
            raise (
                BadInput
                    $"no folder in {folder} holds a candidate.json; build the candidates with 'make build', or name another folder"
            )

        let candidates =
            files
            |> Array.map (fun file -> parse file (Files.text "a candidate" file))
            |> List.ofArray

        match candidates |> List.countBy _.Name |> List.tryFind (fun (_, count) -> count > 1) with
        | Some(name, _) ->
            raise (BadInput $"two folders in {folder} hold a candidate named {name}; names are unique")
        | None -> candidates |> List.sortBy (fun candidate -> candidate.Order, candidate.Name)
