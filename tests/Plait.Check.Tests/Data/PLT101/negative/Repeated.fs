// Each time another value, or a value that is given once.
module PLT101.Negative.Repeated

open System.Threading.Tasks
open Support.Jobs

let fresh () = [ 1; 2; 3 ] |> List.map (fun _ -> fetch "a")
let initial () = Array.init 3 (fun _ -> fetch "a")
let comprehended () = [ for key in [ "a"; "b" ] -> fetch key ]

let shared () =
    let job = (fetch "a").AsTask()
    [ 1; 2; 3 ] |> List.map (fun _ -> job)

let complete () =
    let read = ValueTask<int>(3)
    [ 1; 2; 3 ] |> List.map (fun _ -> read)

let perhaps (key: string option) =
    let read = fetch "a"
    key |> Option.map (fun _ -> read)

let elements (reads: ValueTask<int> list) = reads |> List.map (fun read -> read) |> List.map _.AsTask()
let tasks () = List.replicate 3 (Task.FromResult 1)

let ofOneOfTwo (isNew: bool) =
    task {
        let read = if isNew then fetch "a" else fetch "b"
        return! read
    }

let onOnePath (isNew: bool) (isWanted: bool) =
    task {
        let read = if isNew then fetch "a" else ValueTask<int>(3)

        if isWanted then
            let! number = read
            return number
        else
            return! read
    }

let partsThatWereMet (pairs: (string * ValueTask<int>) list) =
    pairs |> List.iter (fun (_, read: ValueTask<int>) -> printfn "%b" read.IsCompleted)
    pairs |> List.map (fun (_, read) -> read)

let nestedParts (pairs: (string * (int * ValueTask<int>)) list) =
    pairs |> List.iter (fun (_, (_, read: ValueTask<int>)) -> printfn "%b" read.IsCompleted)
    pairs |> List.map (fun (_, (number, read)) -> number, read)

let inOne (read: ValueTask<int>) = Seq.singleton read |> Seq.iter (fun read -> read.AsTask().Wait())
let inAList (read: ValueTask<int>) = List.singleton read |> List.iter (fun read -> read.AsTask().Wait())
let inAnArray (read: ValueTask<int>) = Array.singleton read |> Array.map (fun read -> read.AsTask())

let selected (keys: string list) =
    let read = fetch "a"
    System.Linq.Enumerable.Aggregate(keys, 0, (fun sum key -> sum + key.Length), (fun _ -> read))

let lastOfAFold (keys: string list) =
    System.Linq.Enumerable.Aggregate(keys, fetch "a", (fun read _ -> read), (fun read -> read.AsTask()))

let ofAResult () =
    let read = ValueTask<int> 3
    Task.WhenAll(read.AsTask(), read.AsTask())

let completed () =
    let ended = ValueTask.CompletedTask
    Task.WhenAll(ended.AsTask(), ended.AsTask())

// Results of all forms

let ofNone () =
    let read = ValueTask<string option>(None)
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofSome (text: string) =
    let read = ValueTask<string option>(Some text)
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofAPair () =
    let read = ValueTask<int * int>((1, 2))
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofTruth () =
    let read = ValueTask<bool> true
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofAComparison (a: int) (b: int) =
    let read = ValueTask<bool>((a > b))
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofAFunction () =
    let read = ValueTask<int -> int>(fun x -> x + 1)
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofAChoice (isNew: bool) (text: string) =
    let read = ValueTask<string>(if isNew then text else text.Trim())
    Task.WhenAll(read.AsTask(), read.AsTask())

let ofAJobAsAResult (job: Task<int>) =
    let read = ValueTask<Task<int>>(result = job)
    Task.WhenAll(read.AsTask(), read.AsTask())
