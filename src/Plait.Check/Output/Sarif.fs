// A check as SARIF 2.1.0, for editors and for the code-scanning pages of hosts.
module Plait.Check.Sarif

open System
open System.IO
open System.Reflection
open System.Security.Cryptography
open System.Text
open System.Text.Json
open System.Text.Json.Nodes

/// SARIF's name for the folder that URIs are relative to.
[<Literal>]
let private Root = "%SRCROOT%"

let private text (value: string) : JsonNode = nonNull (JsonValue.Create value)
let private number (value: int) : JsonNode = JsonValue.Create value
let private flag (value: bool) : JsonNode = JsonValue.Create value

let private object' (entries: (string * JsonNode) list) : JsonNode =
    let result = JsonObject()

    for key, value in entries do
        result[key] <- value

    result

let private list (items: JsonNode list) : JsonNode =
    let result = JsonArray()

    for item in items do
        result.Add item

    result

let private message (said: string) = object' [ "text", text said ]

let private sentence (said: string) =
    if said.EndsWith '.' || said.EndsWith '?' then said else said + "."

let private level (severity: Severity) =
    match severity with
    | Severity.Warning -> "warning"
    // SARIF shows users nothing below a note.
    | Severity.Info
    | Severity.Hint -> "note"

/// The page of a rule, from the package.
let private page (rule: RuleInfo) = $"docs/rules/{rule.Code}.md"

/// The page beside the tool: in the folder of the package, or of the repository.
let private pageFile (rule: RuleInfo) : string option =
    let rec search (folder: string | null) =
        match folder with
        | null -> None
        | folder ->
            let file = Path.Combine(folder, page rule)
            if File.Exists file then Some file else search (Path.GetDirectoryName folder)

    search (Path.TrimEndingDirectorySeparator AppContext.BaseDirectory)

/// The repository that this program was built from; None: it has no address.
let repository: string option =
    Assembly.GetExecutingAssembly().GetCustomAttributes<AssemblyMetadataAttribute>()
    |> Seq.tryPick (fun one ->
        match one.Key, one.Value with
        | "RepositoryUrl", NonNull url when url.StartsWith("http", StringComparison.Ordinal) ->
            Some(url.TrimEnd '/')
        | _ -> None)

/// SARIF's precision of a finding with this severity.
let private precision (severity: Severity) =
    match severity with
    | Severity.Warning -> "very-high"
    | Severity.Info -> "medium"
    | Severity.Hint -> "high"

/// The address of the page in a repository. A path of this machine does not help elsewhere.
let helpUri (repository: string option) (rule: RuleInfo) : string option =
    repository |> Option.map (fun repository -> $"{repository}/blob/HEAD/{page rule}")

let private rule (rule: RuleInfo) =
    let file = pageFile rule

    object'
        [
            "id", text rule.Code
            "name", text rule.Title
            "shortDescription", message (sentence rule.Title)
            "fullDescription", message (sentence rule.Summary)

            match helpUri repository rule with
            | Some uri -> "helpUri", text uri
            | None -> ()

            "help",
            object'
                [
                    "text", text $"{sentence rule.Summary} {page rule} in the Plait package says more."
                    match file with
                    | Some file -> "markdown", text (File.ReadAllText file)
                    | None -> ()
                ]

            "defaultConfiguration", object' [ "level", text (level rule.Severity) ]

            "properties",
            object'
                [
                    "page", text (page rule)
                    "precision", text (precision rule.Severity)
                    "problem.severity",
                    text (
                        match rule.Severity with
                        | Severity.Warning -> "warning"
                        | Severity.Info
                        | Severity.Hint -> "recommendation"
                    )
                    "tags", list [ text "async"; text "concurrency"; text "reliability" ]
                ]
        ]

let private folderUri (root: string) =
    Uri(Path.TrimEndingDirectorySeparator root + string Path.DirectorySeparatorChar).AbsoluteUri

let private artifact root (file: string) =
    match Locations.tryUri root file with
    | Some uri -> object' [ "uri", text uri; "uriBaseId", text Root ]
    | None -> object' [ "uri", text (Uri file).AbsoluteUri ]

let private region (place: Location) =
    object'
        [
            "startLine", number place.Line
            "startColumn", number place.Column
            "endLine", number place.EndLine
            "endColumn", number place.EndColumn
        ]

let private location root (place: Location) (said: string option) =
    object'
        [
            "physicalLocation",
            object' [ "artifactLocation", artifact root place.File; "region", region place ]
            match said with
            | Some said -> "message", message (sentence said)
            | None -> ()
        ]

let private codeFlow root (finding: Finding) =
    let step place said =
        object' [ "location", location root place (Some said) ]

    object'
        [
            "threadFlows",
            list
                [
                    object'
                        [
                            "locations",
                            list
                                [
                                    for one in finding.Path do
                                        step one.Location one.Says
                                    step finding.Location finding.Message
                                ]
                        ]
                ]
        ]

let private fix root (fix: Fix) =
    let changes =
        fix.Edits
        |> List.groupBy _.Location.File
        |> List.map (fun (file, edits) ->
            object'
                [
                    "artifactLocation", artifact root file
                    "replacements",
                    list
                        [
                            for edit in edits do
                                object'
                                    [
                                        "deletedRegion", region edit.Location
                                        "insertedContent", object' [ "text", text edit.Text ]
                                    ]
                        ]
                ])

    object' [ "description", message (sentence fix.Says); "artifactChanges", list changes ]

/// The suppression of a result, by SARIF's kinds.
type private SarifSuppression =
    | NotSuppressed
    | InSource of reason: string
    | External

let private suppressions (suppression: SarifSuppression) =
    let one kind (why: string) =
        [ "suppressions", list [ object' [ "kind", text kind; "justification", text why ] ] ]

    match suppression with
    | NotSuppressed -> []
    | InSource reason -> one "inSource" reason
    | External -> one "external" "known in the baseline"

/// An identity that new lines elsewhere do not change: the rule, the file, the text of the line, and its number among
/// equal ones.
let private fingerprints root (sources: Sources) (findings: Finding list) : Map<Finding, string> =
    findings
    |> List.map (fun finding ->
        let line = (sources.Line(finding.Location.File, finding.Location.Line)).Trim()
        $"{finding.Rule}\n{Locations.shown root finding.Location.File}\n{line}", finding)
    |> List.groupBy fst
    |> List.collect (fun (key, same) ->
        same
        |> List.map snd
        |> List.sortBy (fun finding -> finding.Location.Line, finding.Location.Column)
        |> List.mapi (fun at finding ->
            let hash = SHA256.HashData(Encoding.UTF8.GetBytes $"{key}\n{at + 1}")
            finding, (Convert.ToHexString hash).Substring(0, 32).ToLowerInvariant()))
    |> Map.ofList

let private result
    root
    (rules: RuleInfo list)
    (prints: Map<Finding, string>)
    (finding: Finding, suppression: SarifSuppression)
    =
    object'
        [
            "ruleId", text finding.Rule

            match rules |> List.tryFindIndex (fun rule -> rule.Code = finding.Rule) with
            | Some index -> "ruleIndex", number index
            | None -> ()

            "level", text (level finding.Severity)

            let advice =
                if finding.Advice = "" then "" else $" Instead: {sentence finding.Advice}"

            "message", message (sentence finding.Message + advice)
            "locations", list [ location root finding.Location None ]
            "partialFingerprints", object' [ "plaitLine/v1", text prints[finding] ]

            if not finding.Path.IsEmpty then
                "codeFlows", list [ codeFlow root finding ]

            match finding.Fix with
            | Some one -> "fixes", list [ fix root one ]
            | None -> ()

            yield! suppressions suppression
        ]

let private version =
    match (Assembly.GetExecutingAssembly()).GetName().Version with
    | null -> "0.0.0"
    | version -> version.ToString 3

/// The text, with a line feed at the end. URIs are relative to `root`, and `exitCode` is that of the check: 2 means
/// that not all code could be analysed.
let write (root: string) (exitCode: int) (sources: Sources) (outcome: CheckResult) : string =
    let findings =
        [
            for finding in outcome.Findings do
                finding, NotSuppressed
            for finding, reason in outcome.Suppressed do
                finding, InSource reason
            for finding in outcome.Known do
                finding, External
        ]

    let prints = fingerprints root sources (findings |> List.map fst)

    let notes =
        [
            for file, why in outcome.Unloaded do
                object'
                    [
                        "level", text "error"
                        "message", message (sentence (FindingsText.unloaded root file why))
                    ]

            for note in outcome.Notes do
                object' [ "level", text "note"; "message", message (sentence note) ]
            object' [ "level", text "note"; "message", message (FindingsText.coverage outcome) ]
        ]

    let run =
        object'
            [
                "tool",
                object'
                    [
                        "driver",
                        object'
                            [
                                "name", text "plait check"
                                "version", text version
                                "rules", list (outcome.Rules |> List.map rule)
                            ]
                    ]
                "invocations",
                list
                    [
                        object'
                            [
                                "executionSuccessful", flag (exitCode < 2)
                                "exitCode", number exitCode
                                "toolExecutionNotifications", list notes
                            ]
                    ]
                "originalUriBaseIds", object' [ Root, object' [ "uri", text (folderUri root) ] ]
                "columnKind", text "utf16CodeUnits"
                "results", list (findings |> List.map (result root outcome.Rules prints))
            ]

    let log =
        object'
            [
                "$schema",
                text
                    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
                "version", text "2.1.0"
                "runs", list [ run ]
            ]

    let options =
        JsonSerializerOptions(
            WriteIndented = true,
            Encoder = Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping
        )

    log.ToJsonString options + "\n"
