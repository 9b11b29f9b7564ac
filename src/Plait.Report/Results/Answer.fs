// The answer of a run in a sentence: the measures that are judged, and the cost of its rows.
namespace Plait.Report

open System.Globalization
open Plait.Common

/// The rule of the A/A control, the base once more: it must come out as the base does. Each measure is judged by its own.
module ControlRule =
    let private percent (share: float) =
        (100.0 * share).ToString("0.#", CultureInfo.InvariantCulture) + " %"

    /// Whether a ratio that should be 1.00 is: its median misses it by no more than the margin, and its interval is no
    /// wider than the limit.
    let holds (margin: float) (limit: float) (ratio: Measured) : bool =
        match ratio.Low, ratio.High with
        | Some low, Some high ->
            // A value exactly at the edge may be a hair beyond it in binary.
            let hair = 1e-9
            abs (ratio.Value - 1.0) <= margin + hair && high - low <= limit * ratio.Value + hair
        | _ -> false

    let private launches count =
        if count = 1 then "1 more launch" else $"{count} more launches"

    /// The beginning of a sentence about a measure: "Over HTTP".
    let private place (measure: Measure) =
        let word = Word.ofCase measure
        string (System.Char.ToUpperInvariant word[0]) + word.Substring 1

    /// The control of a measure as results have it: `again` is the row that it runs once more, `shown` its figure,
    /// and `asked` the limit of the rule. `added`: launches that were added because it missed.
    let found
        (measure: Measure)
        (held: bool)
        (limit: float)
        (added: int)
        (id: string, again: string)
        (shown: string)
        (asked: string)
        : Control =
        {
            Measure = measure
            Held = held
            Id = id
            Ratio = shown
            Limit = limit
            Added = added
            Sentence =
                if held then
                    let after = if added = 0 then "" else $", after {launches added}"
                    $"A/A control {id}: {shown} {Word.ofCase measure}{after}"
                else
                    let after = if added = 0 then "" else $" after {launches added}"

                    $"{place measure} nothing is judged: the A/A control {id}, {again} once more, came out {shown}{after} instead of 1.00 within {asked}; close other programs and measure again, or longer."
        }

    /// The control of a measure that could not be measured.
    let unmeasured
        (measure: Measure)
        (limit: float)
        (id: string, again: string)
        (why: string option)
        : Control =
        let why = why |> Option.map (fun why -> $" ({why})") |> Option.defaultValue ""

        {
            Measure = measure
            Held = false
            Id = id
            Ratio = ""
            Limit = limit
            Added = 0
            Sentence =
                $"{place measure} nothing is judged: the A/A control {id}, {again} once more, was not measured{why}."
        }

    /// The widest that the interval of a control may be, as a share of its median.
    let widest = 0.1

    /// Judges every measure of the other rows by the control, which is a row. If the control lacks a measure, it did not hold for that
    /// measure. `added`: launches that were added to a measure. Empty: no row is the control, or there are no
    /// ratios.
    let judge (margin: float) (added: Measure -> int) (rows: Row list) : Control list =
        match rows |> List.tryFind (fun row -> row.Family = Family.Control) with
        | None -> []
        | Some control ->
            let names = control.Id, "the base"

            Figures.ratios
            |> List.filter (fun figure ->
                rows |> List.exists (fun row -> row.Family <> Family.Base && (row.Find figure).IsSome))
            |> List.map (fun figure ->
                match control.Find figure with
                | None -> unmeasured figure.Measure widest names control.Reason
                | Some ratio ->
                    found
                        figure.Measure
                        (holds margin widest ratio)
                        widest
                        (added figure.Measure)
                        names
                        (figure.Show ratio)
                        $"{percent margin} and an interval of at most {percent widest}")

    /// The rows, with every figure marked whose measure has a control that did not hold. A figure that does not
    /// depend on other work of the machine is not marked.
    let apply (controls: Control list) (rows: Row list) : Row list =
        let isMarked (figure: Figure) =
            not figure.IsExact
            && figure.Better <> Better.Neither
            && controls
               |> List.exists (fun control -> control.Measure = figure.Measure && not control.Held)

        let marked = Figures.all |> List.filter isMarked |> List.map _.Key |> Set.ofList

        rows
        |> List.map (fun row ->
            { row with
                Figures =
                    row.Figures
                    |> Map.map (fun key measured ->
                        if marked.Contains key then { measured with Verdict = Some NotJudged } else measured)
            })

    /// The controls in a sentence each; all that held share one.
    let sentences (controls: Control list) : string list =
        let held, missed = controls |> List.partition _.Held

        [
            match held with
            | [] -> ()
            | [ one ] -> one.Sentence + "."
            | first :: _ ->
                let all =
                    held
                    |> List.map (fun control ->
                        let after = if control.Added = 0 then "" else $" after {launches control.Added}"
                        $"{control.Ratio} {Word.ofCase control.Measure}{after}")
                    |> String.concat ", "

                $"A/A control {first.Id}: {all}."

            yield! missed |> List.map _.Sentence
        ]

    /// Why a figure is not judged; None: it is judged, or needs no control.
    let missedOf (controls: Control list) (figure: Figure) : Control option =
        controls
        |> List.tryFind (fun control ->
            control.Measure = figure.Measure && not control.Held && not figure.IsExact)

/// The answer of a run.
module Answer =
    /// The answer, with the measures that are not judged; "": no measure is judged, as the sentences on controls say.
    let among (controls: Control list) (answer: string) : string =
        match controls |> List.partition _.Held with
        | _ when answer = "" -> ""
        | _, [] -> answer
        | [], _ -> ""
        | _, missed ->
            let places =
                missed |> List.map (fun control -> Word.ofCase control.Measure) |> String.concat " and "

            $"{answer.TrimEnd '.'}; {places} nothing is judged."

    /// A ratio in words.
    let times (ratio: float) : string =
        ratio.ToString((if ratio < 1.995 then "0.00" else "0.0"), CultureInfo.InvariantCulture)
        + " x"

    let private most = 4

    /// "strand costs 1.27 x plain code, task 2.4 x, async 5.1 x.": the rows of `preferred`, or the cheapest ones if
    /// none of these was measured. `theBase`: the words for the base. "" without ratios.
    let ofRows (preferred: string list) (theBase: string) (rows: Row list) : string =
        let ranked =
            rows
            |> List.filter (fun row ->
                row.Correct <> Some false
                && not (List.contains row.Family [ Family.Base; Family.Control ]))
            |> List.choose (fun row ->
                row.RankedBy |> Option.map (fun (figure, ratio) -> row, (figure, ratio)))
            |> List.sortBy (fun (_, (_, ratio)) -> ratio.Value)

        let chosen =
            match ranked |> List.filter (fun (row, _) -> List.contains row.Id preferred) with
            | [] -> List.truncate most ranked
            | named -> named

        let said (ratio: Measured) =
            times ratio.Value + (if ratio.Verdict = Some Unresolved then " (not certain)" else "")

        match chosen with
        | [] -> ""
        | (row, (figure, ratio)) :: rest ->
            let over =
                match figure.Measure with
                | Measure.InProcess -> ""
                | Measure.OverHttp -> " in CPU for a request over HTTP"

            let others =
                rest |> List.map (fun (row, (_, ratio)) -> $", {row.Id} {said ratio}") |> String.concat ""

            $"{row.Id} costs {said ratio} {theBase}{others}{over}."
