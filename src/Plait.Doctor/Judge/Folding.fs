// The stacks of all workers as one tree, for the flame graph.
namespace Plait.Doctor

/// A node of folded stacks: the functions of the program and its packages from the outermost inwards.
type FoldedStack =
    {
        Function: string
        Place: (string * int) option
        /// Samples in it and below.
        Samples: int
        /// The call that blocks there; None: it runs, or it is no leaf.
        Kind: BlockKind option
        Children: FoldedStack list
    }

/// Folding stacks.
module internal Folding =
    type private Path =
        {
            /// From the outermost inwards.
            Functions: (string * (string * int) option) list
            Kind: BlockKind option
        }

    let private path (sample: Sample, state: WorkerState) : Path option =
        match state with
        | WorkerState.Idle -> None
        | state ->
            let own = BlockingLines.allFunctions sample.Frames |> List.rev

            Some
                {
                    Functions = (if own.IsEmpty then [ "(the framework's own work)", None ] else own)
                    Kind =
                        match state with
                        | WorkerState.Blocked kind -> Some kind
                        | _ -> None
                }

    let rec private tree (paths: Path list) : FoldedStack list =
        paths
        |> List.groupBy (fun path ->
            List.head path.Functions, (if path.Functions.Length = 1 then path.Kind else None))
        |> List.map (fun (((name, place), kind), members) ->
            {
                Function = name
                Place = place
                Samples = members.Length
                Kind = kind
                Children =
                    members
                    |> List.choose (fun path ->
                        match path.Functions with
                        | _ :: (_ :: _ as inner) -> Some { path with Functions = inner }
                        | _ -> None)
                    |> tree
            })
        |> List.sortByDescending _.Samples

    /// The samples of workers that are not idle, as one tree of the functions of the program and its packages.
    let fold (states: (Sample * WorkerState) list) : FoldedStack list = states |> List.choose path |> tree
