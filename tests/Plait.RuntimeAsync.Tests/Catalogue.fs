// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

open System.Threading.Tasks

/// One builder of each kind; in Release every builder, and two of Plait's own.
let subjects: Subject list =
    [
        RuntimeTasks.Subjects.subject
        RuntimeBackgroundTasks.Subjects.subject
        NonAffineRuntimeValueTasks.Subjects.subject
        GuardedRuntimeTasks.Subjects.subject
        RuntimeValueTaskUnits.Subjects.subject
#if !DEBUG
        RuntimeValueTasks.Subjects.subject
        NonAffineRuntimeTasks.Subjects.subject
        NonAffineRuntimeBackgroundTasks.Subjects.subject
        GuardedRuntimeValueTasks.Subjects.subject
        GuardedRuntimeBackgroundTasks.Subjects.subject
        RuntimeTaskUnits.Subjects.subject
        RuntimeBackgroundTaskUnits.Subjects.subject
        NonAffineRuntimeTaskUnits.Subjects.subject
        NonAffineRuntimeValueTaskUnits.Subjects.subject
        NonAffineRuntimeBackgroundTaskUnits.Subjects.subject
        GuardedRuntimeTaskUnits.Subjects.subject
        GuardedRuntimeValueTaskUnits.Subjects.subject
        GuardedRuntimeBackgroundTaskUnits.Subjects.subject
        RuntimeTaskResults.Subjects.subject
        NonAffineRuntimeValueTaskResults.Subjects.subject
        PooledValueTasks.Subjects.subject
        Strand.Subjects.subject
#endif
    ]

/// Those of `subjects` with a result.
let results: ResultSubject list =
    [
        RuntimeTasks.ResultSubjects.subject
        RuntimeBackgroundTasks.ResultSubjects.subject
        NonAffineRuntimeValueTasks.ResultSubjects.subject
        GuardedRuntimeTasks.ResultSubjects.subject
#if !DEBUG
        RuntimeValueTasks.ResultSubjects.subject
        NonAffineRuntimeTasks.ResultSubjects.subject
        NonAffineRuntimeBackgroundTasks.ResultSubjects.subject
        GuardedRuntimeValueTasks.ResultSubjects.subject
        GuardedRuntimeBackgroundTasks.ResultSubjects.subject
        RuntimeTaskResults.ResultSubjects.subject
        NonAffineRuntimeValueTaskResults.ResultSubjects.subject
        PooledValueTasks.ResultSubjects.subject
        Strand.ResultSubjects.subject
#endif
    ]

/// The builders of results, with their programs over Errors; the first one is Plait's own.
let errors: ErrorSubject list =
    [
        TaskResults.Errors.subject
        RuntimeTaskResults.Errors.subject
        RuntimeValueTaskResults.Errors.subject
        NonAffineRuntimeTaskResults.Errors.subject
        NonAffineRuntimeValueTaskResults.Errors.subject
        GuardedRuntimeTaskResults.Errors.subject
        GuardedRuntimeValueTaskResults.Errors.subject
        RuntimeBackgroundTaskResults.Errors.subject
        NonAffineRuntimeBackgroundTaskResults.Errors.subject
        GuardedRuntimeBackgroundTaskResults.Errors.subject
    ]

/// The builders of validations; the first one is Plait's own.
let validations: ValidationSubject list =
    [
        TaskValidations.Validations.subject
        RuntimeTaskValidations.Validations.subject
        RuntimeValueTaskValidations.Validations.subject
        NonAffineRuntimeTaskValidations.Validations.subject
        NonAffineRuntimeValueTaskValidations.Validations.subject
        GuardedRuntimeTaskValidations.Validations.subject
        GuardedRuntimeValueTaskValidations.Validations.subject
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> program given :> Task)
    ]
