// A comparison as data: the scenario, the request to the runner, its messages while it works, and how it may end.
namespace Plait.Lab

open Plait.Report

/// A comparison of candidates that answer one request.
type Scenario =
    {
        /// Its name, as in 'plait lab NAME' and in results.
        Name: string
        /// A heading.
        Title: string
        /// The id of the row that every ratio is against.
        Base: string
        /// The id of the A/A control: the base once more.
        Control: string
        /// The path of the request over HTTP; "" where nothing is served.
        Path: string
        /// The body that every candidate must answer, byte for byte.
        Expected: string
        /// The rows whose right body is another one, by id.
        ExpectedOf: Map<string, string>
        /// Whether wrong statuses are part of the experiment: they are counted, and no reason to give up a row.
        ToleratesErrors: bool
        /// The values of factors that need an explanation.
        Factors: ExplainedFactor list
        /// Wrappers that a request makes if every node, call, function and list step is wrapped, for a row's factors.
        /// None: an operation is not made of wrappers.
        Wrappers: (Map<string, string> -> int) option
        /// The answer of the run, in one sentence, made of its rows.
        Answer: Row list -> string
        /// The panels of the page besides the rows, made of them.
        Panels: Row list -> Panel list
    }

    /// The body that a row must answer.
    member this.BodyOf(id: string) : string =
        Map.tryFind id this.ExpectedOf |> Option.defaultValue this.Expected

/// Everything a run needs besides the scenario.
type ComparisonRequest =
    {
        /// How to measure.
        Settings: Settings
        /// The rows to measure, with the base and the control.
        Rows: RowPlan list
        /// The executable and arguments that become the load generator.
        Generator: string list
        /// The command that the user gave, for the results.
        Command: string
        /// The folder whose SDK and commit are noted.
        Repository: string
    }

/// How a run ended.
type Ending =
    /// Every row was dealt with (some may have failed).
    | Completed
    /// The same, and rules that it was to keep are broken: which.
    | RulesBroken of sentence: string
    /// It was stopped.
    | Stopped
    /// It could not go on; why.
    | Broken of sentence: string

/// One message of a run. They come from one thread at a time.
type Progress =
    /// Another part of the run begins; the steps of the next Began are counted from nothing.
    | Stage of heading: string
    /// The run begins: how many steps it has.
    | Began of steps: int
    /// A step begins: the row, the launch (1, 2, ...; 0: none in particular) and its phase.
    | Doing of row: string * launch: int * phase: string
    /// A step is done; the median of the ratios that it measured, if it measured any.
    | Did of row: string * launch: int * phase: string * ratio: float option
    /// Steps that will not be done after all.
    | Dropped of steps: int
    /// A warning for the reader.
    | Noticed of sentence: string
