// The tasks of async methods that threads have resumed: no thread has such a task as its current one. The frames name the state
// machine, and the stack refers to its task. The reader of deadlocks uses it.
module internal Plait.Doctor.ResumedTasks

open System
open Microsoft.Diagnostics.Runtime

open Plait.Doctor.Objects

/// The last part of a type's name, without the number of its type parameters.
let private lastPart (name: string) : string =
    let last = name.Substring(name.LastIndexOfAny [| '+'; '.' |] + 1)

    match last.IndexOf '`' with
    | -1 -> last
    | at -> last.Substring(0, at)

/// The types of the state machines that a thread with these frames has resumed.
let machines (frames: Frame list) : string list =
    let resumes (frame: Frame) =
        frame.Method.EndsWith("+AsyncStateMachineBox`1.MoveNext", StringComparison.Ordinal)

    match frames |> List.tryFindIndexBack resumes with
    | None -> []
    | Some outermost ->
        [
            for frame in List.truncate outermost frames do
                if not frame.IsFramework && frame.Method.EndsWith(".MoveNext", StringComparison.Ordinal) then
                    lastPart (frame.Method.Substring(0, frame.Method.LastIndexOf '.'))
        ]
        |> List.distinct

/// Whether an object is the task of a state machine of this type, by the name that memory has for it:
/// "...AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<Shop.Prices+<Load>d__1>".
let isOf (object: string) (machine: string) : bool =
    object.Contains("+AsyncStateMachineBox<", StringComparison.Ordinal)
    && [ '>'; '<' ]
       |> List.exists (fun after ->
           [ '+'; '.' ]
           |> List.exists (fun before ->
               object.Contains($"{before}{machine}{after}", StringComparison.Ordinal)))

/// The task of one of these state machines on a stack, from its innermost frame on: the outermost, because a method that runs
/// may refer to the tasks of others.
let find (machines: string list) (stack: ClrObject list) : ClrObject option =
    stack
    |> List.filter (fun object -> machines |> List.exists (isOf (typeName object)))
    |> List.tryLast
