// Candidates as they lie on disk: a folder each, with candidate.json beside the assembly. This file finds and reads
// them; it starts nothing.
namespace Plait.Lab

open System
open System.IO
open System.Text.Json

open Plait.Report

/// A figure that somebody published for the same way of writing.
type PublishedFigure =
    {
        /// Where it was published.
        Source: string
        /// Requests a second as a percentage of the sync variant's.
        PercentOfSync: float
        /// What the publication calls the variant, or what is to be known about the figure.
        Note: string option
        /// Whether the figure is for the factor sync-fn.
        SyncFn: bool
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
        /// Whether the factor sync-fn applies to it.
        HasSyncFn: bool
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
    let private bad (file: string) sentence =
        raise (
            BadInput $"{file} {sentence}; see docs/results.md and the other candidates for what belongs there"
        )

    let private text (file: string) (name: string) (json: JsonElement) =
        match json.TryGetProperty name with
        | true, value when value.ValueKind = JsonValueKind.String -> nonNull (value.GetString())
        | _ -> bad file $"has no text '{name}'"

    let private textOption (name: string) (json: JsonElement) =
        match json.TryGetProperty name with
        | true, value when value.ValueKind = JsonValueKind.String -> Option.ofObj (value.GetString())
        | _ -> None

    let private flag (name: string) (json: JsonElement) =
        match json.TryGetProperty name with
        | true, value -> value.ValueKind = JsonValueKind.True
        | _ -> false

    let private items (name: string) (json: JsonElement) =
        match json.TryGetProperty name with
        | true, value when value.ValueKind = JsonValueKind.Array -> List.ofSeq (value.EnumerateArray())
        | _ -> []

    let private number (file: string) (name: string) (json: JsonElement) =
        match json.TryGetProperty name with
        | true, value when value.ValueKind = JsonValueKind.Number -> value.GetDouble()
        | _ -> bad file $"has no number '{name}'"

    let private figure file (json: JsonElement) =
        {
            Source = text file "source" json
            PercentOfSync = number file "percentOfSync" json
            Note = textOption "note" json
            SyncFn = flag "syncFn" json
        }

    /// Reads the text of a candidate.json that lies at `file`. Two optional entries serve candidates that are not laid
    /// out like ours: "assembly" (a path, from the folder of the file; default: <name>.dll) and "arguments".
    let parse (file: string) (content: string) : Candidate =
        try
            use document = JsonDocument.Parse content
            let json = document.RootElement

            if json.ValueKind <> JsonValueKind.Object then
                bad file "is not a JSON object"

            let name = text file "name" json

            let folder =
                Path.GetFullPath(Path.GetDirectoryName file |> Option.ofObj |> Option.defaultValue ".")

            {
                Name = name
                Label = textOption "label" json |> Option.defaultValue name
                Family = text file "family" json |> Word.tryFind |> Option.defaultValue Family.Other
                Library = textOption "library" json
                HasSyncFn = flag "syncFn" json
                Order = int (number file "order" json)
                Published = items "published" json |> List.map (figure file)
                Description = textOption "description" json |> Option.defaultValue ""
                Assembly =
                    Path.Combine(folder, textOption "assembly" json |> Option.defaultValue $"{name}.dll")
                Arguments = items "arguments" json |> List.map string
                Absence = None
            }
        with
        | :? JsonException as trouble -> bad file $"cannot be read: {trouble.Message}"
        | :? InvalidOperationException as trouble ->
            bad file $"holds something of another kind than it should: {trouble.Message}"

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

    /// Where candidates are when nobody says: `candidates` beside the tool, else the build output of the repository
    /// that the tool or the current folder lies in.
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
                        $"there are no candidates in {installed}, and neither the tool nor the current folder lies in the Plait repository; say where they are with --candidates DIR"
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
