// A diagnosis as JSON, for programs. The records are the description of the format: their fields are its keys, an option that
// is None is left out, and a union is its case in lower-case words. An added key keeps the version; a changed one raises it.
namespace Plait.Doctor

open System
open System.Text.Json

open Plait.Common
open Plait.Report
// Its verdicts and frames are those of a process.
open Plait.Doctor

/// A function on a stack. File and line come from the symbols; without symbols they are left out.
type FunctionJson = { Function: string; File: string option; Line: int option }

/// A line that blocks workers.
type BlockingLineJson =
    {
        Kind: BlockKind
        /// The same in words.
        Says: string
        Function: string
        File: string option
        Line: int option
        /// The assembly of the package whose code blocks there.
        Package: string option
        /// The package's function that the program called.
        Calls: string option
        Workers: int
        /// The thread outside of the pool in this line, for which workers wait; None: workers are in it.
        Thread: int option
        /// The name and the holder of the mutex that the workers wait for, in words.
        HeldBy: string option
        Awaits: string option
        Compensated: bool
        Remedy: string
        Rule: string option
        /// The user's frames of one such stack, innermost first.
        Stack: FunctionJson list
    }

/// A function in which workers, or threads outside of the pool, compute.
type ComputingJson =
    {
        Function: string
        File: string option
        Line: int option
        Share: float
        Outside: int
        IsThrowing: bool
        IsPolling: bool
        /// The user's frames of one such stack, innermost first.
        Stack: FunctionJson list
    }

/// A thread outside of the pool that waits for others, or a deadlocked thread of any kind.
type WaiterJson =
    {
        Thread: int
        IsMain: bool
        IsWorker: bool
        IsFinalizer: bool
        Kind: BlockKind
        /// The same in words.
        Says: string
        Function: string
        File: string option
        Line: int option
        /// The user's frames, innermost first.
        Stack: FunctionJson list
        Context: string option
        IsHung: bool
        /// The object of its deadlock: "task", "thread", "lock", "lock on TYPE", "scheduler TYPE".
        HeldUpBy: string option
        /// The threads that would have to continue first.
        WaitsForThreads: int list
        WaitsForSeconds: float option
    }

/// A node of folded stacks.
type FoldedJson =
    {
        Function: string
        File: string option
        Line: int option
        Samples: int
        Kind: BlockKind option
        Children: FoldedJson list
    }

/// The whole of a diagnosis.
type LookJson =
    {
        /// The format and its version: plait-doctor/1.
        Schema: string
        Process: ProcessFacts
        Route: Route
        /// When the look began, UTC.
        At: string
        Milliseconds: float
        /// healthy, starved, cpu-bound, late, lock convoy, hung, failed or no answer.
        Verdict: string
        Why: string
        Numbers: Numbers
        Readings: PoolReading list
        Adjustments: Adjustment list
        Stops: Stops option
        Ended: ProgramEnd option
        Blames: BlockingLineJson list
        Computing: ComputingJson list
        Waiters: WaiterJson list
        Cost: string option
        Folded: FoldedJson list
        Notes: string list
    }

/// Writing it.
module DiagnosisJson =
    /// The format and its version.
    [<Literal>]
    let Schema = "plait-doctor/1"

    let private options = UnionJson.options [] true false

    let private fileOf (place: (string * int) option) = Option.map fst place
    let private lineOf (place: (string * int) option) = Option.map snd place

    let private functions (stack: (string * (string * int) option) list) : FunctionJson list =
        [ for name, place in stack -> { Function = name; File = fileOf place; Line = lineOf place } ]

    let private blockingLine (blockingLine: BlockingLine) : BlockingLineJson =
        {
            Kind = blockingLine.Kind
            Says = DiagnosisWords.kind blockingLine.Kind
            Function = blockingLine.Function
            File = fileOf blockingLine.Place
            Line = lineOf blockingLine.Place
            Package = blockingLine.Package |> Option.map _.Assembly
            Calls =
                blockingLine.Package
                |> Option.map (fun call -> defaultArg call.Called blockingLine.Function)
            Workers = blockingLine.Workers
            Thread = blockingLine.Outside |> Option.map _.Thread
            HeldBy =
                match blockingLine with
                | { Outside = None; Held = Some lock } when lock.Holder <> Holder.Unknown ->
                    DiagnosisWords.beside blockingLine
                | _ -> None
            Awaits = blockingLine.Awaited
            Compensated = blockingLine.Compensated
            Remedy = blockingLine.Remedy
            Rule = blockingLine.Rule
            Stack = functions blockingLine.Stack
        }

    let private computing (found: ComputingFunction) : ComputingJson =
        {
            Function = found.Function
            File = fileOf found.Place
            Line = lineOf found.Place
            Share = found.Share
            Outside = found.Outside
            IsThrowing = found.IsThrowing
            IsPolling = found.IsPolling
            Stack = functions found.Stack
        }

    let private waiter (waiter: WaitingThread) : WaiterJson =
        {
            Thread = waiter.Thread
            IsMain = waiter.IsMain
            IsWorker = waiter.IsWorker
            IsFinalizer = waiter.IsFinalizer
            Kind = waiter.Kind
            Says = DiagnosisWords.kind waiter.Kind
            Function = waiter.Function
            File = fileOf waiter.Place
            Line = lineOf waiter.Place
            Stack = functions waiter.Stack
            Context = waiter.Context
            IsHung = waiter.IsHung
            HeldUpBy =
                waiter.Deadlock
                |> Option.map (fun deadlock ->
                    match deadlock.WaitsFor with
                    | WaitObject.Task -> "task"
                    | WaitObject.Thread -> "thread"
                    | WaitObject.Initializer -> "static constructor"
                    | WaitObject.Scheduler scheduler -> $"scheduler {scheduler}"
                    | WaitObject.Lock object -> WaitWords.lock object
                    | WaitObject.AbandonedLock object -> $"abandoned {WaitWords.lock object}")
            WaitsForThreads = waiter.Deadlock |> Option.map _.BlockedBy |> Option.defaultValue []
            WaitsForSeconds = waiter.WaitsForSeconds
        }

    let rec private folded (depth: int) (stack: FoldedStack) : FoldedJson =
        {
            Function = stack.Function
            File = fileOf stack.Place
            Line = lineOf stack.Place
            Samples = stack.Samples
            Kind = stack.Kind
            Children =
                if depth >= DiagnosisWords.deepest then
                    []
                else
                    stack.Children |> List.map (folded (depth + 1))
        }

    // JSON has no NaN and no infinity.
    let private finite = Option.filter Double.IsFinite

    let private numbers (numbers: Numbers) : Numbers =
        { numbers with
            CompletedPerSecond = finite numbers.CompletedPerSecond
            CpuPercent = finite numbers.CpuPercent
            InjectedPerSecond = finite numbers.InjectedPerSecond
            ContentionsPerSecond = finite numbers.ContentionsPerSecond
            WaitSeconds = finite numbers.WaitSeconds
        }

    let private isFinite (reading: PoolReading) =
        [
            Some reading.AtMilliseconds
            reading.CompletedPerSecond
            reading.CpuPercent
            reading.ContentionsPerSecond
        ]
        |> List.choose id
        |> List.forall Double.IsFinite

    /// The text, indented, with a line feed at the end. It has no stack of a single thread; `folded` has all stacks.
    let write (diagnosis: Diagnosis) : string =
        let evidence = diagnosis.Evidence

        let json =
            {
                Schema = Schema
                Process = evidence.Process
                Route = evidence.Route
                At = Results.Stamp evidence.At
                Milliseconds = evidence.Milliseconds
                Verdict = (DiagnosisWords.verdict diagnosis.Verdict).ToLowerInvariant()
                Why = diagnosis.Why
                Numbers = numbers diagnosis.Numbers
                Readings = evidence.Readings |> List.filter isFinite
                Adjustments = evidence.Adjustments
                Stops = evidence.Stops
                Ended = evidence.Ended
                Blames = diagnosis.BlockingLines |> List.map blockingLine
                Computing = diagnosis.Computing |> List.map computing
                Waiters = diagnosis.Waiters |> List.map waiter
                Cost = diagnosis.Cost
                Folded = diagnosis.Folded |> List.map (folded 1)
                Notes = evidence.Notes
            }

        JsonSerializer.Serialize(json, options) + "\n"
