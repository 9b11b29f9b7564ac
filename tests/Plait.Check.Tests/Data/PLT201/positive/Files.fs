// Synchronous calls on files that have an asynchronous twin.
module PLT201.Positive.Files

open System.IO
open System.Threading.Tasks
open Support.Jobs
open Plait

let readAll (path: string) =
    task {
        let text = File.ReadAllText path // PLT201 info
        let! n = count text
        return n + 1
    }

let readBytes (path: string) =
    async {
        let bytes = File.ReadAllBytes path // PLT201 info
        return bytes.Length
    }

let readLines (path: string) =
    valueTask {
        let lines = File.ReadAllLines path // PLT201 info
        return lines.Length
    }

let writeAll (path: string) (text: string) =
    task {
        File.WriteAllText(path, text) // PLT201 info
        let! n = count text
        return n + 1
    }

let append (path: string) (lines: string list) =
    backgroundTask {
        for line in lines do
            File.AppendAllText(path, line) // PLT201 info
    }

let readToEnd (path: string) =
    task {
        use reader = new StreamReader(path)
        let text = reader.ReadToEnd() // PLT201 info
        return text.Length
    }

let toItsEnd (path: string) =
    task {
        use reader = new StreamReader(path)

        while not reader.EndOfStream do // PLT201 info
            let! line = reader.ReadLineAsync()
            printfn "%s" line
    }

let flushed (stream: Stream) =
    task {
        stream.Flush() // PLT201 info
        return stream.Length
    }
