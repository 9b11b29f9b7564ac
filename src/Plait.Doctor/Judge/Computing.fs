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
        /// Whether most of these ask for a condition again and again: by Thread.Sleep(0), Thread.Yield or SpinWait.
        IsPolling: bool
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

    // a worker that Thread.Sleep takes off the processor is blocked, and not here
    let private isPolling (frames: Frame list) =
        frames
        |> List.takeWhile _.IsFramework
        |> List.exists (fun frame ->
            [
                "System.Threading.Thread.Sleep"
                "System.Threading.Thread.Yield"
                "System.Threading.Thread.SpinWait"
                "System.Threading.SpinWait."
            ]
            |> List.exists (fun name -> frame.Method.StartsWith(name, System.StringComparison.Ordinal)))

    /// The functions in which workers compute, those with most samples first.
    let find (states: (Sample * WorkerState) list) : ComputingFunction list =
        let running =
            [
                for sample, state in states do
                    if state = WorkerState.Running then
                        let function', place = BlockingLines.userFunction sample.Frames
                        function', (place, sample.Frames)
            ]

        let most (items: 'T list) =
            items |> List.countBy id |> List.maxBy snd |> fst

        running
        |> List.groupBy fst
        |> List.map (fun (function', members) ->
            let seen = List.map snd members

            let areMost (isOne: Frame list -> bool) =
                2 * (seen |> List.filter (snd >> isOne) |> List.length) > seen.Length

            {
                Function = function'
                Place = seen |> List.map fst |> most
                Share = float seen.Length / float running.Length
                IsThrowing = areMost isThrowing
                IsPolling = areMost isPolling
                Stack = seen |> List.map (snd >> BlockingLines.userFrames) |> most
            })
        |> List.filter (fun found -> found.Share >= littleShare)
        |> List.sortByDescending _.Share
