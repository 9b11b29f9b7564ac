// Functions that read or write a stream that leads to another process or machine: one among their arguments, or of their own.
module PLT202.Positive.Streams

open System
open System.IO
open System.Net.Sockets

let private length (stream: Stream) =
    let buffer = Array.zeroCreate<byte> 4
    stream.ReadExactly(buffer, 0, 4)
    BitConverter.ToInt32(buffer, 0)

let private lengths (stream: Stream) = length stream + length stream

let private text (stream: Stream) =
    use reader = new StreamReader(stream)
    reader.ReadToEnd()

let private frame (reader: BinaryReader) = reader.ReadBytes 4

let private sendLine (client: TcpClient) (line: string) =
    let writer = new StreamWriter(client.GetStream())
    writer.WriteLine line
    writer.Flush()

let ofAConnection (client: TcpClient) =
    task {
        let stream = client.GetStream()
        return length stream // PLT202 warning
    }

let throughAnother (client: TcpClient) = task { return lengths (client.GetStream()) } // PLT202 warning

let byItsType (stream: NetworkStream) = task { return length stream } // PLT202 warning

let byAReader (client: TcpClient) = task { return text (client.GetStream()) } // PLT202 warning

let binary (client: TcpClient) =
    task {
        use reader = new BinaryReader(client.GetStream())
        return frame reader // PLT202 warning
    }

let ofItsOwn (client: TcpClient) = task { sendLine client "a" } // PLT202 warning

type Session(client: TcpClient) =
    let stream = client.GetStream()
    member _.Length() = task { return length stream } // PLT202 warning

// its wait is short on most machines
let ofAFile (path: string) =
    task {
        use file = File.OpenRead path
        return lengths file // PLT202 info
    }
