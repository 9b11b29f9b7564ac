// What uses the resource is done when it is disposed.
module PLT302.Negative.Deferred

open System
open System.Collections.Generic
open System.Data.Common
open System.IO
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let enumerated (path: string) =
    use reader = new StreamReader(path)

    seq {
        while not reader.EndOfStream do
            yield reader.ReadLine()
    }
    |> Seq.toList

let anArray (path: string) =
    use reader = new StreamReader(path)

    [|
        while not reader.EndOfStream do
            yield reader.ReadLine()
    |]

let insideTheSequence (path: string) =
    seq {
        use reader = new StreamReader(path)

        while not reader.EndOfStream do
            yield reader.ReadLine()
    }

let computed (path: string) =
    use reader = new StreamReader(path)
    let text = lazy (reader.ReadToEnd())
    text.Value

/// The loop disposes its enumerator; the work of an element does not need that.
let startedForEach (topics: IEnumerable<string>) (token: CancellationToken) =
    for topic in topics do
        Async.Start(send topic, token)

let awaited (connect: unit -> DbConnection) =
    task {
        use connection = connect ()
        use command = connection.CreateCommand()
        return! command.ExecuteNonQueryAsync()
    }

let aTaskThatHasEnded () =
    task {
        use job = count "a"
        let! number = job
        return number
    }

let generated (path: string) =
    use reader = new StreamReader(path)
    Seq.init 3 (fun _ -> reader.ReadLine()) |> Seq.toList

let mappedAndRead (path: string) (names: string list) =
    use reader = new StreamReader(path)
    HashSet(names |> Seq.map (fun name -> name + reader.ReadLine()))

let mappedAndSorted (path: string) (names: string seq) =
    use reader = new StreamReader(path)

    names
    |> Seq.map (fun name -> name, reader.ReadLine())
    |> Seq.sortBy snd
    |> Map.ofSeq

let mappedAndAwaited (path: string) (names: string list) =
    task {
        use reader = new StreamReader(path)
        let! lines = names |> Seq.map (fun _ -> reader.ReadLineAsync()) |> Task.WhenAll
        return lines |> Seq.map (fun line -> string line)
    }
