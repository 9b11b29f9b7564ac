// Pure: what the lines that `dotnet` prints say went wrong, project by project.
module Plait.Lab.Scenarios.BuildMessages

open System.IO
open System.Text.RegularExpressions

/// An error of a build.
type Trouble =
    {
        /// Its code: NU1101, FS0039.
        Code: string
        /// What it says.
        Text: string
        /// The full path of the project that it belongs to; None: the line does not say.
        Project: string option
    }

let private shape =
    Regex(
        @"^\s*(?:(?<file>[^:\r\n]*?)(?:\(\d+[^)]*\))?\s*:\s*)?error\s+(?<code>[A-Z]+\d+)\s*:\s*(?<text>.*?)\s*(?:\[(?<project>[^\]]+proj)[^\]]*\])?\s*$",
        RegexOptions.Compiled
    )

// The SDK's own folder is always among the sources, and nobody looks for a package there.
let private packs = Regex(@"[^\s,:]*library-packs(?:,\s*)?", RegexOptions.Compiled)

/// The errors among the lines, in order.
let errors (lines: string list) : Trouble list =
    [
        for line in lines do
            let found = shape.Match line

            if found.Success then
                let owner =
                    [ found.Groups["project"].Value; found.Groups["file"].Value ]
                    |> List.tryFind (fun path -> path.EndsWith "proj")

                {
                    Code = found.Groups["code"].Value
                    Text = packs.Replace(found.Groups["text"].Value, "").TrimEnd(' ', '.')
                    Project = owner |> Option.map Path.GetFullPath
                }
    ]

/// The first error of a project.
let first (project: string) (troubles: Trouble list) : Trouble option =
    troubles |> List.tryFind (fun trouble -> trouble.Project = Some project)

/// Whether an error is one of fetching packages.
let isOfPackages (trouble: Trouble) : bool = trouble.Code.StartsWith "NU"
