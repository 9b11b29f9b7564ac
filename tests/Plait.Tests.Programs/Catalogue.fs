// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

/// Every builder.
let subjects: Subject list =
    [
        DirectSubjects.subject
        ReexportedSubjects.subject
        DynamicSubjects.subject
        UnsafeSubjects.subject
        UnitSubjects.subject
        StrandSubjects.subject
        UnsafeStrandSubjects.subject
        BareStrandSubjects.subject
        GuardedStrandSubjects.subject
        PooledTasksSubjects.subject
        PooledTaskUnitsSubjects.subject
        ValueTasksSubjects.subject
        ValueTaskUnitsSubjects.subject
        PlaitTasksSubjects.subject
        PlaitTaskUnitsSubjects.subject
        DynamicTasksSubjects.subject
        BackgroundTasksSubjects.subject
    ]

/// Every builder with a result.
let results: ResultSubject list =
    [
        DirectResultSubjects.subject
        ReexportedResultSubjects.subject
        DynamicResultSubjects.subject
        UnsafeResultSubjects.subject
        StrandResultSubjects.subject
        UnsafeStrandResultSubjects.subject
        BareStrandResultSubjects.subject
        GuardedStrandResultSubjects.subject
        PooledTasksResultSubjects.subject
        ValueTasksResultSubjects.subject
        PlaitTasksResultSubjects.subject
        DynamicTasksResultSubjects.subject
        BackgroundTasksResultSubjects.subject
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTaskFlow.programs @ FSharpTaskRecursion.programs ->
            name, (fun (given: Given) -> FSharpTask.asTask (program given))
    ]
