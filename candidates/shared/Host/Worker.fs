// Layer: host. The life of a candidate's process: lines of JSON in, one line of JSON out for each, until standard input
// ends. Standard output belongs to the answers alone.
namespace Plait.Lab.Host

open System
open System.Collections.Concurrent
open System.Net
open System.Runtime
open System.Threading

/// Runs a candidate.
module Worker =

    // How long requests that were read before standard input ended may still take.
    let private grace = TimeSpan.FromSeconds 2.0

    // Reads on a thread of its own, so that the end of standard input is seen while a request runs.
    let private lines () =
        let queue = new BlockingCollection<string>()

        let rec read () =
            match Console.In.ReadLine() with
            | null ->
                queue.CompleteAdding()
                Thread.Sleep grace
                exit 0
            | line ->
                queue.Add line
                read ()

        Thread(read, IsBackground = true, Name = "standard input").Start()
        queue.GetConsumingEnumerable()

    let private introduce (description: Description) syncFn =
        Answer.send (fun writer ->
            writer.WriteBoolean("ready", true)
            writer.WriteString("candidate", description.Name)
            writer.WriteBoolean("syncFn", syncFn)
            writer.WriteNumber("pid", Environment.ProcessId)
            writer.WriteString("runtime", string Environment.Version)
            writer.WriteString("library", Option.toObj description.Library)
            writer.WriteString("libraryVersion", Option.toObj description.LibraryVersion)
            writer.WriteBoolean("serverGc", GCSettings.IsServerGC)
            writer.WriteNumber("processorCount", Environment.ProcessorCount))

    // Programs nest as deep as their lists are long, and an effect takes up to a kilobyte of stack for each step.
    let private stackSize = 256 * 1024 * 1024

    let private live (makeEngine: bool -> Engine) syncFn description =
        introduce description syncFn
        let state = WorkerState(makeEngine syncFn)

        let answerAll () =
            for line in lines () do
                Requests.handle state line

        let worker = Thread(answerAll, stackSize, Name = "requests")
        worker.Start()
        worker.Join()
        0

    // For runners that cannot speak to it: it serves at once, until it is ended.
    let private serve (makeEngine: bool -> Engine) syncFn (endpoint: string) =
        let address, port =
            match endpoint.LastIndexOf ':' with
            | -1 -> "127.0.0.1", endpoint
            | colon -> endpoint.Substring(0, colon), endpoint.Substring(colon + 1)

        match IPAddress.TryParse address, Int32.TryParse port with
        | (true, address), (true, port) when not (isNull address) && port >= 0 && port < 65536 ->
            let port =
                Server.startOn (nonNull address) (makeEngine syncFn) (fun () -> None) port

            Answer.send (fun writer -> writer.WriteString("ready", $"serving on {address}:{port}"))
            Thread.Sleep Timeout.Infinite
            0
        | _ ->
            eprintfn
                $"--serve takes a port or an address and a port such as 0.0.0.0:5000, and '{endpoint}' is neither"

            2

    let private complain (sentence: string) =
        eprintfn "%s" sentence
        2

    // The switches among the arguments, and the arguments that are none.
    let private switches (arguments: string list) =
        ((Defects.None, []), arguments)
        ||> List.fold (fun (defects, rest) argument ->
            match Defects.read defects argument with
            | Some defects -> defects, rest
            | None -> defects, rest @ [ argument ])

    // Makes its engine, and so its table of functions, for every request.
    let private anew (makeEngine: unit -> Engine) =
        { new Engine() with
            override _.Start program = makeEngine().Start program
        }

    /// The entry point of every candidate. `makeEngine` gets true if --sync-fn was given. Returns the exit code.
    let run (makeEngine: bool -> Engine) (arguments: string[]) : int =
        // Whatever a library prints must not fall between the answers.
        Console.SetOut Console.Error
        let description = Description.read ()

        let defects, arguments = switches (List.ofArray arguments)
        Defects.Current <- defects

        let makeEngine syncFn =
            if defects.TablePerRequest then anew (fun () -> makeEngine syncFn) else makeEngine syncFn

        match arguments with
        | [] -> live makeEngine false description
        | [ "--sync-fn" ] when description.SyncFn -> live makeEngine true description
        | [ "--serve"; endpoint ] -> serve makeEngine false endpoint
        | [ "--sync-fn"; "--serve"; endpoint ] when description.SyncFn -> serve makeEngine true endpoint
        | [ "--sync-fn" ] -> complain $"{description.Name} wraps no calls, so --sync-fn does not apply to it"
        | other ->
            complain
                $"""{String.concat " " other}: known here are --sync-fn, --serve, --logging, --fn-table=per-request|once, --json=indented|compact, --trace-written=FILE and --trace-forced=FILE"""
