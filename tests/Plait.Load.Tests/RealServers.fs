// The load engine against servers of Debian's packages: its counts are those of their logs. Skipped with a reason where a server
// is not installed.
module Plait.Load.Tests.RealServers

open System
open System.Diagnostics
open System.IO
open System.Net
open System.Net.Sockets
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer

/// A program of the PATH, or of the folders of servers, which a user's PATH may not have.
let private programs (name: string) =
    [
        yield! (string (Environment.GetEnvironmentVariable "PATH")).Split(Path.PathSeparator)
        "/usr/local/sbin"
        "/usr/sbin"
        "/sbin"
    ]
    |> List.filter ((<>) "")
    |> List.map (fun folder -> Path.Combine(folder, name))
    |> List.tryFind File.Exists

let private listens (port: int) () =
    use trial = new TcpClient()

    try
        trial.Connect(IPAddress.Loopback, port)
        true
    with :? SocketException ->
        false

/// A server as a process in the foreground, with a folder of its own. `write`: its configuration for a folder; it listens at
/// `port` when it is ready.
type private RealServer(name: string, port: int, write: string -> string, arguments: string -> string list) =
    let folder = new Built.Folder()

    let program =
        match programs name with
        | Some program -> program
        | None ->
            Assert.Skip(
                match name with
                | "python3" -> "python3 is not installed: run 'apt-get install python3'"
                | _ -> $"{name} is not installed: run 'make servers'"
            )

            ""

    let child =
        let configuration = folder.File "server.conf"
        Directory.CreateDirectory(folder.File "www") |> ignore
        File.WriteAllText(folder.File "www/a.txt", "hi\n")
        // Servers may write under another user.
        File.SetUnixFileMode(folder.File "", enum<UnixFileMode> 0o777)
        File.WriteAllText(configuration, write (folder.File ""))

        let info =
            // In a session of its own: Apache ends its whole process group, which would be that of the tests.
            ProcessStartInfo("setsid", program :: arguments configuration, RedirectStandardError = true)

        nonNull (Process.Start info)

    let errors = child.StandardError.ReadToEndAsync()

    do
        Within.comes $"{name} listens, or has ended" (fun () -> child.HasExited || listens port ())
        Assert.False(child.HasExited, (if child.HasExited then errors.Result else ""))

    member _.Url = $"http://127.0.0.1:{port}/a.txt"

    /// Whether it has ended by itself.
    member _.HasCrashed = child.WaitForExit 100

    /// The lines of its log, when there are so many.
    member _.Log(count: int64) : string[] =
        let read () =
            use file =
                new FileStream(folder.File "log", FileMode.OpenOrCreate, FileAccess.Read, FileShare.ReadWrite)

            (new StreamReader(file)).ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries)

        Within.comes $"{count} lines are in the log of {name}" (fun () -> read().LongLength >= count)
        read ()

    interface IDisposable with
        member _.Dispose() =
            if not child.HasExited then
                // So that it ends its workers too.
                use kill = Process.Start("kill", [ "-TERM"; string child.Id ])
                kill.WaitForExit()
                child.WaitForExit()

            child.Dispose()
            (folder :> IDisposable).Dispose()

/// Its log has the number of the connection in front of each request, and no line for a connection without a request.
let private nginx (listen: string) (settings: string) =
    let port = Ports.free ()

    let write (folder: string) =
        let temporary =
            [ "client_body"; "proxy"; "fastcgi"; "uwsgi"; "scgi" ]
            |> List.map (fun name -> $"{name}_temp_path {folder}/{name};")
            |> String.concat " "

        $"daemon off; worker_processes 1; pid {folder}/pid; error_log stderr warn; events {{ worker_connections 512; }}\n"
        + $"http {{ log_format short '$connection $status'; access_log {folder}/log short; {temporary} {settings}\n"
        + $"server {{ listen 127.0.0.1:{port}{listen}; root {folder}/www; }} }}\n"

    new RealServer("nginx", port, write, (fun file -> [ "-e"; "stderr"; "-c"; file ]))

let private expecting (plan: Plan) = { plan with ExpectBody = None }

let private isLog (server: RealServer) (outcome: Outcome) =
    let lines = server.Log outcome.Requests
    Assert.Equal(outcome.Requests, lines.LongLength)
    Assert.Equal(outcome.Right, lines |> Array.filter _.EndsWith(" 200") |> Array.length |> int64)
    lines |> Array.distinctBy (fun line -> line.Split(' ')[0]) |> Array.length |> int64

[<Theory; InlineData true; InlineData false; Trait("run", "more")>]
let ``nginx logs as many requests and connections as are counted`` (isOpen: bool) =
    use server = nginx "" "keepalive_requests 25;"
    let model = if isOpen then Open(Constant 200.0, 100) else Closed 3

    let outcome =
        { expecting (plan server.Url model 1000) with MaxRequests = Some 200L } |> attack

    Assert.Equal((200L, 200L), (outcome.Requests, outcome.Right))
    let connections = isLog server outcome
    // One that was opened and not used is in no log.
    Assert.InRange(outcome.Counts.Connects.Count, connections, connections + 3L)
    // how many more than 200 / 25 the open model needs is the machine's doing
    Assert.InRange(connections, 8L, (if isOpen then 100L else 20L))

[<Theory;
  InlineData(true, 4);
  InlineData(false, 4);
  InlineData(true, 1);
  InlineData(false, 1);
  Trait("run", "more")>]
let ``requests that nginx has not taken up before its GOAWAY are sent again``
    (isOpen: bool)
    (connections: int)
    =
    for settings in [ "keepalive_requests 50;"; "" ] do
        use server = nginx " http2" settings

        let model =
            if isOpen then Open(Constant 2000.0, connections) else Closed connections

        let outcome =
            { expecting (plan server.Url model 60_000) with
                MaxRequests = Some 3000L
                Connecting = { ConnectionOptions.Default with Protocol = Http2 20; Grows = false }
            }
            |> attack

        Assert.Equal((3000L, 0L), (outcome.Right, count RequestResult.GoAway outcome))
        isLog server outcome |> ignore

[<Fact; Trait("run", "more")>]
let ``Apache with few processes serves a low rate without a timeout`` () =
    let port = Ports.free ()

    let write (folder: string) =
        let modules =
            [ "mpm_prefork"; "authz_core" ]
            |> List.map (fun name -> $"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so")
            |> String.concat "\n"

        $"ServerRoot {folder}\nPidFile {folder}/pid\nListen 127.0.0.1:{port}\nServerName localhost\n{modules}\n"
        + $"ErrorLog {folder}/errors\nLogFormat \"- %%>s\" short\nCustomLog {folder}/log short\nDocumentRoot {folder}/www\n"
        + "User www-data\nGroup www-data\nStartServers 2\nServerLimit 2\nMaxRequestWorkers 2\nKeepAliveTimeout 5\n"

    use server =
        new RealServer("apache2", port, write, (fun file -> [ "-f"; file; "-DFOREGROUND" ]))

    let outcome = expecting (plan server.Url (Open(Constant 20.0, 100)) 2000) |> attack
    Assert.Equal((40L, 40L), (outcome.Requests, outcome.Right))
    isLog server outcome |> ignore

[<Fact; Trait("run", "more")>]
let ``haproxy with few connections serves a low rate without a timeout`` () =
    use behind = nginx "" ""
    let port = Ports.free ()
    let place = (Uri behind.Url).Authority

    let write (_: string) =
        "defaults\n mode http\n timeout client 10s\n timeout server 10s\n timeout connect 2s\n"
        + $"frontend f\n bind 127.0.0.1:{port}\n maxconn 2\n default_backend b\nbackend b\n server s {place} maxconn 1\n"

    use server = new RealServer("haproxy", port, write, (fun file -> [ "-f"; file ]))
    let outcome = expecting (plan server.Url (Open(Constant 50.0, 100)) 2000) |> attack
    Assert.Equal((100L, 100L), (outcome.Requests, outcome.Right))
    isLog behind outcome |> ignore

/// A server that a script makes: LOG, PORT and WWW stand for the log, the port and a folder with a.txt.
let private scripted (program: string) (script: string) =
    let port = Ports.free ()

    let write (folder: string) =
        script
            .Replace("LOG", $"\"{folder}/log\"")
            .Replace("PORT", string port)
            .Replace("WWW", $"\"{folder}/www\"")

    new RealServer(program, port, write, List.singleton)

// A line of the log for each request: the number of its connection, and the status.
let private nodeScript (server: string) =
    "const fs = require('fs'), log = fs.openSync(LOG, 'a'); let connections = 0\n"
    + "const answer = (request, response) => {\n"
    + "  const socket = request.stream ? request.stream.session : request.socket\n"
    + "  socket.number ??= ++connections\n"
    + "  fs.writeSync(log, `${socket.number} 200\\n`)\n"
    + "  response.end('hi') }\n"
    + $"const server = {server}; server.listen(PORT, '127.0.0.1')\n"
    + "process.on('SIGTERM', () => process.exit())\n"

let private node (isHttp2: bool) =
    if isHttp2 then
        // It ends each session by GOAWAY, as nginx does behind keepalive_requests.
        nodeScript
            "require('http2').createServer(answer); server.on('session', session => { let left = 50; session.on('stream', () => { if (--left === 0) session.close() }) })"
    else
        nodeScript "require('http').createServer(answer); server.maxRequestsPerSocket = 50"
    |> scripted "node"

[<Theory;
  InlineData(false, true, 4);
  InlineData(false, false, 4);
  InlineData(false, false, 1);
  InlineData(true, true, 4);
  InlineData(true, false, 4);
  InlineData(true, false, 1);
  Trait("run", "more")>]
let ``node logs as many requests as are counted, and none fails where it ends its connections``
    (isHttp2: bool)
    (isOpen: bool)
    (connections: int)
    =
    let model =
        if isOpen then Open(Constant 1000.0, connections) else Closed connections

    // On a busy machine, node 20 at times ends by an error in its own heap: "malloc(): mismatching next->prev_size".
    let rec served (tries: int) =
        use server = node isHttp2

        let plan =
            { expecting (plan server.Url model 60_000) with MaxRequests = Some 1000L }

        let outcome =
            (if isHttp2 then
                 { plan with
                     Connecting = { ConnectionOptions.Default with Protocol = Http2 20; Grows = false }
                 }
             else
                 plan)
            |> attack

        if server.HasCrashed && tries > 1 then
            served (tries - 1)
        else
            Assert.Equal((1000L, 1000L), (outcome.Requests, outcome.Right))
            let used = isLog server outcome
            Assert.InRange(used, 1000L / 50L, outcome.Counts.Connects.Count)

    served 3

// The scripts number their connections themselves: the port of a client can come a second time.
let private oneThread =
    "import http.server, itertools\nlog = open(LOG, 'a', buffering=1)\nnumbers = itertools.count()\n"
    + "class Answer(http.server.BaseHTTPRequestHandler):\n"
    + "    def setup(self):\n"
    + "        super().setup(); self.number = next(numbers)\n"
    + "    def do_GET(self):\n"
    + "        self.send_response(200); self.send_header('Content-Length', '2'); self.end_headers(); self.wfile.write(b'hi')\n"
    + "    def log_message(self, *parts): log.write(f'{self.number} 200\\n')\n"
    + "http.server.HTTPServer(('127.0.0.1', PORT), Answer).serve_forever()\n"

// As the sync workers of gunicorn: processes that take one connection each, answer one request, and close it.
let private prefork =
    "import itertools, os, signal, socket\nserver = socket.create_server(('127.0.0.1', PORT), backlog=64)\n"
    + "log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND)\n"
    + "workers = []\n"
    + "def work():\n"
    + "    for number in itertools.count():\n"
    + "        peer, _ = server.accept()\n"
    + "        head = b''\n"
    + "        try:\n"
    + "            while b'\\r\\n\\r\\n' not in head:\n"
    + "                more = peer.recv(65536)\n"
    + "                if not more: break\n"
    + "                head += more\n"
    + "            if head:\n"
    + "                os.write(log, b'%d-%d 200\\n' % (os.getpid(), number))\n"
    + "                peer.sendall(b'HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: 2\\r\\n\\r\\nhi')\n"
    // The client was gone: the worker goes on.
    + "        except OSError: pass\n"
    + "        peer.close()\n"
    + "for _ in range(2):\n"
    + "    worker = os.fork()\n"
    + "    if worker == 0: work()\n"
    + "    workers.append(worker)\n"
    + "def end(*_):\n"
    + "    for worker in workers: os.kill(worker, signal.SIGKILL)\n"
    + "    os._exit(0)\n"
    + "signal.signal(signal.SIGTERM, end)\n"
    + "while True: signal.pause()\n"

[<Theory;
  InlineData(true, true);
  InlineData(true, false);
  InlineData(false, true);
  InlineData(false, false);
  Trait("run", "more")>]
let ``servers of Python with one thread or two processes answer every request that is counted``
    (isPrefork: bool)
    (isOpen: bool)
    =
    use server = scripted "python3" (if isPrefork then prefork else oneThread)
    let model = if isOpen then Open(Constant 20.0, 100) else Closed 2
    let plan = expecting (plan server.Url model 60_000)
    let outcome = { plan with MaxRequests = Some 60L } |> attack
    Assert.Equal((60L, 60L), (outcome.Requests, outcome.Right))
    // Each answers one request a connection.
    Assert.Equal(60L, isLog server outcome)
