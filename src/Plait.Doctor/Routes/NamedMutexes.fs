// The named mutexes that threads of a process wait for, and their holders. The runtime has such a mutex in a file that all of its
// processes map. A waiting thread is in a system call with an address in that file, and at the address is the number of the
// holder's thread. Linux alone; stops nothing. Contexts uses it.
module internal Plait.Doctor.NamedMutexes

open System
open System.Globalization
open System.IO

/// The mapped file of a named mutex.
type MutexFile =
    {
        From: uint64
        Until: uint64
        /// Its device and inode in the kernel's form: the same in all processes that map it.
        File: string
        Name: string
    }

let private hexadecimal (text: string) : uint64 option =
    match UInt64.TryParse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture) with
    | true, value -> Some value
    | _ -> None

/// The mutex files among the lines of /proc/PID/maps: "7f00-7f01 rw-s 00000000 fe:00 42   /tmp/.dotnet/shm/session1/NAME".
let mapped (maps: string) : MutexFile list =
    [
        for line in maps.Split '\n' do
            match line.IndexOf '/', line.IndexOf("/shm/", StringComparison.Ordinal) with
            | at, inside when inside > at && at > 0 && line.Contains("/.dotnet", StringComparison.Ordinal) ->
                match line.Substring(0, at).Split(' ', StringSplitOptions.RemoveEmptyEntries) with
                | [| addresses; _; _; device; inode |] ->
                    match addresses.Split '-' |> Array.map hexadecimal with
                    | [| Some from; Some until |] ->
                        {
                            From = from
                            Until = until
                            File = $"{device} {inode}"
                            Name = line.Substring(line.LastIndexOf '/' + 1).Trim()
                        }
                    | _ -> ()
                | _ -> ()
            | _ -> ()
    ]

/// The first argument of a thread's system call, by /proc/PID/task/TID/syscall: "202 0x7f00 0x189 ...".
let private argument (call: string) : uint64 option =
    match call.Split ' ' |> Array.tryItem 1 with
    | Some word when word.StartsWith "0x" -> hexadecimal (word.Substring 2)
    | _ -> None

/// The mutex whose file contains the address of a thread's wait, and that address.
let waitedFor (files: MutexFile list) (call: string) : (uint64 * MutexFile) option =
    argument call
    |> Option.bind (fun address ->
        files
        |> List.tryFind (fun file -> file.From <= address && address < file.Until)
        |> Option.map (fun file -> address, file))

/// The thread number in the word of a lock; 0: nobody holds it.
let private ownerOf (word: uint32) : int = int (word &&& 0x3fffffffu)

/// The facts of /proc that lead from a thread's number to the holder.
type ProcLookup =
    {
        /// Of any thread.
        Status: int -> ProcFiles.Status option
        /// The threads of a process.
        Tasks: int -> int list
        /// The files of mutexes that a process maps.
        Files: int -> MutexFile list
        Name: int -> string
    }

/// The thread with this number in the word of a mutex in this file. The number belongs to the pid namespace of the process that
/// locked it, which may be another namespace than the doctor's: then only threads of process `pid` can be found by it.
let holder (proc: ProcLookup) (pid: int) (file: MutexFile) (owner: int) : Holder =
    let hasOwnNumbers (status: ProcFiles.Status) = status.Numbers.Length > 1

    match proc.Status pid with
    | _ when owner = 0 -> Holder.Unknown
    | None -> Holder.Unknown
    | Some status when hasOwnNumbers status ->
        proc.Tasks pid
        |> List.tryFind (fun task ->
            proc.Status task |> Option.exists (fun status -> List.tryLast status.Numbers = Some owner))
        |> Option.map Holder.Thread
        |> Option.defaultValue Holder.Unknown
    | Some _ ->
        match proc.Status owner with
        | Some status when status.Leader = pid -> Holder.Thread owner
        | Some status when
            not (hasOwnNumbers status)
            && proc.Files status.Leader |> List.exists (fun other -> other.File = file.File)
            ->
            Holder.Process(status.Leader, proc.Name status.Leader)
        | _ -> Holder.Unknown

let private files (pid: int) : MutexFile list =
    ProcFiles.memoryMap pid |> Option.map mapped |> Option.defaultValue []

let private proc: ProcLookup =
    {
        Status = ProcFiles.status
        Tasks = ProcFiles.tasks
        Files = files
        Name = ProgramName.ofProcess
    }

/// The named mutexes that these threads of a process wait for.
let read (pid: int) (threads: int seq) : Map<int, HeldLock> =
    let files = files pid

    let waiting =
        [
            if not files.IsEmpty then
                for thread in threads do
                    match ProcFiles.call pid thread |> Option.bind (waitedFor files) with
                    | Some(address, file) -> thread, address, file
                    | None -> ()
        ]

    let holders () =
        use memory = File.OpenHandle $"/proc/{pid}/mem"
        let buffer = Array.zeroCreate<byte> 4

        Map.ofList
            [
                for address, file in
                    waiting |> List.map (fun (_, address, file) -> address, file) |> List.distinct do
                    // a page that was unmapped meanwhile has no holder
                    let count =
                        ProcFiles.ifReadable (fun () -> RandomAccess.Read(memory, Span buffer, int64 address))

                    if count = Some 4 then
                        address, holder proc pid file (ownerOf (BitConverter.ToUInt32 buffer))
            ]

    let holders =
        if waiting.IsEmpty then
            Map.empty
        else
            ProcFiles.ifReadable holders |> Option.defaultValue Map.empty

    Map.ofList
        [
            for thread, address, file in waiting do
                let holder = Map.tryFind address holders |> Option.defaultValue Holder.Unknown
                thread, { IsMutex = true; Name = Some file.Name; Holder = holder }
        ]
