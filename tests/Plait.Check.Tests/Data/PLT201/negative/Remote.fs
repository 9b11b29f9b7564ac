// Calls on such objects that wait for nothing.
module PLT201.Negative.Remote

open System.IO
open System.IO.Pipes
open System.Net.Sockets

let noBuffer (stream: NetworkStream) (pipe: PipeStream) =
    task {
        stream.Flush()
        pipe.Flush()
    }

let inMemory (stream: MemoryStream) (buffer: byte[]) =
    task {
        stream.ReadExactly(buffer, 0, 9)
        stream.WriteByte 1uy
        return stream.ReadByte()
    }

let ofAText (reader: StringReader) = task { return reader.Read() }
