// What is returned uses the resource when it is enumerated, computed or called; and tasks that are disposed while they run.
module PLT302.Positive.Deferred

open System.Data.Common
open System.IO
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let lines (path: string) =
    use reader = new StreamReader(path) // PLT302 warning

    seq {
        while not reader.EndOfStream do
            yield reader.ReadLine()
    }

let lengths (path: string) =
    use reader = new StreamReader(path) // PLT302 warning

    seq {
        while not reader.EndOfStream do
            yield reader.ReadLine()
    }
    |> Seq.map _.Length

let whole (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    lazy (reader.ReadToEnd())

let everySecond (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    new Timer((fun _ -> printfn $"{reader.Peek()}"), null, 0, 1000)

// A command needs its connection, and what it starts does too.

let number (connect: unit -> DbConnection) =
    use connection = connect () // PLT302 warning
    let command = connection.CreateCommand()
    command.ExecuteNonQueryAsync()

// A Task that is disposed

let aTask () =
    task {
        use job = count "a" // PLT302 warning
        printfn $"{job.Id}"
        return 1
    }

let withoutAName () =
    task {
        use _ = save "a" // PLT302 warning
        return 1
    }

// Generators

let withoutEnd (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    Seq.initInfinite (fun _ -> reader.ReadLine()) |> Seq.takeWhile (isNull >> not)

let unfolded (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    Seq.unfold (fun () -> Some(reader.ReadLine(), ())) ()

let mapped (path: string) (names: string list) =
    use reader = new StreamReader(path) // PLT302 warning
    names |> Seq.map (fun name -> name + reader.ReadLine()) |> Seq.filter (fun line -> line <> "")
