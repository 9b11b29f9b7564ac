// Layer: entry. The plain evaluator as a process.
module Plait.Candidate.Start

open System.Threading.Tasks
open Plait.Lab.Host
open Plait.Lab.Language

type private PlainEngine(functions: Evaluator.Functions) =
    inherit Engine()

    override _.Start program =
        ValueTask<Dval>(Evaluator.eval functions SymbolTable.empty program)

[<EntryPoint>]
let private main arguments =
    Worker.run (fun _ -> PlainEngine(FunctionTable.make ())) arguments
