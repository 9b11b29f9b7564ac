// The builders of computation expressions, and the parts of their bodies, as Code has them.
namespace Plait.Check

/// When the body of a computation expression runs.
[<RequireQualifiedAccess>]
type StartKind =
    /// As soon as the expression is evaluated: task, valueTask, strand.
    | Hot
    /// When its value is started, perhaps more than once: async, cancellableTask.
    | Cold
    /// When its value is enumerated, perhaps more than once: seq.
    | Sequence
    /// Its value is no operation: option, result.
    | Plain

/// A computation expression's builder.
type Builder =
    {
        /// As in the source: task, async.
        Name: string
        Starts: StartKind
        /// It leaves the execution context as its body set it.
        IsUnsafe: bool
        /// The code after an await of it does not run in the context that it began in.
        LeavesContext: bool
        /// The compiler makes its block a part of the method around it.
        IsRuntimeAsync: bool
        /// It merges the sources of `and!`.
        HasMerge: bool
        /// It binds a Task itself. `async` wants an Async.
        BindsTasks: bool
        /// It stands for an operation of another function, which calls the code for a value other than an operation.
        WantsValue: bool
        /// It stands for a function that a server calls.
        IsHandler: bool
    }

    /// For a function without a computation expression. `words`: its name in messages.
    static member Starter(words: string) : Builder =
        {
            Name = words
            Starts = StartKind.Plain
            IsUnsafe = false
            LeavesContext = false
            IsRuntimeAsync = false
            HasMerge = false
            BindsTasks = true
            WantsValue = false
            IsHandler = false
        }

    /// For a function that a server calls.
    static member Handler(words: string) : Builder =
        { Builder.Starter words with IsHandler = true }

/// The members that the compiler calls for the parts of a computation expression.
[<RequireQualifiedAccess>]
type Part =
    | Bind
    | ReturnFrom
    | Return
    | Using
    | Combine
    | While
    | For
    | TryWith
    | TryFinally
    | Merge
    /// Delay, Run, Zero and a builder's own operations: their arguments are evaluated.
    | Other
