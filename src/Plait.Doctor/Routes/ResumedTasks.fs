// The tasks of async methods that threads have resumed: no thread has such a task as its current one. The frames name the state
// machine, and the stack refers to its task. And the async method of a task. The reader of deadlocks uses it.
module internal Plait.Doctor.ResumedTasks

open System

/// The last part of a type's name, without the number of its type parameters.
let private lastPart (name: string) : string =
    let last = name.Substring(name.LastIndexOfAny [| '+'; '.' |] + 1)

    match last.IndexOf '`' with
    | -1 -> last
    | at -> last.Substring(0, at)

/// The types of the state machines that a thread with these frames has resumed: each has its task's frame around it.
let machines (frames: Frame list) : string list =
    let resumes (frame: Frame) =
        frame.Method.EndsWith("+AsyncStateMachineBox`1.MoveNext", StringComparison.Ordinal)

    [
        for at, frame in List.indexed frames do
            if
                not frame.IsFramework
                && frame.Method.EndsWith(".MoveNext", StringComparison.Ordinal)
                && frames |> List.skip (at + 1) |> List.takeWhile _.IsFramework |> List.exists resumes
            then
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

/// The tasks of these state machines among the pending ones on a stack, each with the name of its type and its content. If a machine
/// has several, one of them is not the thread's: a method may refer to the tasks of others. Then none of them counts. But several
/// with the same content are one: the collector has moved it, and a word of the stack that is out of use refers to the former place.
let find (machines: string list) (pending: (string * byte[] * 'Task) list) : 'Task list =
    machines
    |> List.collect (fun machine ->
        let own = pending |> List.filter (fun (name, _, _) -> isOf name machine)

        match own |> List.distinctBy (fun (_, content, _) -> content) with
        | [ _ ] -> [ for _, _, task in own -> task ]
        | _ -> [])

/// The async method of a task, as "Shop.Prices+<Load>d__1.MoveNext", by the name that memory has for the task's type; None: it is the
/// task of no async method of the program.
let methodOf (task: string) : string option =
    let box = "+AsyncStateMachineBox<"

    match task.IndexOf(box, StringComparison.Ordinal) with
    | at when at > 0 && task.EndsWith '>' ->
        let machine = task.Substring(at + box.Length, task.Length - at - box.Length - 1)

        if
            [ "System."; "Microsoft." ]
            |> List.exists (fun space -> machine.StartsWith(space, StringComparison.Ordinal))
        then
            None
        else
            Some $"{machine}.MoveNext"
    | _ -> None
