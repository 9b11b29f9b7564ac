// The rule of `plait check` that finds the code of a blocked stack: calls that block in a computation expression, and functions that
// such an expression calls. The check finds no call in code that only plain functions lead to.
module internal Plait.Doctor.CheckRule

open System

/// Whether the check has a warning for calls of this kind. Those for files are infos, which it does not print by default; it has
/// none for `lock`.
let private hasWarning (kind: BlockKind) : bool =
    match kind with
    | BlockKind.Sleep
    | BlockKind.TaskWait
    | BlockKind.RunSynchronously
    | BlockKind.Mutex
    | BlockKind.MonitorWait
    | BlockKind.Semaphore
    | BlockKind.WaitHandle
    | BlockKind.Mailbox
    | BlockKind.Collection
    | BlockKind.Join
    | BlockKind.Pipe
    | BlockKind.Socket
    | BlockKind.Http
    | BlockKind.Dns
    | BlockKind.Process -> true
    | BlockKind.Spin
    | BlockKind.ParallelLoop
    | BlockKind.Lock
    | BlockKind.SpinLock
    | BlockKind.Initializer
    | BlockKind.Finalizers
    | BlockKind.File
    | BlockKind.HttpBody
    | BlockKind.Console
    | BlockKind.ConsoleOutput
    | BlockKind.Other -> false

let private isFSharp (frame: Frame) =
    frame.File
    |> Option.exists (fun file ->
        [ ".fs"; ".fsx" ]
        |> List.exists (fun ending -> file.EndsWith(ending, StringComparison.OrdinalIgnoreCase)))

let private starts (names: string list) (frame: Frame) =
    names |> List.exists (fun name -> frame.Method.StartsWith(name, StringComparison.Ordinal))

/// Whether a frame is code of a computation expression that runs asynchronously: the state machine of a task or a builder of Plait,
/// or a closure that FSharp.Core's async or Plait calls.
let private isBody (frame: Frame) (caller: Frame option) : bool =
    let isMadeFor (method': string) =
        frame.Method.Contains '@'
        && frame.Method.EndsWith("." + method', StringComparison.Ordinal)

    isFSharp frame
    && (isMadeFor "MoveNext"
        || isMadeFor "Invoke"
           && caller
              |> Option.exists (
                  starts [ "Microsoft.FSharp.Control.Async"; "Microsoft.FSharp.Control.Trampoline"; "Plait." ]
              ))

/// Whether the check follows a call through a method of the framework: through functions of FSharp.Core, as List.map, and lazy values.
let private isFollowed (frame: Frame) : bool =
    not frame.IsFramework || starts [ "Microsoft.FSharp."; "System.Lazy`1." ] frame

/// Whether a statement itself blocks in this way. If it calls a method of the framework that calls the program again, as
/// StreamReader.ReadToEnd calls a stream of the program's, another call blocks. The system tells a mutex from other wait handles.
let private isOwnCall (kind: BlockKind) (frame: Frame) : bool =
    frame.Calls.IsEmpty
    || frame.Calls
       |> List.choose BlockingCalls.ofCall
       |> List.exists (fun called -> called = kind || kind = BlockKind.Mutex && called = BlockKind.WaitHandle)

/// The rule for a thread with these frames, innermost first, that such a call blocks. None: none finds it there.
let ofStack (kind: BlockKind) (frames: Frame list) : string option =
    let named = frames |> List.filter (fun frame -> frame.Method <> "")

    let callers =
        List.append (named |> List.skip (min 1 named.Length) |> List.map Some) [ None ]

    let own =
        List.zip named callers
        |> List.skipWhile (fun (frame, _) -> frame.IsFramework)
        |> List.takeWhile (fun (frame, _) -> isFollowed frame)
        |> List.filter (fun (frame, _) -> not frame.IsFramework)

    let writtenIn (frame: Frame) =
        SourceName.ofMethod (defaultArg frame.WrittenIn frame.Method)

    match own with
    // the check reads F#, and no packages
    | (blamed, _) :: _ when
        hasWarning kind && isFSharp blamed && not blamed.IsPackage && isOwnCall kind blamed
        ->
        own
        |> List.tryFind (fun (frame, caller) -> not frame.IsPackage && isBody frame caller)
        |> Option.map (fun (body, _) ->
            // lambdas in the expression are part of it
            if writtenIn body = writtenIn blamed then "PLT201" else "PLT202")
    | _ -> None
