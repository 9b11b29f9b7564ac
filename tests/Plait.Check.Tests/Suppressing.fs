// Comments that suppress findings: where they may stand, what they must say, and what is said about those that do nothing.
module Plait.Check.Tests.Suppressing

open Xunit

open Plait.Check
open Plait.Check.Tests.MadeFindings

let private known = [ "PLT101"; "PLT201"; "PLT403" ]

let private checkedFiles run defines isWhole file : Suppressions.CheckedFiles =
    { KnownRules = known; RunRules = run; Files = [ file, defines ]; IsComplete = isWhole }

/// The file with these lines, findings at these lines, and what comes of it: what stays and what is suppressed.
let private applyTo (lines: string list) (found: (string * int) list) change =
    use folder = new Folder()
    let file = folder.Write("A.fs", Array.ofList lines)
    let findings = [ for rule, line in found -> finding rule file line ]
    Suppressions.apply (Sources()) (change (checkedFiles known [ "COMPILED" ] true file)) findings

/// The same as rules with their lines, and reasons.
let private apply lines found =
    let unsuppressed, suppressed = applyTo lines found id

    [ for finding in unsuppressed -> finding.Rule, finding.Location.Line ],
    [ for finding, reason in suppressed -> finding.Rule, finding.Location.Line, reason ]

let private none: (string * int * string) list = []

[<Fact>]
let ``a comment after the code suppresses the rule on its line, with its reason`` () =
    let unsuppressed, suppressed =
        apply
            [ "module A"; "let a = b // plait: ignore PLT101 it is a constant"; "let c = d" ]
            [ "PLT101", 2; "PLT101", 3 ]

    Assert.Equal<(string * int) list>([ "PLT101", 3 ], unsuppressed)
    Assert.Equal<(string * int * string) list>([ "PLT101", 2, "it is a constant" ], suppressed)

[<Fact>]
let ``a comment on its own line suppresses on the next line of code`` () =
    let lines =
        [
            "module A"
            "// plait: ignore PLT101 one reason"
            "// plait: ignore PLT201 another reason"
            "// and this explains it"
            ""
            "let a = b"
            "let c = d"
        ]

    let unsuppressed, suppressed = apply lines [ "PLT101", 6; "PLT201", 6; "PLT201", 7 ]
    Assert.Equal<(string * int) list>([ "PLT201", 7 ], unsuppressed)

    Assert.Equal<(string * int * string) list>(
        [ "PLT101", 6, "one reason"; "PLT201", 6, "another reason" ],
        suppressed
    )

[<Fact>]
let ``several codes are separated by commas, in any case of letters`` () =
    let unsuppressed, suppressed =
        apply
            [ "module A"; "let a = b // plait: ignore plt101, PLT201: both are meant" ]
            [ "PLT101", 2; "PLT201", 2 ]

    Assert.Empty unsuppressed
    Assert.Equal(2, suppressed.Length)
    Assert.All(suppressed, fun (_, _, reason) -> Assert.Equal("both are meant", reason))

[<Fact>]
let ``a comment suppresses no other rule than it names`` () =
    let unsuppressed, _ =
        apply [ "module A"; "let a = b // plait: ignore PLT101 a reason" ] [ "PLT201", 2 ]

    Assert.Contains(("PLT201", 2), unsuppressed)

[<Fact>]
let ``a comment after the last line of a long finding suppresses it`` () =
    use folder = new Folder()

    let file =
        folder.Write("A.fs", "module A", "let a =", "    b // plait: ignore PLT101 a reason")

    let long = finding "PLT101" file 2
    let long = { long with Location = { long.Location with EndLine = 3 } }

    let unsuppressed, suppressed =
        Suppressions.apply (Sources()) (checkedFiles known [] true file) [ long ]

    Assert.Empty unsuppressed
    Assert.Single suppressed |> ignore

[<Theory>]
[<InlineData("let t = \"// plait: ignore PLT101 a reason\"")>]
[<InlineData("let t = \"\"\"// plait: ignore PLT101 a reason\"\"\"")>]
[<InlineData("let t = $\"{1} // plait: ignore PLT101 a reason\"")>]
[<InlineData("let t = 1 (* // plait: ignore PLT101 a reason *)")>]
let ``a string that looks like a comment suppresses nothing`` (line: string) =
    let unsuppressed, suppressed = apply [ "module A"; line ] [ "PLT101", 2 ]
    Assert.Equal<(string * int) list>([ "PLT101", 2 ], unsuppressed)
    Assert.Equal<(string * int * string) list>(none, suppressed)

[<Fact>]
let ``a text of several lines holds no comment either`` () =
    let lines =
        [ "module A"; "let t = \"\"\""; "// plait: ignore PLT101 a reason"; "\"\"\""; "let a = b" ]

    Assert.Equal<(string * int) list>([ "PLT101", 5 ], fst (apply lines [ "PLT101", 5 ]))

[<Fact>]
let ``comments in code that is not compiled have no effect`` () =
    let lines =
        [ "module A"; "#if OTHER"; "// plait: ignore PLT101"; "#endif"; "let a = b" ]

    let rulesWith defines =
        applyTo lines [ "PLT101", 5 ] (fun checkedFiles ->
            { checkedFiles with Files = [ fst checkedFiles.Files.Head, defines ] })
        |> fst
        |> List.map _.Rule

    Assert.Equal<string list>([ "PLT101" ], rulesWith [ "COMPILED" ])
    // The same comment is wrong where it is compiled: it has no reason.
    Assert.Equal<string list>([ "PLT001"; "PLT101" ], rulesWith [ "COMPILED"; "OTHER" ])

[<Fact>]
let ``a comment without a reason suppresses nothing, and is a finding`` () =
    let unsuppressed, suppressed =
        applyTo [ "module A"; "let a = b // plait: ignore PLT101" ] [ "PLT101", 2 ] id

    Assert.Empty suppressed
    Assert.Equal<string list>([ "PLT101"; "PLT001" ], unsuppressed |> List.map _.Rule)
    let said = unsuppressed |> List.find (fun finding -> finding.Rule = "PLT001")
    Assert.Contains("no reason", said.Message)
    Assert.Equal(Severity.Warning, said.Severity)
    Assert.Equal((2, 11), (said.Location.Line, said.Location.Column))

[<Fact>]
let ``an unknown code is a finding with the nearest one, and the known codes beside it are used`` () =
    let unsuppressed, suppressed =
        applyTo [ "module A"; "let a = b // plait: ignore PLT10, PLT201 a reason" ] [ "PLT201", 2 ] id

    Assert.Single suppressed |> ignore
    let said = Assert.Single unsuppressed
    Assert.Equal("PLT001", said.Rule)
    Assert.Contains("PLT10", said.Message)
    Assert.Contains("PLT101", said.Advice)

[<Theory>]
[<InlineData("// plait: ignroe PLT101 a reason", "'ignroe'")>]
[<InlineData("// plait: ignore", "names no rule")>]
[<InlineData("// plait: ignore the sleep below", "names no rule")>]
[<InlineData("// plait: ignore-file PLT101 too far down", "stands after code")>]
let ``a malformed comment is a finding`` (comment: string) (words: string) =
    let unsuppressed, _ = applyTo [ "module A"; comment; "let a = b" ] [] id
    let said = Assert.Single unsuppressed
    Assert.Equal("PLT001", said.Rule)
    Assert.Contains(words, said.Message)

[<Fact>]
let ``a comment about plait is prose`` () =
    Assert.Empty(fst (apply [ "module A"; "// plait: the library this is for"; "let a = b" ] []))

[<Fact>]
let ``a comment before all code suppresses a rule in the whole file`` () =
    let lines =
        [ "// Head."; "// plait: ignore-file PLT101 generated code"; "module A"; "let a = b"; "let c = d" ]

    let unsuppressed, suppressed = apply lines [ "PLT101", 4; "PLT201", 4; "PLT101", 5 ]
    Assert.Equal<(string * int) list>([ "PLT201", 4 ], unsuppressed)
    Assert.Equal(2, suppressed.Length)

[<Fact>]
let ``a comment that suppresses nothing is a finding, and its fix deletes it`` () =
    let unsuppressed, _ =
        applyTo
            [ "module A"; "// plait: ignore PLT101 a reason"; "let a = b // plait: ignore PLT201 a reason" ]
            []
            id

    let edits =
        [
            for finding in unsuppressed do
                Assert.Equal("PLT002", finding.Rule)

                for edit in finding.Fix.Value.Edits do
                    edit.Text,
                    edit.Location.Line,
                    edit.Location.Column,
                    edit.Location.EndLine,
                    edit.Location.EndColumn
        ]

    Assert.Equal<_ list>([ "", 2, 1, 3, 1; "", 3, 10, 3, 43 ], edits)

[<Fact>]
let ``of several codes only the needless ones are findings, and the comment stays`` () =
    let unsuppressed, suppressed =
        applyTo [ "module A"; "let a = b // plait: ignore PLT101, PLT201 a reason" ] [ "PLT201", 2 ] id

    Assert.Single suppressed |> ignore
    let said = Assert.Single unsuppressed
    Assert.Equal("PLT002", said.Rule)
    Assert.Contains("PLT101 finds nothing here", said.Message)
    Assert.Equal(None, said.Fix)

[<Fact>]
let ``a comment about a rule that was not run is no finding`` () =
    let unsuppressed, _ =
        applyTo [ "module A"; "let a = b // plait: ignore PLT101 a reason" ] [] (fun checkedFiles ->
            { checkedFiles with RunRules = [ "PLT201" ] })

    Assert.Empty unsuppressed

[<Fact>]
let ``if some code was not analysed, no comment is a finding`` () =
    let unsuppressed, _ =
        applyTo [ "module A"; "let a = b // plait: ignore PLT101 a reason" ] [] (fun checkedFiles ->
            { checkedFiles with IsComplete = false })

    Assert.Empty unsuppressed

[<Fact>]
let ``lines are counted the same with carriage returns`` () =
    let unsuppressed, suppressed =
        apply
            [ "module A\r"; "let a = b // plait: ignore PLT101 a reason\r"; "let c = d\r" ]
            [ "PLT101", 2; "PLT101", 3 ]

    Assert.Equal<(string * int) list>([ "PLT101", 3 ], unsuppressed)
    Assert.Equal<(string * int * string) list>([ "PLT101", 2, "a reason" ], suppressed)

[<Fact>]
let ``attributes on lines of their own may stand between a comment and its code`` () =
    let lines =
        [
            "module A"
            "// plait: ignore PLT101 one reason"
            "[<Literal>]"
            "[<Obsolete("
            "    \"gone\")>]"
            "let a = b"
            "// plait: ignore PLT201 another reason"
            "[<Literal>] let c = d"
            "let e = f"
        ]

    let unsuppressed, suppressed = apply lines [ "PLT101", 6; "PLT201", 8; "PLT201", 9 ]
    Assert.Equal<(string * int) list>([ "PLT201", 9 ], unsuppressed)

    Assert.Equal<(string * int * string) list>(
        [ "PLT101", 6, "one reason"; "PLT201", 8, "another reason" ],
        suppressed
    )
