// All programs by builder: what the tests iterate over.
module Plait.Tests.Programs.Catalogue

open System.Threading.Tasks

/// The builders that this build is of: one of each kind; in Release two more; in Others those with the members of another.
let subjects: Subject list =
    [
#if OTHERS
        UnsafePooledValueTasks.Subjects.subject
        UnsafeStrand.Subjects.subject
        GuardedStrand.Subjects.subject
        ValueTasks.Subjects.subject
        BackgroundTasks.Subjects.subject
        PooledTasks.Subjects.subject
        PooledTaskUnits.Subjects.subject
        ValueTaskUnits.Subjects.subject
        PlaitTaskUnits.Subjects.subject
        DynamicTasks.Subjects.subject
        StrandResults.Subjects.subject
        TaskResults.Subjects.subject
        DynamicPooledValueTaskResults.Subjects.subject
        CancellableValueTasks.Subjects.subject
        CancellableTasks.Subjects.subject
        ColdTasks.Subjects.subject
#else
        PooledValueTasks.Subjects.subject
        PooledValueTaskUnits.Subjects.subject
        Strand.Subjects.subject
        PlaitTasks.Subjects.subject
        PooledValueTaskResults.Subjects.subject
#if DEBUG
        CancellableValueTasks.Subjects.subject
#else
        BareStrand.Subjects.subject
        DynamicPooledValueTasks.Subjects.subject
#endif
#endif
    ]

/// Every builder of `subjects` with a result.
let results: ResultSubject list =
    [
#if OTHERS
        UnsafePooledValueTasks.ResultSubjects.subject
        UnsafeStrand.ResultSubjects.subject
        GuardedStrand.ResultSubjects.subject
        ValueTasks.ResultSubjects.subject
        BackgroundTasks.ResultSubjects.subject
        PooledTasks.ResultSubjects.subject
        DynamicTasks.ResultSubjects.subject
        StrandResults.ResultSubjects.subject
        TaskResults.ResultSubjects.subject
        DynamicPooledValueTaskResults.ResultSubjects.subject
        CancellableValueTasks.ResultSubjects.subject
        CancellableTasks.ResultSubjects.subject
        ColdTasks.ResultSubjects.subject
#else
        PooledValueTasks.ResultSubjects.subject
        Strand.ResultSubjects.subject
        PlaitTasks.ResultSubjects.subject
        PooledValueTaskResults.ResultSubjects.subject
#if DEBUG
        CancellableValueTasks.ResultSubjects.subject
#else
        BareStrand.ResultSubjects.subject
        DynamicPooledValueTasks.ResultSubjects.subject
#endif
#endif
    ]

/// The builders of results, with their programs over Errors.
let errors: ErrorSubject list =
    [
#if OTHERS
        TaskResults.Errors.subject
        StrandResults.Errors.subject
        DynamicPooledValueTaskResults.Errors.subject
#else
        PooledValueTaskResults.Errors.subject
#endif
    ]

#if !OTHERS
/// The builders of cancellable functions.
let cancellables: CancellableSubject list =
    [
        Cancellables.CancellableForms.subject
        DynamicCancellables.CancellableForms.subject
        BackgroundCancellables.CancellableForms.subject
        DynamicBackgroundCancellables.CancellableForms.subject
        CancellableValues.CancellableForms.subject
        BackgroundCancellableValues.CancellableForms.subject
    ]
#endif

/// The builders of validations.
let validations: ValidationSubject list =
    [
#if OTHERS
        TaskValidations.Validations.subject
        StrandValidations.Validations.subject
#else
        PooledValueTaskValidations.Validations.subject
#endif
    ]

/// The same control flow in FSharp.Core's `task`.
let expectedFlow =
    [
        for name, program in FSharpTasks.Flow.programs @ FSharpTasks.Recursion.programs ->
            name, (fun (given: Given) -> program given :> Task)
    ]
