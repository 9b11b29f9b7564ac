// Reading a worker's reply: what is missing or of the wrong kind becomes a sentence about the worker.
module internal Plait.Load.Reply

open Plait.Report

open System.Text.Json


let private property (subject: string) (name: string) (reply: JsonElement) =
    match reply.TryGetProperty name with
    | true, value -> value
    | _ -> raise (WorkerFailed(subject, $"{subject} answered without '{name}': {reply.GetRawText()}"))

let private wrong subject name (value: JsonElement) kind =
    raise (
        WorkerFailed(subject, $"{subject} answered '{name}' with {value.GetRawText()}, which is not {kind}")
    )

/// A number.
let number subject name reply : float =
    let value = property subject name reply

    if value.ValueKind = JsonValueKind.Number then
        value.GetDouble()
    else
        wrong subject name value "a number"

/// A whole number.
let whole subject name reply : int64 =
    let value = property subject name reply

    match value.ValueKind with
    | JsonValueKind.Number ->
        match value.TryGetInt64() with
        | true, whole -> whole
        | _ -> wrong subject name value "a whole number"
    | _ -> wrong subject name value "a whole number"

/// Text that may be null or absent.
let textOption (name: string) (reply: JsonElement) : string option =
    match reply.TryGetProperty name with
    | true, value when value.ValueKind = JsonValueKind.String -> Option.ofObj (value.GetString())
    | _ -> None

/// Text.
let text subject name (reply: JsonElement) : string =
    match textOption name reply with
    | Some text -> text
    | None -> wrong subject name (property subject name reply) "text"

/// A truth value; absent is false.
let flag (name: string) (reply: JsonElement) : bool =
    match reply.TryGetProperty name with
    | true, value -> value.ValueKind = JsonValueKind.True
    | _ -> false
