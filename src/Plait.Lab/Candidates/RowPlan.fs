// The rows of a run: a candidate with its factors and its switches, and how names on the command line choose them.
namespace Plait.Lab

open Plait.Common

/// The plan of one row of a comparison.
type RowPlan =
    {
        /// The candidate's name, with the value of each factor behind it: strand+sync-fn.
        Id: string
        /// The candidate that is run.
        Candidate: Candidate
        /// The factors whose value is not that of the candidate's plain row, by name.
        Factors: (string * string) list
        /// The defects that are on.
        Switches: Switches
        /// Whether it is measured in process only, in a run that measures in process and over HTTP.
        SkipsHttp: bool
    }

    /// The arguments of its process.
    member this.Arguments =
        this.Candidate.Arguments
        @ (this.Factors |> List.map (fun (_, value) -> $"--{value}"))
        @ Switches.arguments this.Switches

/// Rows of candidates.
module RowPlan =
    /// A candidate's row without factors.
    let ofCandidate (candidate: Candidate) : RowPlan =
        {
            Id = candidate.Name
            Candidate = candidate
            Factors = []
            Switches = Switches.none
            SkipsHttp = false
        }

    let private rowsOf (candidate: Candidate) =
        [
            ofCandidate candidate

            for factor, value in candidate.Factors do
                { ofCandidate candidate with
                    Id = $"{candidate.Name}+{value}"
                    Factors = [ factor, value ]
                }
        ]

    /// The names of a candidate's rows.
    let namesOf (candidate: Candidate) : string list = rowsOf candidate |> List.map _.Id

    /// Every row of the candidates, in their order.
    let ofCandidates (candidates: Candidate list) : RowPlan list = candidates |> List.collect rowsOf

    let private check (listing: string) (option: string) (rows: RowPlan list) (names: string list) =
        let known =
            (rows |> List.map _.Candidate.Name) @ (rows |> List.map _.Id) |> List.distinct

        for name in names do
            if not (List.contains name known) then
                let hint = NearestName.hint known $"{listing} shows them all" name
                raise (BadInput $"{option}: there is no candidate '{name}'; {hint}")

    let private names (row: RowPlan) = [ row.Id; row.Candidate.Name ]

    /// The rows of a run: those named in `only` (all when it is empty) without those in `skip`. A candidate's name
    /// stands for all its rows, a row's id for that row. The rows of `always` (the base and the control) always stay.
    /// Raises BadInput for a name that is not known, for one of `always` in `skip`, and when a row of `always` does
    /// not exist. `listing`: the command that shows all names.
    let chooseFrom
        (listing: string)
        (always: string list)
        (only: string list)
        (skip: string list)
        candidates
        =
        let rows = ofCandidates candidates
        check listing "--only" rows only
        check listing "--skip" rows skip

        for id in always do
            if rows |> List.forall (fun row -> row.Id <> id) then
                raise (
                    BadInput
                        $"the candidate '{id}' is missing, and every comparison needs it; build all candidates with 'make build'"
                )

        match skip |> List.tryFind (fun name -> List.contains name always) with
        | Some name ->
            raise (
                BadInput
                    $"--skip: '{name}' is the base or the A/A control of every ratio and is always measured; leave it out of --skip"
            )
        | None -> ()

        let isIn (list: string list) row =
            names row |> List.exists (fun name -> List.contains name list)

        rows
        |> List.filter (fun row ->
            List.contains row.Id always || ((only.IsEmpty || isIn only row) && not (isIn skip row)))

    /// The same among the candidates of fizzbuzz.
    let choose (always: string list) (only: string list) (skip: string list) (candidates: Candidate list) =
        chooseFrom "'plait lab list'" always only skip candidates
