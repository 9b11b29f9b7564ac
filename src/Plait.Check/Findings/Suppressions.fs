// Comments that suppress findings: `// plait: ignore PLT101 reason` after the code or on the line before it, and, before the
// first code of a file, `// plait: ignore-file PLT101 reason`. A comment without an effect is a finding itself. The compiler's
// tokenizer finds the comments, so text in a string is none.
module Plait.Check.Suppressions

open System
open System.Text.RegularExpressions
open FSharp.Compiler.Tokenization

open Plait.Common
// Its places are those of source files.
open Plait.Check

/// A wrong comment: without a reason, or for an unknown rule.
let wrongComment: RuleInfo =
    {
        Code = "PLT001"
        Title = "suppression without effect"
        Summary =
            "A comment that should suppress a rule has no reason, names no rule, or stands in the wrong place."
        Severity = Severity.Warning
    }

/// A comment that suppresses nothing.
let needlessComment: RuleInfo =
    {
        Code = "PLT002"
        Title = "suppression that is no longer needed"
        Summary = "A comment suppresses a rule that finds nothing there."
        Severity = Severity.Warning
    }

/// The rules about suppressions. They are always on.
let rules: RuleInfo list = [ wrongComment; needlessComment ]

/// The lines of the findings that a comment suppresses.
type private SuppressedRange =
    /// One line. A comment after code also covers findings over several lines, with this one among them.
    | OfLine of number: int * isBehindCode: bool
    | OfFile

/// A comment that suppresses rules.
type private Suppression =
    {
        Location: Location
        /// The comment with its blanks, or its whole line: the text that a fix deletes.
        DeletedRange: Location
        Range: SuppressedRange
        Codes: string list
        Reason: string
    }

/// A comment to the end of its line.
type private Comment =
    {
        /// Its line, counted from one.
        Line: int
        /// The column of its first slash, counted from nought.
        Start: int
        Text: string
        IsBehindCode: bool
        IsBeforeAllCode: bool
    }

/// The comments of a file from its tokens: the comments themselves, and the lines that hold code.
let private comments (defines: string list) (file: string) (lines: string[]) : Comment list * Set<int> =
    let tokenizer = FSharpSourceTokenizer(defines, Some file, Some "preview")
    let mutable state = FSharpTokenizerLexState.Initial
    let mutable code = Set.empty
    let found = ResizeArray()

    for index in 0 .. lines.Length - 1 do
        let line = tokenizer.CreateLineTokenizer lines[index]
        let mutable goesOn = true
        let mutable start = -1
        let mutable isBehindCode = false

        while goesOn do
            match line.ScanToken state with
            | Some token, next ->
                state <- next

                match token.CharClass with
                | FSharpTokenCharKind.LineComment ->
                    if start < 0 then
                        start <- token.LeftColumn
                | FSharpTokenCharKind.Comment
                | FSharpTokenCharKind.WhiteSpace -> ()
                // Inactive code is no code, and neither are lines of #if themselves.
                | _ when
                    token.TokenName = "INACTIVECODE"
                    || token.TokenName.StartsWith("HASH_", StringComparison.Ordinal)
                    ->
                    ()
                | _ -> isBehindCode <- true
            | None, next ->
                state <- next
                goesOn <- false

        if start >= 0 then
            found.Add
                {
                    Line = index + 1
                    Start = start
                    Text = lines[index].Substring start
                    IsBehindCode = isBehindCode
                    IsBeforeAllCode = code.IsEmpty && not isBehindCode
                }

        if isBehindCode then
            code <- code.Add(index + 1)

    List.ofSeq found, code

let private form =
    Regex(@"^//\s*plait:\s*(?<verb>[A-Za-z-]+)(?<rest>.*)$", RegexOptions.CultureInvariant)

let private codesAndReason =
    Regex(
        @"^\s*(?<codes>[A-Za-z]+[0-9]+(\s*,\s*[A-Za-z]+[0-9]+)*)(\s+|\s*[:-]\s*|$)(?<reason>.*)$",
        RegexOptions.CultureInvariant
    )

[<Literal>]
let private IgnoreLine = "ignore"

[<Literal>]
let private IgnoreFile = "ignore-file"

let private placeOf file (comment: Comment) : Location =
    {
        File = file
        Line = comment.Line
        Column = comment.Start + 1
        EndLine = comment.Line
        EndColumn = comment.Start + 1 + comment.Text.Length
    }

/// The comment with the text that a deletion would leave behind: its line, or the blanks before it.
let private deletedRangeOf (lines: string[]) (comment: Comment) (place: Location) : Location =
    let before = lines[comment.Line - 1].Substring(0, comment.Start)

    if comment.IsBehindCode then { place with Column = before.TrimEnd().Length + 1 }
    elif before.Trim() <> "" || comment.Line = lines.Length then place
    else { place with Column = 1; EndLine = place.Line + 1; EndColumn = 1 }

let private finding (rule: RuleInfo) place message advice fix : Finding =
    {
        Rule = rule.Code
        Severity = rule.Severity
        Location = place
        Message = message
        Path = []
        Advice = advice
        Fix = fix
    }

/// The suppressions in the comments of a file, and findings about wrong ones.
let private read (known: string list) (defines: string list) (file: string) (lines: string[]) =
    let comments, code = comments defines file lines

    // Several comments and blank lines may stand above a line of code.
    let rec nextLine number =
        if number < lines.Length && not (code.Contains(number + 1)) then
            nextLine (number + 1)
        else
            number + 1

    // Attributes on lines of their own may stand between the comment and its code.
    let rec nextCode number =
        let next = nextLine number

        let isStart =
            next <= lines.Length
            && lines[next - 1].TrimStart().StartsWith("[<", StringComparison.Ordinal)

        let closing =
            if isStart then
                seq { next .. lines.Length } |> Seq.tryFind (fun line -> lines[line - 1].Contains ">]")
            else
                None

        match closing with
        | Some last when lines[last - 1].TrimEnd().EndsWith(">]", StringComparison.Ordinal) -> nextCode last
        | _ -> next

    let suppressions = ResizeArray()
    let wrong = ResizeArray()

    for comment in comments do
        let spoken = form.Match comment.Text

        if spoken.Success then
            let place = placeOf file comment

            let complain message advice =
                wrong.Add(finding wrongComment place message advice None)

            let verb = spoken.Groups["verb"].Value
            let rest = codesAndReason.Match spoken.Groups["rest"].Value

            match verb with
            | IgnoreLine
            | IgnoreFile when not rest.Success ->
                complain
                    "the comment names no rule, so it has no effect"
                    $"write // plait: {verb} CODE reason, with a code such as {List.head known}"
            | IgnoreLine
            | IgnoreFile ->
                let codes =
                    rest.Groups["codes"].Value.Split(',')
                    |> List.ofArray
                    |> List.map (fun code -> code.Trim().ToUpperInvariant())
                    |> List.distinct

                let unknown = codes |> List.filter (fun code -> not (List.contains code known))
                let reason = rest.Groups["reason"].Value.Trim()

                for code in unknown do
                    let rules = String.concat ", " known
                    complain $"there is no rule {code}" (NearestName.hint known $"the rules are {rules}" code)

                if reason = "" then
                    let named = String.concat ", " codes

                    complain
                        $"the comment gives no reason, so {named} stays as it is"
                        "write the reason after the code of the rule"
                elif verb = IgnoreFile && not comment.IsBeforeAllCode then
                    complain
                        "a comment for the whole file stands after code, so it has no effect"
                        $"move it above the first code of the file, or write {IgnoreLine} for this line alone"
                elif unknown.Length < codes.Length then
                    suppressions.Add
                        {
                            Location = place
                            DeletedRange = deletedRangeOf lines comment place
                            Range =
                                if verb = IgnoreFile then OfFile
                                elif comment.IsBehindCode then OfLine(comment.Line, true)
                                else OfLine(nextCode comment.Line, false)
                            Codes = codes |> List.except unknown
                            Reason = reason
                        }
            | _ ->
                // A comment that mentions plait is no suppression.
                match NearestName.find [ IgnoreLine; IgnoreFile ] verb with
                | Some near -> complain $"'{verb}' suppresses nothing" $"write // plait: {near} CODE reason"
                | None -> ()

    List.ofSeq suppressions, List.ofSeq wrong

let private covers (suppression: Suppression) (finding: Finding) =
    finding.Location.File = suppression.Location.File
    && List.contains finding.Rule suppression.Codes
    && (match suppression.Range with
        | OfFile -> true
        | OfLine(number, true) -> finding.Location.Line <= number && number <= finding.Location.EndLine
        | OfLine(number, false) -> finding.Location.Line = number)

/// The files of a check, and its rules.
type CheckedFiles =
    {
        /// The codes of all rules.
        KnownRules: string list
        /// The codes of the rules that this check runs.
        RunRules: string list
        /// The whole paths of the checked files, each with its symbols for conditional compilation.
        Files: (string * string list) list
        /// The check lost no line and gave up no declaration. If false, a comment that suppressed nothing may still be needed.
        IsComplete: bool
    }

/// The comments of these files, and the findings about them.
let private readAll
    (sources: Sources)
    (known: string list)
    (files: (string * string list) list)
    : Suppression list * Finding list =
    let read =
        files
        // Few files have such comments: the tokenizer need not read the others.
        |> List.filter (fun (file, _) -> (sources.Text file).Contains "plait:")
        |> List.map (fun (file, defines) -> read known defines file (sources.Lines file))

    // A file of several projects is read with the symbols of each.
    read |> List.collect fst |> List.distinct, read |> List.collect snd |> List.distinct

/// The findings of a part of a check that no comment suppresses.
let unsuppressed (sources: Sources) (checkedFiles: CheckedFiles) (findings: Finding list) : Finding list =
    let files = findings |> List.map _.Location.File |> Set.ofList

    let suppressions, _ =
        checkedFiles.Files
        |> List.filter (fst >> files.Contains)
        |> readAll sources checkedFiles.KnownRules

    findings
    |> List.filter (fun finding ->
        not (suppressions |> List.exists (fun suppression -> covers suppression finding)))

/// The findings that no comment suppresses, and the findings about comments, in order of file, line and column; and the
/// suppressed findings, each with its reason.
let apply
    (sources: Sources)
    (checkedFiles: CheckedFiles)
    (findings: Finding list)
    : Finding list * (Finding * string) list =
    let suppressions, wrong = readAll sources checkedFiles.KnownRules checkedFiles.Files

    let suppressed, unsuppressed =
        findings
        |> List.map (fun finding ->
            finding, suppressions |> List.tryFind (fun suppression -> covers suppression finding))
        |> List.partition (fun (_, suppression) -> suppression.IsSome)

    let needless (suppression: Suppression) =
        let idle =
            suppression.Codes
            |> List.filter (fun code ->
                List.contains code checkedFiles.RunRules
                && findings
                   |> List.forall (fun finding -> finding.Rule <> code || not (covers suppression finding)))

        if idle.IsEmpty || not checkedFiles.IsComplete then
            None
        else
            let codes = String.concat " and " idle
            let finds = if idle.Length = 1 then "finds" else "find"
            let here = if suppression.Range = OfFile then "in this file" else "here"

            let isAll = idle.Length = suppression.Codes.Length

            let fix: Fix option =
                if isAll then
                    Some
                        {
                            Says = "delete the comment"
                            Edits = [ { Location = suppression.DeletedRange; Text = "" } ]
                        }
                else
                    None

            let advice =
                if isAll then "delete the comment" else $"delete {codes} from the comment"

            Some(
                finding
                    needlessComment
                    suppression.Location
                    $"the comment is not needed: {codes} {finds} nothing {here}"
                    advice
                    fix
            )

    let all =
        (unsuppressed |> List.map fst) @ wrong @ List.choose needless suppressions
        |> Findings.sorted

    all,
    suppressed
    |> List.choose (fun (finding, by) -> by |> Option.map (fun by -> finding, by.Reason))
