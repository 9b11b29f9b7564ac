// Socket.Receive: the thread stands until the other side sends. `let! count = socket.ReceiveAsync buffer` waits without one.
// doctor: STARVED socket
// function: Quotes.ask
module Sick.Quotes

open System.Net
open System.Net.Sockets
open System.Text

let ask (server: IPEndPoint) (order: int) =
    use socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
    socket.Connect server
    let buffer: byte[] = Array.zeroCreate 64
    let count = socket.Receive buffer // blamed
    float order * float (Encoding.ASCII.GetString(buffer, 0, count))

/// No thread waits.
let cured (server: IPEndPoint) (order: int) =
    task {
        use socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
        do! socket.ConnectAsync server
        let buffer: byte[] = Array.zeroCreate 64
        let! count = socket.ReceiveAsync buffer
        return float order * float (Encoding.ASCII.GetString(buffer, 0, count))
    }

let start () =
    let server = SlowServer.start ()
    Load.backlog (ask server >> ignore)
