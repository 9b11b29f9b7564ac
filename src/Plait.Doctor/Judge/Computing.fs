// The functions in which workers, and threads outside of the pool, compute, from their samples.
namespace Plait.Doctor

/// A function in which workers, or threads outside of the pool, compute.
type ComputingFunction =
    {
        /// The function's name in the source: "Routes.shortest".
        Function: string
        /// The line at which most of its samples stand; None: the program came without symbols.
        Place: (string * int) option
        /// The share of the running threads' samples in it, or in code of the framework or of packages that it calls, 0 to 1.
        Share: float
        /// The number of threads outside of the pool that compute in it; 0: workers do.
        Outside: int
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
        let called = BlockingLines.calledFrames frames

        match called |> List.takeWhile _.IsFramework, called with
        // the JIT leaves no frame of Thread.Yield
        | [], own :: _ -> not own.Calls.IsEmpty && own.Calls |> List.forall BlockingCalls.isPoll
        | inner, _ -> inner |> List.exists (fun frame -> BlockingCalls.isPoll frame.Method)

    /// The samples of threads outside of the pool that run code of the program or its packages, by the operating system too.
    let private outside (evidence: Evidence) : Sample list =
        [
            for _, samples in BlockingLines.others evidence do
                let works =
                    BlockingLines.waiting evidence samples.Head
                    |> Option.exists (fun share -> share < WorkerStates.works)

                if works then
                    yield!
                        samples
                        |> List.filter (fun sample ->
                            not (BlockingLines.userFrames sample.Frames).IsEmpty
                            && WorkerStates.state (Some 0.0) sample = WorkerState.Running)
        ]

    /// The functions in which threads compute, those with most samples first.
    let find (evidence: Evidence) (states: (Sample * WorkerState) list) : ComputingFunction list =
        let running =
            [
                for sample, state in states do
                    if state = WorkerState.Running then
                        false, sample

                for sample in outside evidence do
                    true, sample
            ]

        let most (items: 'T list) =
            items |> List.countBy id |> List.maxBy snd |> fst

        running
        |> List.groupBy (fun (isOutside, sample) -> isOutside, fst (BlockingLines.userFunction sample.Frames))
        |> List.map (fun ((isOutside, function'), members) ->
            let samples = List.map snd members
            let stacks = samples |> List.map _.Frames

            let areMost (isOne: Frame list -> bool) =
                2 * (stacks |> List.filter isOne |> List.length) > stacks.Length

            {
                Function = function'
                Place = stacks |> List.map (BlockingLines.userFunction >> snd) |> most
                Share = float samples.Length / float running.Length
                Outside =
                    if isOutside then samples |> List.map _.Thread |> List.distinct |> List.length else 0
                IsThrowing = areMost isThrowing
                IsPolling = areMost isPolling
                Stack = stacks |> List.map BlockingLines.userFrames |> most
            })
        |> List.filter (fun found -> found.Share >= littleShare)
        |> List.sortByDescending _.Share

    /// The clause about threads outside of the pool that compute; "": none does.
    let besides (found: ComputingFunction list) : string =
        match found |> List.filter (fun one -> one.Outside > 0) with
        | [] -> ""
        | [ one ] when one.Outside = 1 -> $"; a thread outside of the pool computes in {one.Function}"
        | [ one ] -> $"; {one.Outside} threads outside of the pool compute in {one.Function}"
        | first :: _ -> $"; threads outside of the pool compute in {first.Function} and in other functions"
