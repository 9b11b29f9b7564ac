// Layer: host. The work of the published benchmark besides evaluating, each a switch of the process that is off by default:
// logging to the console, a table of functions for each request, indented JSON as plain text, a trace of every call.
namespace Plait.Lab.Host

open System
open System.IO
open System.Text.Json

/// How a call of a library function is traced.
type Trace =
    {
        /// The file that records are appended to.
        File: string
        /// Whether each record is forced to the disk before its call returns, as a database commits; else the system may
        /// keep it in memory.
        Durable: bool
    }

/// The switches of a process.
type Defects =
    {
        /// Log to the console at level Debug.
        Logging: bool
        /// Make the table of functions anew for every request.
        TablePerRequest: bool
        /// Write JSON indented, and call it plain text.
        Indented: bool
        /// Record every call of a function that only computes.
        Trace: Trace option
    }

    /// All off.
    static member None =
        { Logging = false; TablePerRequest = false; Indented = false; Trace = None }

    /// The switches of this process; set once, before anything is evaluated.
    static member val Current = Defects.None with get, set

/// Reading switches from arguments.
module Defects =

    let private traced (file: string) durable (defects: Defects) =
        if Path.IsPathFullyQualified file then
            Some { defects with Trace = Some { File = file; Durable = durable } }
        else
            None

    /// The switches with the one that an argument is; None: it is none.
    let read (defects: Defects) (argument: string) : Defects option =
        match argument.Split([| '=' |], 2) with
        | [| "--logging" |] -> Some { defects with Logging = true }
        | [| "--fn-table"; "per-request" |] -> Some { defects with TablePerRequest = true }
        | [| "--fn-table"; "once" |] -> Some { defects with TablePerRequest = false }
        | [| "--json"; "indented" |] -> Some { defects with Indented = true }
        | [| "--json"; "compact" |] -> Some { defects with Indented = false }
        | [| "--trace-written"; file |] -> traced file false defects
        | [| "--trace-forced"; file |] -> traced file true defects
        | _ -> None

    /// How JSON is written.
    let json () : JsonWriterOptions =
        JsonWriterOptions(Indented = Defects.Current.Indented)

    /// The content type of the answer.
    let contentType () : string =
        if Defects.Current.Indented then "text/plain; charset=utf-8" else "application/json"
