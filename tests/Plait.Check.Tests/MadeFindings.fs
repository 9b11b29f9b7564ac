// Findings and outcomes as tests make them, in files of a folder that goes away.
module Plait.Check.Tests.MadeFindings

open System
open System.IO

open Plait.Check

/// A new folder that goes away with the value.
type Folder() =
    let path = Directory.CreateTempSubdirectory("plait-check-tests-").FullName
    /// Its full path.
    member _.Path = path
    /// The full path of something in it.
    member _.File(name: string) = Path.Combine(path, name)

    /// Writes a file in it, with line feeds between the lines. Returns its full path.
    member this.Write(name: string, [<ParamArray>] lines: string[]) =
        let file = this.File name
        Directory.CreateDirectory(string (Path.GetDirectoryName file)) |> ignore
        File.WriteAllText(file, String.concat "\n" lines)
        file

    interface IDisposable with
        member _.Dispose() = Directory.Delete(path, true)

/// A place within one line.
let place file line column endColumn : Location =
    { File = file; Line = line; Column = column; EndLine = line; EndColumn = endColumn }

/// A warning with nothing but a place.
let finding rule file line : Finding =
    {
        Rule = rule
        Severity = Severity.Warning
        Location = place file line 5 9
        Message = "it is wrong"
        Path = []
        Advice = "write it right"
        Fix = None
    }

let private rule code severity : RuleInfo =
    {
        Code = code
        Title = $"the rule {code}"
        Summary = $"What {code} is about."
        Severity = severity
    }

/// Rules of three severities.
let rules =
    [ rule "PLT101" Severity.Warning; rule "PLT201" Severity.Warning; rule "PLT403" Severity.Hint ]

/// An outcome in which nothing was found.
let nothing: CheckResult =
    {
        Rules = Suppressions.rules @ rules
        Findings = []
        Hidden = []
        Suppressed = []
        Known = []
        Gone = 0
        Fixes = []
        NewBaseline = None
        Coverage =
            {
                Projects = 1
                Files = 3
                Lines = 1200
                TypeErrors = 2
                LostLines = 0
                Declarations = 40
                NotAnalysed = 1
                Skipped = 5
                Seen = 7
                Tracked = 6
            }
        Unloaded = []
        IsStopped = false
        Unread = []
        Notes = []
        Time = TimeSpan.FromSeconds 1.5
    }
