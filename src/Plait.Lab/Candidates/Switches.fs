// The switches of a row: the defects of the published benchmark that can be turned on, and the recording of calls.
namespace Plait.Lab

/// A defect that can be turned on.
[<RequireQualifiedAccess>]
type Switch =
    /// Logging to the console at level Debug, several lines a request.
    | Logging
    /// The table of functions is made anew for every request.
    | TablePerRequest
    /// JSON is indented, and sent as plain text.
    | Indented
    /// The load generator shares the server's core.
    | ClientOnServer

/// The names of switches.
module Switch =
    /// All of them, in their order in lists.
    let all =
        [ Switch.Logging; Switch.TablePerRequest; Switch.Indented; Switch.ClientOnServer ]

    /// Its name, as its option reads.
    let name (switch: Switch) : string =
        match switch with
        | Switch.Logging -> "logging"
        | Switch.TablePerRequest -> "fn-table=per-request"
        | Switch.Indented -> "answers=indented"
        | Switch.ClientOnServer -> "client-on-server-cores"

    /// The argument of the candidate's process; None: it is the load generator that differs.
    let argument (switch: Switch) : string option =
        match switch with
        | Switch.Logging -> Some "--logging"
        | Switch.TablePerRequest -> Some "--fn-table=per-request"
        | Switch.Indented -> Some "--json=indented"
        | Switch.ClientOnServer -> None

/// How the calls of functions that only compute are recorded in a file.
type TracePolicy =
    /// They are not.
    | Untraced
    /// Written to the file; the system may keep them in memory for any time.
    | Written of file: string
    /// Written and forced to the disk, one by one, before the call returns.
    | Forced of file: string

/// The factors of a row besides its candidate.
type Switches =
    {
        On: Set<Switch>
        Trace: TracePolicy
    }

    /// Whether a switch is on.
    member this.Has(switch: Switch) : bool = this.On.Contains switch

/// Combining switches.
module Switches =
    /// These switches, without recording.
    let ofList (switches: Switch list) : Switches =
        { On = Set.ofList switches; Trace = Untraced }

    /// All off.
    let none: Switches = ofList []

    /// The arguments of a process with these switches.
    let arguments (switches: Switches) : string list =
        [
            yield! switches.On |> Seq.choose Switch.argument

            match switches.Trace with
            | Untraced -> ()
            | Written file -> $"--trace-written={file}"
            | Forced file -> $"--trace-forced={file}"
        ]

    /// The switches that are on, each as its option.
    let names (switches: Switches) : string list =
        [
            yield! switches.On |> Seq.map Switch.name

            match switches.Trace with
            | Untraced -> ()
            | Written _ -> "traced=written"
            | Forced _ -> "traced=forced"
        ]
