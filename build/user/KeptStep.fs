// A step that is kept in a value has no async method around it: the compiler refuses its await.
module User.Program

open System.Threading.Tasks
open Plait.RuntimeAsync

let kept = step { do! Task.Yield() }

kept.Invoke()
