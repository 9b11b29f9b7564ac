// The named mutexes that threads of a process wait for, and the threads that hold them. The runtime keeps such a mutex in a file that all
// of its processes map, and a thread that waits for one stands in a call of the kernel with an address of that file, at which the number of
// the holder's thread is. Linux alone; nothing is stopped. The reader of contexts asks.
module internal Plait.Doctor.NamedMutexes

open System
open System.Globalization
open System.IO

/// A mapped file of a named mutex: its addresses, and its name.
type private Mapped = { From: uint64; Until: uint64; Name: string }

let private hexadecimal (text: string) : uint64 option =
    match UInt64.TryParse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture) with
    | true, value -> Some value
    | _ -> None

/// The mutex files among the lines of /proc/PID/maps: "7f00-7f01 rw-s 00000000 fe:00 42   /tmp/.dotnet/shm/session1/NAME".
let private mapped (maps: string) : Mapped list =
    [
        for line in maps.Split '\n' do
            match line.IndexOf '/', line.IndexOf("/shm/", StringComparison.Ordinal) with
            | at, inside when inside > at && at > 0 && line.Contains("/.dotnet", StringComparison.Ordinal) ->
                match line.Substring(0, line.IndexOf ' ').Split '-' |> Array.map hexadecimal with
                | [| Some from; Some until |] ->
                    { From = from; Until = until; Name = line.Substring(line.LastIndexOf '/' + 1).Trim() }
                | _ -> ()
            | _ -> ()
    ]

/// The first argument of the call of the kernel in which a thread stands, by /proc/PID/task/TID/syscall: "202 0x7f00 0x189 ...".
let private argument (call: string) : uint64 option =
    match call.Split ' ' |> Array.tryItem 1 with
    | Some word when word.StartsWith "0x" -> hexadecimal (word.Substring 2)
    | _ -> None

/// The mutex whose file, by the maps of a process, has the address in which a thread waits: the address and the name.
let waitedFor (maps: string) (call: string) : (uint64 * string) option =
    argument call
    |> Option.bind (fun address ->
        mapped maps
        |> List.tryFind (fun file -> file.From <= address && address < file.Until)
        |> Option.map (fun file -> address, file.Name))

/// The number of the thread in the word of a lock that ends with its holder; 0: nobody holds it.
let private ownerOf (word: uint32) : int = int (word &&& 0x3fffffffu)

let private holder (pid: int) (owner: int) : Holder =
    match (if owner = 0 then None else ProcFiles.status owner) with
    | None -> Holder.Unknown
    | Some status when status.Leader = pid -> Holder.Thread owner
    | Some status -> Holder.Process(status.Leader, ProgramName.ofProcess status.Leader)

/// The named mutexes that these threads of a process wait for.
let read (pid: int) (threads: int seq) : Map<int, HeldLock> =
    let file (path: string) =
        ProcFiles.ifReadable (fun () -> File.ReadAllText path)

    match file $"/proc/{pid}/maps" with
    | Some maps when not (mapped maps).IsEmpty ->
        let word (address: uint64) =
            ProcFiles.ifReadable (fun () ->
                use memory = File.OpenHandle $"/proc/{pid}/mem"
                let buffer = Array.zeroCreate<byte> 4

                if RandomAccess.Read(memory, Span buffer, int64 address) = 4 then
                    BitConverter.ToUInt32 buffer
                else
                    0u)
            |> Option.defaultValue 0u

        Map.ofSeq
            [
                for thread in threads do
                    match file $"/proc/{pid}/task/{thread}/syscall" |> Option.bind (waitedFor maps) with
                    | Some(address, name) ->
                        thread,
                        { IsMutex = true; Name = Some name; Holder = holder pid (ownerOf (word address)) }
                    | None -> ()
            ]
    | _ -> Map.empty
