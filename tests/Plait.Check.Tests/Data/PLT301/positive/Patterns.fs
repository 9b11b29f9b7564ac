// Operations in tuples, records, unions and cells whose part no code reads.
module PLT301.Positive.Patterns

open System.Threading.Tasks
open Support.Jobs
open Plait

type private Entry = { Name: string; Job: Task<int> }

let private started () = save "a", 3
let private entry () = { Name = "a"; Job = count "a" }

let inATupleOfAFunction () =
    task {
        let _, number = started () // PLT301 warning
        return number
    }

let inARecord () =
    task {
        let { Name = name } = { Name = "a"; Job = count "a" } // PLT301 warning
        return name
    }

let inARecordOfAFunction () =
    task {
        let { Name = name } = entry () // PLT301 warning
        return name
    }

let inRecordsOfAList (names: string list) =
    task {
        let entries = names |> List.map (fun name -> { Name = name; Job = count name }) // PLT301 warning
        return names.Length
    }

let inAnOption () =
    task {
        let job = Some(save "a") // PLT301 warning
        return 1
    }

let inACell () =
    task {
        let job = ref (count "a") // PLT301 warning
        return 1
    }

let overwrittenInACell () =
    task {
        let job = ref (count "a") // PLT301 warning
        job.Value <- count "b"
        return! job.Value
    }

let overwrittenByAnOperator () =
    task {
        let job = ref (count "a") // PLT301 warning
        job.contents <- count "b"
        return! job.contents
    }

let inARecordWithAName () =
    task {
        let entry = {| Job = save "a"; Number = 2 |} // PLT301 warning
        return entry.Number
    }
