// Layer: sources. The messages of the compiler about values that a builder refuses, by overloads that are compile-time errors.
namespace Plait.Kernel

module internal Refused =

    [<Literal>]
    let Message =
        "This value cannot be awaited: it is not a Task, ValueTask, Strand or Async, and its type has no GetAwaiter that \
returns an awaiter. For a plain value, use `let` and `return` without the `!`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let Number = 10410

    [<Literal>]
    let LoopMessage =
        "`for` cannot run over this value: it is not a sequence, an array, a list, a System.Range or an IAsyncEnumerable, or \
its type is not known here. Where the type is not known, annotate it: `for x in (xs: int list)`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let LoopNumber = 10411

    [<Literal>]
    let ResultMessage =
        "This builder does not take a Result apart. Write the computation with a builder of results, `taskResult`, \
`pooledValueTaskResult` or `strandResult`, whose `let!` gives the value of an Ok and ends at an Error; or use `match`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let ResultNumber = 10412

    [<Literal>]
    let OptionMessage =
        "This option has no Error for its None. Name one: `let! x = option |> Option.orError error`, or `ValueOption.orError`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let OptionNumber = 10413

    [<Literal>]
    let FunctionMessage =
        "This is a function that has not got all of its arguments, so that nothing has started. Give it the argument that is missing: \
`do! send 1 text` for `do! send 1`. See docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let FunctionNumber = 10414
