// Calls that wait for another process or machine: databases, the network, pipes, the console. Their objects tell by their
// types, also where the member belongs to a base class.
module PLT201.Positive.Remote

open System
open System.Data
open System.Data.Common
open System.Diagnostics
open System.IO
open System.IO.Pipes
open System.Net.Http
open System.Net.Security
open System.Net.Sockets
open System.Threading

let ofTheNetwork (stream: NetworkStream) (buffer: byte[]) =
    task {
        let count = stream.Read(buffer, 0, 9) // PLT201 warning
        stream.Write(buffer, 0, count) // PLT201 warning
        stream.ReadExactly(buffer, 0, 9) // PLT201 warning
        return stream.ReadByte() // PLT201 warning
    }

let encrypted (stream: SslStream) (buffer: byte[]) =
    task { return stream.Read(buffer, 0, 9) } // PLT201 warning

let ofAPipe (stream: NamedPipeClientStream) = task { return stream.ReadByte() } // PLT201 warning

let toAPipe (stream: AnonymousPipeServerStream) = task { stream.WriteByte 1uy } // PLT201 warning

let asAStream (client: TcpClient) (buffer: byte[]) =
    task {
        let stream: Stream = client.GetStream()
        return stream.Read(buffer, 0, 9) // PLT201 warning
    }

let readerOfIt (client: TcpClient) =
    task {
        use reader = new StreamReader(client.GetStream())
        return reader.ReadLine() // PLT201 warning
    }

let endOfIt (client: TcpClient) =
    task {
        use reader = new StreamReader(client.GetStream())

        while not reader.EndOfStream do // PLT201 warning
            let! line = reader.ReadLineAsync()
            printfn "%s" line
    }

let readerOfAParameter (stream: NetworkStream) =
    task {
        let reader = new StreamReader(stream)
        return reader.ReadToEnd() // PLT201 warning
    }

let anyStream (stream: Stream) (buffer: byte[]) =
    task {
        let count = stream.ReadAtLeast(buffer, 1) // PLT201 info
        return stream.ReadByte() + count // PLT201 info
    }

let outputOf (child: Process) =
    task {
        let line = child.StandardOutput.ReadLine() // PLT201 warning
        let errors = child.StandardError
        return line, errors.ReadToEnd() // PLT201 warning
    }

let console () =
    task {
        let line = Console.In.ReadLine() // PLT201 warning
        return line, Console.Read() // PLT201 warning
    }

let transaction (connection: DbConnection) =
    task {
        use transaction = connection.BeginTransaction() // PLT201 warning
        transaction.Save "point" // PLT201 warning
        transaction.Rollback() // PLT201 warning
        transaction.Commit() // PLT201 warning
    }

let results (reader: DbDataReader) = task { return reader.NextResult() } // PLT201 warning

let byInterfaces (connection: IDbConnection) (command: IDbCommand) =
    task {
        connection.Open() // PLT201 warning
        use transaction = connection.BeginTransaction() // PLT201 warning
        let count = command.ExecuteNonQuery() // PLT201 warning
        use reader = command.ExecuteReader() // PLT201 warning
        let isRow = reader.Read() // PLT201 warning
        transaction.Commit() // PLT201 warning
        return count, isRow, command.ExecuteScalar() // PLT201 warning
    }

let byType (connection: IDbConnection) =
    task {
        match connection with
        | :? DbConnection as connection -> do! connection.OpenAsync()
        | _ -> connection.Open() // PLT201 info
    }

let byTypes (command: IDbCommand) =
    async {
        if command :? DbCommand then
            return! (command :?> DbCommand).ExecuteNonQueryAsync() |> Async.AwaitTask
        else
            return command.ExecuteNonQuery() // PLT201 info
    }

let awaitsNone (connection: IDbConnection) =
    task {
        match connection with
        | :? DbConnection as connection -> connection.Open() // PLT201 warning
        | _ -> connection.Open() // PLT201 warning
    }

let filled (adapter: DbDataAdapter) (data: DataSet) = task { return adapter.Fill data } // PLT201 warning

let content (content: HttpContent) (file: Stream) =
    task { content.CopyTo(file, null, CancellationToken.None) } // PLT201 warning

let sent (invoker: HttpMessageInvoker) (request: HttpRequestMessage) =
    task { return invoker.Send(request, CancellationToken.None) } // PLT201 warning

let connecting (host: string) =
    async {
        use client = new TcpClient(host, 80) // PLT201 warning
        return client.Connected
    }

let outputOfARunningProcess (tool: System.Diagnostics.Process) (token: CancellationToken) =
    task {
        let said = tool.StandardOutput.ReadToEnd() // PLT201 warning
        do! tool.WaitForExitAsync token
        return said
    }

let polled (socket: Socket) = task { return socket.Poll(1_000_000, SelectMode.SelectRead) } // PLT201 warning

let changed (watcher: FileSystemWatcher) = task { return watcher.WaitForChanged WatcherChangeTypes.All } // PLT201 warning

let flushed (client: TcpClient) =
    task {
        use writer = new StreamWriter(client.GetStream())
        do! writer.WriteLineAsync "a"
        writer.Flush() // PLT201 warning
    }

let binary (client: TcpClient) =
    task {
        use reader = new BinaryReader(client.GetStream())
        use writer = new BinaryWriter(client.GetStream())
        writer.Write 1 // PLT201 warning
        return reader.ReadInt32(), reader.ReadBytes 4 // PLT201 warning, PLT201 warning
    }

let private opened (client: TcpClient) = new StreamReader(client.GetStream())

let ofAFunction (client: TcpClient) =
    task {
        use reader = opened client
        return reader.ReadLine() // PLT201 warning
    }

type Session(client: TcpClient) =
    let stream = client.GetStream()
    let reader = new StreamReader(stream)
    let writer = new StreamWriter(stream)

    member _.Ask() =
        task {
            do! writer.WriteLineAsync "a"
            writer.Flush() // PLT201 warning
            return reader.ReadLine() // PLT201 warning
        }
