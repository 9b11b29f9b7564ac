// A comparison as data: what the runner needs to know of an experiment.
namespace Plait.Lab.Scenarios

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
        /// Wrappers that a request makes if every node, call, function and list step is wrapped; true: with sync-fn.
        /// None: an operation is not made of wrappers.
        Wrappers: (bool -> int) option
        /// What was published before, for the page.
        Published: PublishedRow list
        /// What the run found, in one sentence, made of its rows.
        Answer: Row list -> string
        /// What the page shows besides the rows, made of them.
        Panels: Row list -> Panel list
    }

    /// The body that a row must answer.
    member this.BodyOf(id: string) : string =
        Map.tryFind id this.ExpectedOf |> Option.defaultValue this.Expected
