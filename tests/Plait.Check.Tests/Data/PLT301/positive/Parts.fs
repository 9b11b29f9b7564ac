// Operations in parts that code leaves out: of elements, of the result of a function, of a case.
module PLT301.Positive.Parts

open System.Threading.Tasks
open Support.Jobs

type Store = { Save: string -> Task; Load: string -> Task<int> }

let firsts (names: string list) =
    task {
        let pairs = names |> List.map (fun name -> name, save name)
        return pairs |> List.map fst // PLT301 warning
    }

let computed (names: string list) =
    task {
        let pairs = [ for name in names -> name, save name ]
        return pairs |> List.map fst // PLT301 warning
    }

let byAField (store: Store) (names: string list) =
    task { names |> List.map store.Save |> ignore } // PLT301 warning

let byAFieldInAnOption (store: Store) (name: string option) =
    task {
        let saving = name |> Option.map store.Save // PLT301 warning
        return name.IsSome
    }

let private started (store: Store) (name: string) = name.Length, store.Save name

let resultOfAFunction (store: Store) =
    task {
        started store "a" |> ignore // PLT301 warning
        return 1
    }

let itemOfAResult (store: Store) =
    task { return started store "a" |> fst } // PLT301 warning

let itemOfACall (store: Store) = task { return fst (started store "a") } // PLT301 warning

let private failed () : Result<int, Task> = Error(save "a")

let private perhaps () : Task option = Some(save "a")

let inCases () =
    task {
        failed () |> ignore // PLT301 warning
        perhaps () |> ignore // PLT301 warning
        return 1
    }

let inline private saveOf (item: ^T) : Task =
    (^T: (member Save: unit -> Task) item) |> ignore // PLT301 info
    (^T: (member Save: unit -> Task) item)

let byAPattern (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> save name, count name)
        do! jobs |> List.map (fun (saving, _) -> saving) |> Task.WhenAll // PLT301 warning
    }

let firstElement (names: string list) =
    task {
        let jobs = names |> List.map count
        let! number = List.head jobs // PLT301 warning
        return number
    }

let otherElements (names: string[]) =
    task { do! names |> Array.map save |> Array.skip 1 |> Task.WhenAll } // PLT301 warning

let inALoop (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> name, save name)

        for name, _ in jobs do // PLT301 warning
            printfn "%s" name
    }
