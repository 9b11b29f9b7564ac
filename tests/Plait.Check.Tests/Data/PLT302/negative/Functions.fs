// Arrays that are computed before the resource is disposed.
module PLT302.Negative.Functions

open System.IO
open System.Threading
open System.Threading.Tasks

let anArray (path: string) =
    use reader = new StreamReader(path)

    seq
        [|
            while not reader.EndOfStream do
                reader.ReadLine()
        |]

let private read (reader: StreamReader) : string = reader.ReadToEnd()
let ofAName (path: string) = using (new StreamReader(path)) read

let throttled (names: string list) (work: string -> Task<int>) =
    task {
        use gate = new SemaphoreSlim(2)

        let all =
            names
            |> List.map (fun name ->
                task {
                    do! gate.WaitAsync()
                    return! work name
                })

        return! Task.WhenAll all
    }
