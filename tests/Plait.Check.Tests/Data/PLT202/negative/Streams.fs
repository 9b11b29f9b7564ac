// Functions that read or write through a buffer, or in memory.
module PLT202.Negative.Streams

open System.IO
open System.Threading.Tasks

let private frame (reader: BinaryReader) = reader.ReadBytes 4

let private finish (writer: TextWriter) = writer.Flush()

let inMemory () =
    task {
        use reader = new BinaryReader(new MemoryStream())
        return frame reader
    }

let ofAFile (path: string) =
    task {
        use writer = new StreamWriter(path)
        do! writer.WriteAsync "a"
        finish writer
    }

let elsewhere (client: System.Net.Sockets.TcpClient) =
    task {
        use reader = new BinaryReader(client.GetStream())
        return! Task.Run(fun () -> frame reader)
    }
