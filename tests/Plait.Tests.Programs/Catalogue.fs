// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

/// Every builder.
let subjects: Subject list =
    [
        PooledValueTasks.Subjects.subject
        DynamicPooledValueTasks.Subjects.subject
        UnsafePooledValueTasks.Subjects.subject
        PooledValueTaskUnits.Subjects.subject
        Strand.Subjects.subject
        UnsafeStrand.Subjects.subject
        BareStrand.Subjects.subject
        GuardedStrand.Subjects.subject
        PooledTasks.Subjects.subject
        PooledTaskUnits.Subjects.subject
        ValueTasks.Subjects.subject
        ValueTaskUnits.Subjects.subject
        PlaitTasks.Subjects.subject
        PlaitTaskUnits.Subjects.subject
        DynamicTasks.Subjects.subject
        BackgroundTasks.Subjects.subject
    ]

/// Every builder with a result.
let results: ResultSubject list =
    [
        PooledValueTasks.ResultSubjects.subject
        DynamicPooledValueTasks.ResultSubjects.subject
        UnsafePooledValueTasks.ResultSubjects.subject
        Strand.ResultSubjects.subject
        UnsafeStrand.ResultSubjects.subject
        BareStrand.ResultSubjects.subject
        GuardedStrand.ResultSubjects.subject
        PooledTasks.ResultSubjects.subject
        ValueTasks.ResultSubjects.subject
        PlaitTasks.ResultSubjects.subject
        DynamicTasks.ResultSubjects.subject
        BackgroundTasks.ResultSubjects.subject
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> Builders.FSharpTasks.asTask (program given))
    ]
