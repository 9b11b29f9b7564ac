// Fixing: which fixes are kept, what is said of the others, and how files are written. The type-checker is the real one, over source
// files that stand alone.
namespace Plait.Check.Tests

open System.IO
open System.Text

open Xunit

open Plait.Check
open Plait.Common

module Fix =
    /// A finding in a line of a file whose fix replaces the first `old` of that line.
    let replacing (file: string) (line: int) (old: string) (text: string) : Finding =
        let lines = File.ReadAllLines file
        let column = lines[line - 1].IndexOf old + 1

        let place =
            {
                File = file
                Line = line
                Column = column
                EndLine = line
                EndColumn = column + old.Length
            }

        {
            Rule = "PLT101"
            Severity = Severity.Warning
            Location = place
            Message = "wrong"
            Path = []
            Advice = "right"
            Fix = Some { Says = "replace it"; Edits = [ { Location = place; Text = text } ] }
        }

    let plan projects findings =
        Fixing.plan Checked.checker.Value projects findings

    /// What became of each finding, in words.
    let words (outcomes: FixOutcome list) =
        [
            for outcome in outcomes do
                match outcome with
                | Applied finding -> $"{finding.Location.Line}: applied"
                | NotApplied(finding, why) -> $"{finding.Location.Line}: {why}"
        ]

module ``A fix`` =
    [<Fact>]
    let ``a fix that type-checks is accepted, and no file is written`` () =
        use made = new Made()
        let file = made.Write("A.fs", "module A\nlet x = 1\nlet y = x\n")
        let texts, outcomes = Fix.plan [ Load.one file ] [ Fix.replacing file 2 "1" "22" ]

        Assert.Equal<(string * string) list>([ file, "module A\nlet x = 22\nlet y = x\n" ], texts)
        Assert.Equal<string list>([ "2: applied" ], Fix.words outcomes)
        Assert.Equal("module A\nlet x = 1\nlet y = x\n", File.ReadAllText file)
        Assert.Empty(Checked.errors (Load.one file))

    [<Fact>]
    let ``a fix that does not type-check is left out with the error, and the other fixes of the file are accepted``
        ()
        =
        use made = new Made()
        let file = made.Write("A.fs", "module A\nlet x = 1\nlet y = x + 1\nlet z = 3\n")

        let texts, outcomes =
            Fix.plan [ Load.one file ] [ Fix.replacing file 4 "3" "33"; Fix.replacing file 2 "1" "\"text\"" ]

        Assert.Equal<(string * string) list>(
            [ file, "module A\nlet x = 1\nlet y = x + 1\nlet z = 33\n" ],
            texts
        )

        match Fix.words outcomes with
        | [ first; "4: applied" ] ->
            first |> Say.names [ "2: code in A.fs would not type-check with it"; "string" ]
        | other -> Assert.Fail $"%A{other}"

    [<Fact>]
    let ``a fix that breaks a later file is left out, and fixes of other files are accepted`` () =
        use made = new Made()
        let first = made.Write("A.fs", "module A\nlet x = 1\n")
        let second = made.Write("B.fs", "module B\nlet y = A.x + 1\nlet z = 2\n")

        let texts, outcomes =
            Fix.plan
                (Load.paths [ first; second ])
                [ Fix.replacing first 2 "1" "1.5"; Fix.replacing second 3 "2" "20" ]

        Assert.Equal<(string * string) list>([ second, "module B\nlet y = A.x + 1\nlet z = 20\n" ], texts)

        match Fix.words outcomes with
        | [ first; "3: applied" ] -> first |> Say.names [ "2: code in B.fs" ]
        | other -> Assert.Fail $"%A{other}"

    [<Fact>]
    let ``a fix that type-checks only together with one of another file is accepted with it`` () =
        use made = new Made()
        let first = made.Write("A.fs", "module A\nlet x = 1\n")
        let second = made.Write("B.fs", "module B\nlet y = A.x + 1\n")

        let texts, outcomes =
            Fix.plan
                (Load.paths [ first; second ])
                [ Fix.replacing first 2 "1" "1.5"; Fix.replacing second 2 "+ 1" "+ 1.0" ]

        Assert.Equal(2, texts.Length)
        Assert.Equal<string list>([ "2: applied"; "2: applied" ], Fix.words outcomes)

    [<Fact; Trait("run", "more")>]
    let ``a fix must type-check in every project that has the file, and in the projects that reference them``
        ()
        =
        use made = new Made()
        let shared = made.Write("Shared.fs", "module Shared\nlet x = 1\nlet w = 2\n")
        let user = made.Write("User.fs", "module User\nlet y : int = Shared.x\n")
        let alone = Load.one shared
        let both = Assert.Single(Load.paths [ shared; user ])

        let findings =
            [ Fix.replacing shared 2 "1" "1.5"; Fix.replacing shared 3 "2" "2.5" ]

        // the same finding comes from both projects
        let texts, outcomes = Fix.plan [ alone; both ] (findings @ findings)

        Assert.Equal<(string * string) list>([ shared, "module Shared\nlet x = 1\nlet w = 2.5\n" ], texts)

        Assert.Equal<string list>(
            [ "2"; "2"; "3: applied"; "3: applied" ],
            Fix.words outcomes
            |> List.map (fun one -> if one.Contains "applied" then one else one.Split(':')[0])
        )

        let other = made.Library("Lib", "module Lib\nlet x = 1", [])
        let using' = made.Library("App", "module App\nlet y : int = Lib.x", [ "Lib" ])
        let source = made.Path "Lib/Lib.fs"

        let texts, outcomes =
            Fix.plan (Load.paths [ other; using' ]) [ Fix.replacing source 2 "1" "1.5" ]

        Assert.Empty texts
        Fix.words outcomes |> Assert.Single |> Say.names [ "code in App.fs" ]

    [<Fact>]
    let ``a fix in code with errors is accepted if it adds no error`` () =
        use made = new Made()
        let file = made.Write("A.fs", "module A\nlet wrong : int = \"\"\nlet x = 1\n")
        let _, outcomes = Fix.plan [ Load.one file ] [ Fix.replacing file 3 "1" "2" ]
        Assert.Equal<string list>([ "3: applied" ], Fix.words outcomes)

    [<Fact>]
    let ``a fix that overlaps an earlier one is left out, and the reason names the rule of the earlier one``
        ()
        =
        use made = new Made()
        let file = made.Write("A.fs", "module A\nlet x = 1 + 2\n")

        let insertion =
            let inside = Fix.replacing file 2 "2" ".5"
            let edit = inside.Fix.Value.Edits.Head

            let at = { edit.Location with Column = edit.Location.EndColumn }

            { inside with
                Location = at
                Fix = Some { Says = "add it"; Edits = [ { edit with Location = at } ] }
            }

        let texts, outcomes =
            Fix.plan
                [ Load.one file ]
                [ insertion; Fix.replacing file 2 "+ 2" "+ 3"; Fix.replacing file 2 "1" "4" ]

        Assert.Equal<(string * string) list>([ file, "module A\nlet x = 4 + 3\n" ], texts)

        Assert.Equal<string list>(
            [ "2: applied"; "2: applied"; "2: it overlaps the fix of PLT101 at line 2" ],
            Fix.words outcomes
        )

    [<Fact>]
    let ``a fix of a file that is not loaded, or has become shorter, is left out`` () =
        use made = new Made()
        let file = made.Write("A.fs", "module A\nlet x = 1\n")
        let other = made.Write("B.fs", "module B\nlet x = 1\n")
        let findings = [ Fix.replacing file 2 "1" "2"; Fix.replacing other 2 "1" "2" ]
        let projects = [ Load.one file ]
        File.WriteAllText(file, "module A\n")
        let texts, outcomes = Fix.plan projects findings
        Assert.Empty texts

        Assert.Equal<string list>(
            [
                "2: the file has changed since it was checked"
                "2: its file is in none of the loaded projects"
            ],
            Fix.words outcomes
        )

    [<Fact>]
    let ``a fix of a script is checked with the files that the script loads`` () =
        use made = new Made()
        let part = made.Write("part.fs", "module Part\nlet x = 1\n")

        let file =
            made.Write("run.fsx", "#load \"part.fs\"\nlet y = Part.x + 1\nlet z = 1\n")

        let texts, outcomes =
            Fix.plan [ Load.one file ] [ Fix.replacing part 2 "1" "1.5"; Fix.replacing file 3 "1" "2" ]

        Assert.Equal<(string * string) list>(
            [ file, "#load \"part.fs\"\nlet y = Part.x + 1\nlet z = 2\n" ],
            texts
        )

        match Fix.words outcomes with
        | [ first; "3: applied" ] -> first |> Say.names [ "2: code in run.fsx" ]
        | other -> Assert.Fail $"%A{other}"

module ``Writing`` =
    [<Theory>]
    [<InlineData("utf-8", true)>]
    [<InlineData("utf-8", false)>]
    [<InlineData("utf-16", true)>]
    let ``writing keeps the byte order mark and the ends of lines`` (name: string) (mark: bool) =
        use made = new Made()
        let file = made.Path "A.fs"

        let encoding: Encoding =
            if name = "utf-8" then UTF8Encoding mark else UnicodeEncoding(false, mark)

        File.WriteAllText(file, "module A\r\nlet é = 1\r\n", encoding)

        let texts, _ =
            Fix.plan [ Load.one file ] [ Fix.replacing file 2 "1" "\n    1\n    + 2" ]

        Fixing.write texts

        let expected =
            Array.append
                (encoding.GetPreamble())
                (encoding.GetBytes "module A\r\nlet é = \r\n    1\r\n    + 2\r\n")

        Assert.Equal<byte>(expected, File.ReadAllBytes file)
        Assert.Equal<string>([ file ], Directory.GetFiles(made.Folder, "*A.fs*"))

    [<Fact>]
    let ``writing keeps the rights of the file, and writes the target of a link`` () =
        Assert.SkipWhen(System.OperatingSystem.IsWindows(), "Windows has other rights")
        use made = new Made()
        let file = made.Write("A.fs", "module A\n")

        let rights =
            UnixFileMode.UserRead ||| UnixFileMode.UserWrite ||| UnixFileMode.UserExecute

        File.SetUnixFileMode(file, rights)
        let link = made.Path "Link.fs"
        File.CreateSymbolicLink(link, file) |> ignore

        Fixing.write [ link, "module B\n" ]

        Assert.Equal("module B\n", File.ReadAllText file)
        Assert.Equal(rights, File.GetUnixFileMode file)
        Assert.NotNull(FileInfo(link).LinkTarget)

    [<Fact>]
    let ``writing names a deleted file in the error, and writes the others`` () =
        use made = new Made()
        let file = made.Write("A.fs", "module A\n")
        let gone = made.Path "Gone.fs"

        Assert.Throws<RunFailed>(fun () -> Fixing.write [ gone, "x"; file, "module B\n" ]).Message
        |> Say.names [ gone; "cannot be written" ]

        Assert.Equal("module B\n", File.ReadAllText file)
        Assert.False(File.Exists gone)
