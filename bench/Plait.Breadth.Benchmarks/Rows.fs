// The rows of the suites that are written by several builders.
module Plait.Benchmarks.Rows

open System.Threading
open System.Threading.Tasks

/// The title of the report, and the command that renews it.
let title, renew =
    "Results, cancellable functions, time and attempts, in turn, by the time of the processor", "make bench"

/// Results: the limit of a step's argument, which is an Error beyond it, and the number of operations.
type ResultWay =
    {
        Name: string
        Steps: int -> int -> Task
        StepsLater: int -> int -> Task
        Validations: int -> int -> Task
    }

/// Each way to write code over results, the base first.
let results =
    [
        {
            Name = "task, by hand"
            Steps = TasksByHand.steps
            StepsLater = TasksByHand.stepsLater
            Validations = TasksByHand.validations
        }
        {
            Name = "taskResult"
            Steps = TaskResults.steps
            StepsLater = TaskResults.stepsLater
            Validations = TaskResults.validations
        }
        {
            Name = "pooledValueTask, by hand"
            Steps = PooledByHand.steps
            StepsLater = PooledByHand.stepsLater
            Validations = PooledByHand.validations
        }
        {
            Name = "pooledValueTaskResult"
            Steps = PooledValueTaskResults.steps
            StepsLater = PooledValueTaskResults.stepsLater
            Validations = PooledValueTaskResults.validations
        }
        {
            Name = "strandResult"
            Steps = StrandResults.steps
            StepsLater = StrandResults.stepsLater
            Validations = StrandResults.validations
        }
    ]

/// Functions that start an operation.
type StartWay =
    {
        Name: string
        Starts: CancellationToken -> int -> Task
        Kept: CancellationToken -> int -> Task
        Twos: CancellationToken -> int -> Task
        TwosLater: CancellationToken -> int -> Task
    }

/// Each way to write a function that starts an operation, the base first.
let starts =
    [
        {
            Name = "task of a token"
            Starts = TaskFunctions.starts
            Kept = TaskFunctions.kept
            Twos = TaskFunctions.twos
            TwosLater = TaskFunctions.twosLater
        }
        {
            Name = "pooledTask of a token"
            Starts = PooledTaskFunctions.starts
            Kept = PooledTaskFunctions.kept
            Twos = PooledTaskFunctions.twos
            TwosLater = PooledTaskFunctions.twosLater
        }
        {
            Name = "coldTask"
            Starts = ColdTasks.starts
            Kept = ColdTasks.kept
            Twos = ColdTasks.twos
            TwosLater = ColdTasks.twosLater
        }
        {
            Name = "cancellableTask"
            Starts = CancellableTasks.starts
            Kept = CancellableTasks.kept
            Twos = CancellableTasks.twos
            TwosLater = CancellableTasks.twosLater
        }
        {
            Name = "pooledValueTask of a token"
            Starts = PooledValueTaskFunctions.starts
            Kept = PooledValueTaskFunctions.kept
            Twos = PooledValueTaskFunctions.twos
            TwosLater = PooledValueTaskFunctions.twosLater
        }
        {
            Name = "cancellableValueTask"
            Starts = CancellableValueTasks.starts
            Kept = CancellableValueTasks.kept
            Twos = CancellableValueTasks.twos
            TwosLater = CancellableValueTasks.twosLater
        }
    ]
