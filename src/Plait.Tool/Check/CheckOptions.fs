// The options of plait check, and the request that they make.
module internal Plait.Tool.CheckOptions

open System.CommandLine
open System.IO

open Plait.Common
open Plait.Check

let paths =
    Argument<string[]>(
        "PATH",
        Description = ".fsproj, .slnx, .sln, .slnf, a folder, or .fs and .fsx files",
        Arity = ArgumentArity.ZeroOrMore,
        DefaultValueFactory = fun _ -> [||]
    )

let private rules =
    Options.choices
        "--rules"
        [ for rule in Rules.all -> rule.Code, rule.Code ]
        "the rules to run (default: all)"

let private least =
    Options.choice
        "--min-severity"
        [ for word in Word.all<Severity>() -> word, Word.tryFind<Severity> word |> Option.get ]
        "the least severity that is reported (default: warning)"

let private fix =
    Options.flag "--fix" "apply fixes that keep the behaviour, if the code type-checks afterwards"

let private sarif =
    Options.text "--sarif" "FILE" "write the findings to this file as SARIF 2.1.0"

let private json = Options.json "the findings"

let private baseline =
    Options.text "--baseline" "FILE" "a file of accepted findings, which the report leaves out"

let private writeBaseline =
    Options.flag "--write-baseline" "write all findings of this run to the file of --baseline"

let private degraded =
    Options.flag
        "--degraded"
        "also check projects that cannot be restored or wholly type-checked; the report lists the code that was left out"

let private framework =
    Options.text "--framework" "TFM" "the framework for projects with several (default: the newest)"

let private tables =
    Options.texts
        "--table"
        []
        "FILE"
        "a file with effects of functions that the check does not have; may be given several times"

let private watch =
    Options.flag "--watch" "check again when a file changes, until Ctrl-C"

let private staged =
    Options.flag
        "--staged"
        "if F# files are staged in git, check all projects and report findings in staged lines only"

let private quiet =
    Options.flag
        "--quiet"
        "print one line for each finding, one for each fix that was not applied, and one at the end; print no progress"

let private noCache =
    Options.flag "--no-cache" "check everything anew: neither read nor write the cache of earlier results"

let options: Option list =
    [
        rules
        least
        fix
        sarif
        json
        baseline
        writeBaseline
        degraded
        framework
        tables
        watch
        staged
        quiet
        noCache
    ]

/// The request of a command line.
type CheckInput =
    {
        Check: CheckRequest
        /// The files of the findings, `-` for standard output.
        Sarif: string option
        Json: string option
        /// Check again when a file changes.
        Watch: bool
        /// Report findings in staged lines.
        Staged: bool
        /// A line for each finding.
        Quiet: bool
    }

/// The request of a command line. Raises BadInput when two options do not go together.
let requested (parsed: ParseResult) : CheckInput =
    let value option = Options.value parsed option
    let paths = List.ofArray (parsed.GetRequiredValue paths)

    if paths.IsEmpty then
        raise (BadInput "'check' needs a path: a project, a solution, a folder or source files")

    for path in paths do
        // The parser takes an unknown option for one more path.
        if path.StartsWith '-' && not (File.Exists path || Directory.Exists path) then
            let known = options |> List.map _.Name
            let hint = NearestName.hint known "--help lists them all" path
            raise (BadInput $"'check' has no option '{path}'; {hint}")

    if value writeBaseline && (value baseline).IsNone then
        raise (BadInput "--write-baseline needs the file to write: add --baseline FILE")

    if value watch then
        for name, isGiven in
            [
                "--fix", value fix
                "--write-baseline", value writeBaseline
                "--json -", value json = Some Files.standardOutput
            ] do
            if isGiven then
                raise (BadInput $"--watch and {name} do not go together; leave one of them out")

    if value staged then
        for name, isGiven in
            [ "--watch", value watch; "--fix", value fix; "--write-baseline", value writeBaseline ] do
            if isGiven then
                raise (BadInput $"--staged and {name} do not go together; leave one of them out")

    if value fix && value writeBaseline then
        raise (BadInput "--fix and --write-baseline do not go together: fix first, then write the baseline")

    for name, file in [ "--sarif", value sarif; "--json", value json ] do
        file |> Option.iter (Files.trial name)

    if value writeBaseline then
        value baseline |> Option.iter (Files.trial "--baseline")

    {
        Check =
            {
                Load = { Paths = paths; Framework = value framework; Degraded = value degraded }
                Cache = if value noCache then None else Cache.OfUser()
                Rules = List.distinct (value rules)
                Tables = value tables
                Baseline = value baseline
                WriteBaseline = value writeBaseline
                Least = Options.valueOr Severity.Warning parsed least
                Fix = value fix
                // fixes for editors are tried before they are written
                TryFixes = (value sarif).IsSome || (value json).IsSome
            }
        Sarif = value sarif
        Json = value json
        Watch = value watch
        Staged = value staged
        Quiet = value quiet
    }
