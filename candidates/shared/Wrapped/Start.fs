// Layer: entry. The wrapped evaluator as a process.
module Plait.Candidate.Start

open Plait.Lab.Host
open Plait.Lab.Language

type private WrappedEngine(functions: Functions) =
    inherit Engine()

    override _.Start program =
        Effect.start (Evaluator.eval functions SymbolTable.empty program)

[<EntryPoint>]
let private main arguments =
    Worker.run (fun syncFn -> WrappedEngine(FunctionTable.make syncFn)) arguments
