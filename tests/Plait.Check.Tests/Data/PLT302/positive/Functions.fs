// A resource that a function gets by its name.
module PLT302.Positive.Functions

open System.IO
open System.Threading
open System.Threading.Tasks

let private read (reader: StreamReader) : Task<string> = reader.ReadToEndAsync()
let ofAName (path: string) = using (new StreamReader(path)) read // PLT302 warning

let throttled (names: string list) (work: string -> Task<int>) =
    use gate = new SemaphoreSlim(2) // PLT302 warning

    names
    |> List.map (fun name ->
        task {
            do! gate.WaitAsync()
            return! work name
        })
    |> Task.WhenAll
