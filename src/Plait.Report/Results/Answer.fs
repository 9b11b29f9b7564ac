// What a run says in a sentence: whether its control held, and what its rows cost.
namespace Plait.Report

open System.Globalization

/// The rule of the A/A control: it must come out as the base does. A run whose control does not judges nothing.
module ControlRule =
    let private percent (share: float) =
        (100.0 * share).ToString("0.#", CultureInfo.InvariantCulture) + " %"

    /// Whether a ratio that should be 1.00 is: its median misses it by no more than the margin, and its interval is no
    /// wider than the limit.
    let holds (margin: float) (limit: float) (ratio: Measured) : bool =
        match ratio.Low, ratio.High with
        | Some low, Some high ->
            // What is exactly at the edge may be a hair beyond it in binary.
            let hair = 1e-9
            abs (ratio.Value - 1.0) <= margin + hair && high - low <= limit * ratio.Value + hair
        | _ -> false

    /// What to do where it does not hold.
    let remedy =
        "so this run judges nothing; close other programs and measure again, longer or with more launches"

    /// The control as results have it: `again` is what it runs once more, `shown` how it came out, and `asked` what the rule
    /// asks for besides.
    let found
        (held: bool)
        (limit: float)
        (id: string)
        (again: string)
        (shown: string)
        (asked: string)
        : Control =
        {
            Held = held
            Limit = limit
            Sentence =
                if held then
                    $"A/A control {id}: {shown}"
                else
                    $"The A/A control {id}, which is {again} once more, came out {shown} instead of 1.00 within {asked}, {remedy}."
        }

    /// The control of a run that has it and could not measure it: `place` is where, `row` its row.
    let unmeasured
        (limit: float)
        (id: string)
        (again: string)
        (place: string)
        (why: string option)
        : Control =
        let why = why |> Option.map (fun why -> $" ({why})") |> Option.defaultValue ""

        {
            Held = false
            Limit = limit
            Sentence =
                $"The A/A control {id}, which is {again} once more, was not measured{place}{why}, so this run judges nothing."
        }

    /// The widest that the interval of a control may be, as a share of its median.
    let widest = 0.1

    /// Judges by the row that is the control; a ratio that other rows have and the control has not is a control that did not
    /// hold. None: no row is the control, or there are no ratios.
    let judge (margin: float) (rows: Row list) : Control option =
        let needed =
            [ Figures.cpuRatio; Figures.httpCpuRatio ]
            |> List.filter (fun figure ->
                rows |> List.exists (fun row -> row.Family <> Family.Base && (row.Find figure).IsSome))

        rows
        |> List.tryFind (fun row -> row.Family = Family.Control)
        |> Option.filter (fun _ -> not needed.IsEmpty)
        |> Option.map (fun row ->
            match needed |> List.tryFind (fun figure -> (row.Find figure).IsNone) with
            | Some figure -> unmeasured widest row.Id "the base" $" {Word.ofCase figure.Place}" row.Reason
            | None ->

                let ratios =
                    needed
                    |> List.choose (fun figure -> row.Find figure |> Option.map (fun ratio -> figure, ratio))

                let shown =
                    ratios
                    |> List.map (fun (figure, ratio) ->
                        let interval =
                            if ratio.Low.IsSome then figure.Show ratio else figure.Show ratio.Value

                        $"{interval} {Word.ofCase figure.Place}")
                    |> String.concat ", "

                let held = ratios |> List.forall (fun (_, ratio) -> holds margin widest ratio)
                let asked = $"{percent margin} and an interval of at most {percent widest}"
                found held widest row.Id "the base" shown asked)

    /// The rows without verdicts where the control did not hold.
    let apply (control: Control option) (rows: Row list) : Row list =
        if control |> Option.forall _.Held then
            rows
        else
            rows
            |> List.map (fun row ->
                { row with
                    Figures = row.Figures |> Map.map (fun _ figure -> { figure with Verdict = None })
                })

/// The answer of a run.
module Answer =
    /// A ratio as people say it.
    let times (ratio: float) : string =
        ratio.ToString((if ratio < 1.995 then "0.00" else "0.0"), CultureInfo.InvariantCulture)
        + " x"

    let private most = 4

    /// "strand costs 1.27 x plain code, task 2.4 x, async 5.1 x.": the rows of `preferred`, or the cheapest ones where
    /// none of those was measured. `theBase`: what the base is called. "" without ratios.
    let ofRows (preferred: string list) (theBase: string) (rows: Row list) : string =
        let ranked =
            rows
            |> List.filter (fun row ->
                row.Correct <> Some false
                && not row.SyncFn
                && not (List.contains row.Family [ Family.Base; Family.Control ]))
            |> List.choose (fun row -> row.Ratio |> Option.map (fun ratio -> row, ratio))
            |> List.sortBy (fun (_, ratio) -> ratio.Value)

        let chosen =
            match ranked |> List.filter (fun (row, _) -> List.contains row.Id preferred) with
            | [] -> List.truncate most ranked
            | named -> named

        let said (ratio: Measured) =
            times ratio.Value + (if ratio.Verdict = Some Unresolved then " (not certain)" else "")

        match chosen with
        | [] -> ""
        | (row, ratio) :: rest ->
            let over =
                if (row.Find Figures.cpuRatio).IsSome then "" else " in CPU for a request over HTTP"

            let others =
                rest |> List.map (fun (row, ratio) -> $", {row.Id} {said ratio}") |> String.concat ""

            $"{row.Id} costs {said ratio} {theBase}{others}{over}."
