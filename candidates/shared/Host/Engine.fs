// Layer: host. The host's view of an evaluator, of any effect.
namespace Plait.Lab.Host

open System.Threading.Tasks
open Plait.Lab.Language

/// A candidate's evaluator.
[<AbstractClass>]
type Engine() =

    /// Starts `program` on the calling thread. The result is awaited once. Exceptions may surface here or there.
    abstract Start: program: Expr -> ValueTask<Dval>

    /// Starts `program` and blocks the calling thread until its value is there.
    member engine.Run(program: Expr) : Dval =
        let started = engine.Start program

        // A pooled source may not be asked for its result before it has one.
        if started.IsCompleted then
            started.GetAwaiter().GetResult()
        else
            started.AsTask().GetAwaiter().GetResult()
