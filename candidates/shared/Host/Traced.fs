// Layer: host. The functions that only compute, as the tables of candidates take them: as they are, or marked impure,
// with a record of every call in a real file.
module Plait.Lab.Host.Traced

open System.IO
open System.Text
open Plait.Lab.Language

// One writer for the process, unbuffered: a record that is written is with the system.
type private Store(trace: Trace) =
    let stream =
        new FileStream(trace.File, FileMode.Create, FileAccess.Write, FileShare.ReadWrite, 0)

    member _.Append(id: FnId, arguments: Dval list, outcome: Result<Dval, unit>) =
        let record =
            StringBuilder().Append(id.Module).Append('.').Append(id.Function).Append('\t')

        for argument in arguments do
            record.Append(Answer.body argument).Append('\t') |> ignore

        match outcome with
        | Ok value -> record.Append(Answer.body value) |> ignore
        | Error() -> record.Append "error" |> ignore

        let bytes = Encoding.UTF8.GetBytes(record.Append('\n').ToString())

        lock stream (fun () ->
            stream.Write(bytes, 0, bytes.Length)

            if trace.Durable then
                stream.Flush true)

let private store = lazy (Defects.Current.Trace |> Option.map Store)

/// The functions that only compute.
let pureFunctions () : (Signature * PureFunction) list =
    match store.Value with
    | None -> Library.pureFunctions
    | Some store ->
        [
            for signature, run in Library.pureFunctions ->
                signature,
                fun arguments ->
                    let outcome = run arguments
                    store.Append(signature.Id, arguments, outcome)
                    outcome
        ]
