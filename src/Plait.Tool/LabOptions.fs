// The options that several scenarios of the lab have. A verb gives the words that are its own; what an option is called, takes
// and sets is said here.
module internal Plait.Tool.LabOptions

open System
open System.CommandLine
open System.IO

open Plait.Lab.Scenarios

let private ranges = Settings.ranges

/// --quick; `means`: what is less then.
let quick (means: string) : Option<bool> = Options.flag "--quick" means

/// --only; `means`: what is measured then.
let only (means: string) : Option<string list> = Options.names "--only" means

/// --skip; `what` it leaves out.
let skip (what: string) : Option<string list> =
    Options.names "--skip" $"leave these {what} out"

/// --out, for a scenario with its usual folder.
let out (scenario: string) : Option<string option> =
    Options.text
        "--out"
        "DIR"
        $"the folder to write to; default: artifacts/lab/{scenario}-<time>, with a copy in artifacts/lab/{scenario}-latest"

/// --json
let json: Option<string option> =
    Options.text "--json" "FILE" "write results.json to this file as well"

/// --candidates; `means`: what lies in the folder.
let candidates (means: string) : Option<string option> = Options.text "--candidates" "DIR" means

/// The folder of candidates that is named, or the usual one.
let candidatesFolder (parsed: ParseResult) (option: Option<string option>) : string =
    Options.value parsed option
    |> Option.defaultWith (fun () ->
        Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))

/// --seed; `means`: what it is the seed of.
let seed (means: string) : Option<int option> =
    Options.number "--seed" [] "N" ranges.Seed means

/// --launches; `means`: of what they are.
let launches (means: string) : Option<int option> =
    Options.number "--launches" [] "N" ranges.Launches means

/// --connections; `means`: what they are for.
let connections (means: string) : Option<int option> =
    Options.number "--connections" [] "N" ranges.Connections means

/// --patience
let patience: Option<int option> =
    Options.number
        "--patience"
        []
        "MS"
        ranges.PatienceMilliseconds
        "milliseconds that a process may take to answer before it counts as hanging"

/// --width; `means`: what it asks for.
let width (means: string) : Option<float option> =
    Options.fraction "--width" "W" ranges.Width means

/// --margin; `means`: what it is.
let margin (means: string) : Option<float option> =
    Options.fraction "--margin" "M" ranges.Margin means
