// Bytes for a request: a launch of its own, in which nothing is timed. With the runtime's escape analysis off always;
// with it on as well in runs that measure bytes alone. Two rows run at once, one on each core, because bytes do not depend on
// other processes.
module internal Plait.Lab.ByteCounting

open System
open System.Threading.Tasks

open MathNet.Numerics.Statistics

open Plait.Common

/// One way of counting: the variables of the process, the name of the way, and the place of the figure.
type CountingPass = { Variables: (string * string) list; Phase: string; Keep: MeasuredRow -> float -> unit }

let private withEscape =
    { Variables = []; Phase = "bytes"; Keep = fun row bytes -> row.Bytes <- Some bytes }

let private withoutEscape =
    {
        Variables = [ "DOTNET_JitObjectStackAllocation", "0" ]
        Phase = "bytes without escape analysis"
        Keep = fun row bytes -> row.BytesNoEscape <- Some bytes
    }

/// The passes of a run.
let passes (settings: Settings) : CountingPass list =
    if settings.BytesOnly then [ withEscape; withoutEscape ] else [ withoutEscape ]

// Long enough for the last compilation of hot code, which allocates more boxes before. A shorter warm-up of the settings counts
// here too.
let private warmUpMilliseconds (settings: Settings) =
    min 800L (int64 settings.WarmUp.LimitMilliseconds)

let private sliceMilliseconds = 60

let private measure (context: Context) (pass: CountingPass) (row: MeasuredRow) core =
    let variables = CandidateProcess.Variables @ pass.Variables

    use candidate =
        Start.row context.Settings.PatienceMilliseconds row.Plan variables core

    row.Introduction <- Some candidate.Introduction

    if row.Correct.IsNone then
        AnswerCheck.inProcess context.Scenario row candidate

    let clock = Diagnostics.Stopwatch.StartNew()
    let warmUp = warmUpMilliseconds context.Settings

    // Bytes fall in steps while code is compiled again, and on a busy machine the compiler comes late: nothing is compiled any
    // more and the last three slices agree, for at most eight times the warm-up. Their median, because a slice that hardly
    // got the processor has few requests to share the bytes that the runtime allocates for itself now and then.
    let rec settle (history: Slice list) =
        context.Stop.ThrowIfCancellationRequested()
        let history = candidate.Run("counting bytes", sliceMilliseconds) :: history
        let bytes = history |> List.truncate 3 |> List.map _.BytesPerOperation
        let spent = clock.ElapsedMilliseconds

        let settled =
            spent >= warmUp
            && not (SteadyState.isCompiling (List.rev history))
            && List.max bytes - List.min bytes <= 0.001 * List.min bytes + 8.0

        if settled || spent >= 8L * warmUp then Statistics.Median bytes else settle history

    pass.Keep row (settle [])

/// Measures the rows; one that fails here is only marked.
let run (context: Context) (pass: CountingPass) (rows: MeasuredRow list) =
    let cores = List.distinct [ context.Placement.Server; context.Placement.Client ]
    let phase = pass.Phase

    for batch in List.chunkBySize cores.Length rows do
        for row in batch do
            context.Tell(Doing(row.Plan.Id, 0, phase))

        let one (row: MeasuredRow, core) =
            try
                measure context pass row core
            with :? WorkerFailed as trouble ->
                row.Fail trouble.Message

        let work =
            [|
                for row, core in List.zip batch (List.truncate batch.Length cores) ->
                    Task.Run(fun () -> one (row, core))
            |]

        try
            Task.WaitAll work
        with :? AggregateException as trouble ->
            context.Stop.ThrowIfCancellationRequested()
            raise (trouble.GetBaseException())

        for row in batch do
            context.Tell(Did(row.Plan.Id, 0, phase, None))
