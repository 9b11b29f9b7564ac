// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

/// Every builder.
let subjects: Subject list =
    [
        RuntimeTasks.Subjects.subject
        RuntimeValueTasks.Subjects.subject
        RuntimeBackgroundTasks.Subjects.subject
        NonAffineRuntimeTasks.Subjects.subject
        NonAffineRuntimeValueTasks.Subjects.subject
        GuardedRuntimeTasks.Subjects.subject
        GuardedRuntimeValueTasks.Subjects.subject
        RuntimeTaskUnits.Subjects.subject
        RuntimeValueTaskUnits.Subjects.subject
        RuntimeBackgroundTaskUnits.Subjects.subject
        NonAffineRuntimeTaskUnits.Subjects.subject
        NonAffineRuntimeValueTaskUnits.Subjects.subject
        NonAffineRuntimeBackgroundTasks.Subjects.subject
        NonAffineRuntimeBackgroundTaskUnits.Subjects.subject
        GuardedRuntimeTaskUnits.Subjects.subject
        GuardedRuntimeValueTaskUnits.Subjects.subject
        GuardedRuntimeBackgroundTasks.Subjects.subject
        GuardedRuntimeBackgroundTaskUnits.Subjects.subject
        RuntimeTaskResults.Subjects.subject
        NonAffineRuntimeValueTaskResults.Subjects.subject
    ]

/// Every builder of `subjects` with a result.
let results: ResultSubject list =
    [
        RuntimeTasks.ResultSubjects.subject
        RuntimeValueTasks.ResultSubjects.subject
        RuntimeBackgroundTasks.ResultSubjects.subject
        NonAffineRuntimeTasks.ResultSubjects.subject
        NonAffineRuntimeValueTasks.ResultSubjects.subject
        GuardedRuntimeTasks.ResultSubjects.subject
        GuardedRuntimeValueTasks.ResultSubjects.subject
        NonAffineRuntimeBackgroundTasks.ResultSubjects.subject
        GuardedRuntimeBackgroundTasks.ResultSubjects.subject
        RuntimeTaskResults.ResultSubjects.subject
        NonAffineRuntimeValueTaskResults.ResultSubjects.subject
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
    ]

/// The builders of validations; the first one is Plait's own.
let validations: ValidationSubject list =
    [
        TaskValidations.Validations.subject
        RuntimeTaskValidations.Validations.subject
        RuntimeValueTaskValidations.Validations.subject
        NonAffineRuntimeTaskValidations.Validations.subject
        NonAffineRuntimeValueTaskValidations.Validations.subject
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> Builders.FSharpTasks.asTask (program given))
    ]
