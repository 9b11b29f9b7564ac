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
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> Builders.FSharpTasks.asTask (program given))
    ]
