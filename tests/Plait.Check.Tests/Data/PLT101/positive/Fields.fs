// Values in the fields of records and unions, and the copies of those.
module PLT101.Positive.Fields

open System.Threading.Tasks
open Support.Jobs
open Plait

type private Entry = { Name: string; Load: ValueTask<int> }

type private Source =
    | Ready of int
    | Loading of ValueTask<int>

let private inACopy (entry: Entry) =
    task {
        let copy = { entry with Name = "b" } // PLT103 info
        let! first = entry.Load
        let! second = copy.Load // PLT101 warning
        return first + second
    }

let private inACopyOfACopy (entry: Entry) =
    task {
        let copy = { entry with Name = "b" } // PLT103 info
        let another = { copy with Name = "c" }
        let! first = another.Load
        let! second = copy.Load // PLT101 warning
        return first + second
    }

let inANewRecord () =
    task {
        let reading = fetch "a"
        let entry = { Name = "a"; Load = reading } // PLT103 info
        let! first = reading
        let! second = entry.Load // PLT101 warning
        return first + second
    }

let inAnAnonymousRecord () =
    strand {
        let entry = {| Name = "a"; Load = fetch "a" |} // PLT103 info
        let copy = {| entry with Name = "b" |}
        let! first = entry.Load
        let! second = copy.Load // PLT101 warning
        return first + second
    }

let inACase (isReady: bool) =
    task {
        let reading = fetch "a"
        let source = if isReady then Ready 1 else Loading reading // PLT103 info

        match source with
        | Ready number -> return number
        | Loading same ->
            let! first = reading
            let! second = same // PLT101 warning
            return first + second
    }

let inACaseForSure () =
    task {
        let reading = fetch "a"
        let source = Loading reading // PLT103 info
        let! first = reading

        match source with
        | Loading same ->
            let! second = same // PLT101 warning
            return first + second
        | Ready _ -> return first
    }
