// A user's own scenario: the programs that run, the ones that are compared, their load and the right answers.
namespace Plait.Lab

open System.Text
open System.Text.Json.Serialization

open Plait.Load
open Plait.Common
open Plait.Report

/// How it is known that a program serves.
type Readiness =
    /// It writes a line that holds this text.
    | Line of string
    /// This URL is answered, with any status.
    | Answer of string
    /// Its port takes connections.
    | Listens

/// The protocol of a program.
type Protocol =
    /// It is any server of HTTP.
    | Http
    /// It reads and writes the lines of candidates/README.md, and serves HTTP on request.
    | Worker

/// The core that a program is bound to.
type ProgramCore =
    /// The core of the measured program.
    | [<Word "server">] OnServerCore
    /// That of the load generator.
    | [<Word "client">] OnClientCore
    /// None in particular.
    | [<Word "any">] OnAnyCore

/// A program that is run beside the measuring, or measured.
type ScenarioProgram =
    {
        Name: string
        Label: string
        Family: Family
        Protocol: Protocol
        Command: string
        Arguments: string list
        Variables: (string * string) list
        /// Full path.
        Folder: string
        Ready: Readiness
        Core: ProgramCore
    }

/// A value of a factor: the arguments and variables that it adds to the command of every candidate.
type FactorValue =
    {
        Name: string
        [<JsonPropertyName "env">]
        Variables: (string * string) list
        [<JsonPropertyName "args">]
        Arguments: string list
    }

/// Something that may be one way or another.
type Factor = { Name: string; Values: FactorValue list }

/// A request without its address.
type ScenarioRequest = { Method: string; Path: string; Headers: (string * string) list; Body: string }

/// The checks of an answer.
type Checks =
    {
        /// Statuses; empty: 200 to 399.
        Status: int list
        /// The body; None: any.
        Body: string option
        /// Whether every candidate must answer with the same body as the base.
        SameBody: bool
    }

/// The measures besides CPU.
[<RequireQualifiedAccess>]
type ScenarioMetric =
    | Bytes
    | Counters
    | Latency

/// A scenario as a file.
type ScenarioFile =
    {
        Name: string
        Title: string
        Base: string
        Services: ScenarioProgram list
        Candidates: ScenarioProgram list
        Factors: Factor list
        Requests: ScenarioRequest list
        Model: Model
        TimeoutSeconds: float
        Checks: Checks
        /// The rules that every row has to keep, over all of its slices.
        Rules: Rule list
        /// The measures besides CPU.
        Metrics: ScenarioMetric list
        Settings: Settings
    }

/// Texts in one.
module ScenarioFile =
    /// The text in place of placeholders, given the ports: {port} is the own one, {port:NAME} that of a service.
    let fill (own: int) (ports: Map<string, int>) (text: string) : string =
        ports
        |> Map.fold
            (fun (text: string) name (port: int) -> text.Replace($"{{port:{name}}}", string port))
            (text.Replace("{port}", string own))

    /// The bytes of a text.
    let bytes (text: string) : byte[] = Encoding.UTF8.GetBytes text
