// The functions in which workers compute, from their samples.
namespace Plait.Doctor

/// A function in which workers compute.
type ComputingFunction =
    {
        /// The function's name in the source: "Routes.shortest".
        Function: string
        /// The line at which most of its samples stand; None: the program came without symbols.
        Place: (string * int) option
        /// The share of the running workers' samples in it, or in code of the framework or of packages that it calls, 0 to 1.
        Share: float
        /// Whether most of these throw or catch an exception.
        IsThrowing: bool
        /// The user's frames of one such stack, innermost first: function and place.
        Stack: (string * (string * int) option) list
    }

/// From stacks to functions that compute.
module internal Computations =
    /// A function below this share does not explain the processor time.
    let private littleShare = 0.05

    let private isThrowing (frames: Frame list) =
        frames
        |> List.takeWhile _.IsFramework
        |> List.exists (fun frame ->
            frame.Method.Contains ".Throw"
            || [ "System.Runtime.EH."; "System.Runtime.StackFrameIterator."; "System.Exception." ]
               |> List.exists (fun name -> frame.Method.StartsWith(name, System.StringComparison.Ordinal)))

    /// The functions in which workers compute, those with most samples first.
    let find (states: (Sample * WorkerState) list) : ComputingFunction list =
        let running =
            [
                for sample, state in states do
                    if state = WorkerState.Running then
                        let function', place = BlockingLines.userFunction sample.Frames
                        function', (place, BlockingLines.userFrames sample.Frames, isThrowing sample.Frames)
            ]

        let most (items: 'T list) =
            items |> List.countBy id |> List.maxBy snd |> fst

        running
        |> List.groupBy fst
        |> List.map (fun (function', members) ->
            let seen = List.map snd members

            {
                Function = function'
                Place = seen |> List.map (fun (place, _, _) -> place) |> most
                Share = float seen.Length / float running.Length
                IsThrowing =
                    2 * (seen |> List.filter (fun (_, _, throws) -> throws) |> List.length) > seen.Length
                Stack = seen |> List.map (fun (_, stack, _) -> stack) |> most
            })
        |> List.filter (fun found -> found.Share >= littleShare)
        |> List.sortByDescending _.Share
