// Layer: entry. The evaluator of hidden tasks as a process.
module Plait.Candidate.Start

open System.Threading.Tasks
open Plait.Lab.Host
open Plait.Lab.Language

type private HiddenEngine(functions: Evaluator.Functions) =
    inherit Engine()

    override _.Start program =
        match Evaluator.eval functions SymbolTable.empty program with
        | DTask running -> ValueTask<Dval> running
        | value -> ValueTask<Dval> value

[<EntryPoint>]
let private main arguments =
    Worker.run (fun _ -> HiddenEngine(FunctionTable.make ())) arguments
