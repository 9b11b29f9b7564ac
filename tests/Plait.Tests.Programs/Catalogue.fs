// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

/// Every builder. Those with the members of another are here in Release alone.
let subjects: Subject list =
    [
        PooledValueTasks.Subjects.subject
        PooledValueTaskUnits.Subjects.subject
        Strand.Subjects.subject
        BareStrand.Subjects.subject
        GuardedStrand.Subjects.subject
        PooledTasks.Subjects.subject
        ValueTasks.Subjects.subject
        PlaitTasks.Subjects.subject
        PlaitTaskUnits.Subjects.subject
#if !DEBUG
        DynamicPooledValueTasks.Subjects.subject
        UnsafePooledValueTasks.Subjects.subject
        UnsafeStrand.Subjects.subject
        PooledTaskUnits.Subjects.subject
        ValueTaskUnits.Subjects.subject
        DynamicTasks.Subjects.subject
        BackgroundTasks.Subjects.subject
#endif
    ]

/// Every builder of `subjects` with a result.
let results: ResultSubject list =
    [
        PooledValueTasks.ResultSubjects.subject
        Strand.ResultSubjects.subject
        BareStrand.ResultSubjects.subject
        GuardedStrand.ResultSubjects.subject
        PooledTasks.ResultSubjects.subject
        ValueTasks.ResultSubjects.subject
        PlaitTasks.ResultSubjects.subject
#if !DEBUG
        DynamicPooledValueTasks.ResultSubjects.subject
        UnsafePooledValueTasks.ResultSubjects.subject
        UnsafeStrand.ResultSubjects.subject
        DynamicTasks.ResultSubjects.subject
        BackgroundTasks.ResultSubjects.subject
#endif
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> Builders.FSharpTasks.asTask (program given))
    ]
