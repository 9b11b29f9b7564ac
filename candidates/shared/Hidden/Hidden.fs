// Layer: evaluator, hidden task. A value may be a task of a value. The layers above see no difference: code that needs a
// value goes on at once when it is there, and inside a task when it is not.
module Plait.Candidate.Hidden

open System.Threading.Tasks
open Plait.Lab.Language

/// The value as a task, whether it is there or not.
let toTask (value: Dval) : Task<Dval> =
    match value with
    | DTask running -> running
    | value -> Task.FromResult value

/// Goes on inside a task.
let later (running: Task<Dval>) (rest: Dval -> Dval) =
    DTask(
        task {
            let! value = running
            return! toTask (rest value)
        }
    )

/// Goes on with a value. `rest` stands twice in the inlined code, once called and once as a closure that is made only
/// for a value that has yet to arrive.
let inline andThen (value: Dval) (rest: Dval -> Dval) : Dval =
    match value with
    | DTask running -> later running (fun value -> rest value)
    | value -> rest value
