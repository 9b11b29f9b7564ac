// The program on which the installed tool is tried: a service that answers on a port of its own choice, blocks a thread, and ends
// with its input.
open System
open System.Net
open System.Net.Sockets
open System.Text
open System.Threading.Tasks

let answer =
    Encoding.ASCII.GetBytes "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

let serve (client: TcpClient) =
    task {
        use client = client
        use stream = client.GetStream()
        let buffer = Array.zeroCreate<byte> 4096
        let mutable isOpen = true

        while isOpen do
            // each request comes in one piece
            let! count = stream.ReadAsync(buffer, 0, buffer.Length)
            isOpen <- count > 0

            if isOpen then
                Task.Delay(1).Wait()
                do! stream.WriteAsync(answer, 0, answer.Length)
    }

let accept (listener: TcpListener) =
    task {
        while true do
            let! client = listener.AcceptTcpClientAsync()
            client.NoDelay <- true
            Task.Run<unit>(fun () -> serve client) |> ignore
    }

let listener = new TcpListener(IPAddress.Loopback, 0)
listener.Start()
accept listener |> ignore
let port = (listener.LocalEndpoint :?> IPEndPoint).Port
Console.WriteLine $"{Environment.ProcessId} http://127.0.0.1:{port}/"
Console.In.ReadToEnd() |> ignore
