// Calls on such objects that wait for nothing.
module PLT201.Negative.Remote

open System.IO
open System.IO.Pipes
open System.Net.Http
open System.Net.Security
open System.Net.Sockets

let noBuffer (stream: NetworkStream) (pipe: PipeStream) =
    task {
        stream.Flush()
        pipe.Flush()
    }

let noBufferOfTheirOwn (stream: SslStream) (other: NegotiateStream) =
    task {
        stream.Flush()
        other.Flush()
    }

// it has the bytes, or gives the stream of the connection
let content (content: HttpContent) = task { return content.ReadAsStream() }

let inMemory (stream: MemoryStream) (buffer: byte[]) =
    task {
        stream.ReadExactly(buffer, 0, 9)
        stream.WriteByte 1uy
        return stream.ReadByte()
    }

let ofAText (reader: StringReader) = task { return reader.Read() }

let table (table: System.Data.DataTable) =
    task {
        use rows = table.CreateDataReader()

        while rows.Read() do
            printfn "%O" rows[0]
    }

let endInMemory (stream: MemoryStream) =
    task {
        use reader = new StreamReader(stream)
        return reader.EndOfStream
    }

let ofFiles (path: string) (stream: Stream) =
    task {
        use writer = new StreamWriter(path)
        do! writer.WriteAsync "a"
        writer.Flush()
        use numbers = new BinaryReader(stream)
        return numbers.ReadInt32()
    }

let inABuffer (client: System.Net.Sockets.TcpClient) =
    task {
        use writer = new StreamWriter(client.GetStream())
        writer.WriteLine "a"
        do! writer.FlushAsync()
    }

let unconnected () =
    task {
        use client = new System.Net.Sockets.TcpClient()
        use other = new System.Net.Sockets.TcpClient(System.Net.Sockets.AddressFamily.InterNetworkV6)
        do! client.ConnectAsync("localhost", 80)
        do! other.ConnectAsync("localhost", 80)
    }

let outputOfAnEndedProcess (tool: System.Diagnostics.Process) =
    task {
        do! tool.WaitForExitAsync()
        let said = tool.StandardOutput.ReadToEnd()
        let errors = tool.StandardError
        return said, errors.ReadToEnd()
    }
