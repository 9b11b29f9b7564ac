// The defects of the published benchmark as switches of a row: what its process is told, where its client runs, and what
// body is right then.
namespace Plait.Lab.Scenarios

/// How the calls of functions that only compute are recorded in a file.
type TracePolicy =
    /// They are not.
    | Untraced
    /// Written to the file; the system keeps them in memory until it likes.
    | Written
    /// Written and forced to the disk, one by one, before the call returns.
    | Forced

/// What differs in a row besides its candidate.
type Switches =
    {
        /// Logging to the console at level Debug, several lines a request.
        Logging: bool
        /// The table of functions is made anew for every request.
        TablePerRequest: bool
        /// JSON is indented, and sent as plain text.
        Indented: bool
        /// The load client shares the server's core.
        ClientOnServer: bool
        /// Whether and how calls are recorded.
        Trace: TracePolicy
        /// The file that they are recorded in.
        TraceFile: string
    }

/// Combining switches.
module Switches =
    /// All off.
    let none: Switches =
        {
            Logging = false
            TablePerRequest = false
            Indented = false
            ClientOnServer = false
            Trace = Untraced
            TraceFile = ""
        }

    /// The arguments of a process with these switches.
    let arguments (switches: Switches) : string list =
        [
            if switches.Logging then
                "--logging"
            if switches.TablePerRequest then
                "--fn-table=per-request"
            if switches.Indented then
                "--json=indented"
            match switches.Trace with
            | Untraced -> ()
            | Written -> $"--trace-written={switches.TraceFile}"
            | Forced -> $"--trace-forced={switches.TraceFile}"
        ]

    /// What is on, each as its option reads.
    let names (switches: Switches) : string list =
        [
            if switches.Logging then
                "logging"
            if switches.TablePerRequest then
                "fn-table=per-request"
            if switches.Indented then
                "json=indented"
            if switches.ClientOnServer then
                "client-on-server-cores"
            match switches.Trace with
            | Untraced -> ()
            | Written -> "traced=written"
            | Forced -> "traced=forced"
        ]
