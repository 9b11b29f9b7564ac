// Stopping the threads of another process for moments, one at a time: each gives its registers and its stack, and
// continues. Stacks are walked afterwards, in the copy, while the process runs. On Linux; only the debugger's route
// uses it.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.Runtime

/// The system's calls.
module private Ptrace =
    [<DllImport("libc", SetLastError = true)>]
    extern nativeint ptrace(int request, int thread, nativeint address, nativeint data)

    [<DllImport("libc")>]
    extern int usleep(uint32 microseconds)

    [<DllImport("libc")>]
    extern int getpriority(int which, int who)

    [<DllImport("libc")>]
    extern int setpriority(int which, int who, int nice)

    let private interrupt, private seize, private detach, private eventMessage =
        0x4207, 0x4206, 17, 0x4201

    /// Whether it could be taken hold of, which does not stop it; else the number of the system's error.
    let hold (thread: int) : Result<unit, int> =
        if ptrace (seize, thread, 0n, 0n) = 0n then Ok() else Error(Marshal.GetLastPInvokeError())

    let stop (thread: int) = ptrace (interrupt, thread, 0n, 0n) = 0n

    let letGo (thread: int) =
        ptrace (detach, thread, 0n, 0n) |> ignore

    /// Whether it stands: only a standing thread answers this call. The state of a child of this program goes to one
    /// waiter alone.
    let stands (thread: int) : bool =
        let place = Marshal.AllocHGlobal 8

        try
            ptrace (eventMessage, thread, 0n, place) = 0n
        finally
            Marshal.FreeHGlobal place

/// Stops threads of process `pid` for `limit` at the longest. Whatever happens, they go on when the thread that calls `Read` ends, or
/// this program does: to that thread the tracing belongs.
[<Sealed>]
type internal ThreadStops(pid: int, live: IDataReader, limit: TimeSpan) =
    /// Bytes of a stack from its innermost frame outwards, and of the runtime's own record of the thread.
    let most, record = 1 <<< 20, 4096

    /// The bytes that are copied at once, between two looks at the clock.
    let piece = 1 <<< 16

    /// The bytes that a function may use below the stack pointer.
    let redZone = 128UL

    /// For so long a thread that was told to stand is waited for, which runs on meanwhile: one that stands later is let go at once.
    let patience = TimeSpan.FromMilliseconds 500.0

    let buffer = Array.zeroCreate<byte> most
    let late = HashSet<int>()
    let stops = List<float>()
    let clock = Stopwatch.StartNew()
    /// When the thread that is read ran last.
    let mutable ran = TimeSpan.Zero
    /// When those that are late were looked at last.
    let mutable looked = TimeSpan.Zero
    let mutable refused = 0
    let mutable unread = 0

    // A reader that gives up counts them while they go on.
    let ended (stop: TimeSpan) =
        lock stops (fun () -> stops.Add stop.TotalMilliseconds)

    let stackPointer (context: byte[]) : uint64 =
        let at = if live.Architecture = Architecture.Arm64 then 0x100 else 0x98
        BitConverter.ToUInt64(context, at)

    // One mapping is one stack: between two of them lies a page that may not be read.
    let mappings =
        lazy
            [|
                for line in File.ReadLines $"/proc/{pid}/maps" do
                    match line.Split([| '-'; ' ' |], 3) with
                    | [| from; until; _ |] -> struct (Convert.ToUInt64(from, 16), Convert.ToUInt64(until, 16))
                    | _ -> ()
            |]

    let endOf (address: uint64) : uint64 =
        mappings.Value
        |> Array.tryPick (fun (struct (from, until)) ->
            if from <= address && address < until then Some until else None)
        |> Option.defaultValue (address + uint64 record)

    let isOver () = clock.Elapsed - ran >= limit

    /// The bytes from `address` on, `length` at most, that can be read until the time is up.
    let copy (address: uint64) (length: int) : struct (uint64 * byte[]) =
        let mutable filled = 0
        let mutable goesOn = true

        while goesOn && filled < length && not (isOver ()) do
            let wanted = min piece (length - filled)
            let read = live.Read(address + uint64 filled, Span(buffer, filled, wanted))
            filled <- filled + max 0 read
            goesOn <- read = wanted

        struct (address, buffer[.. filled - 1])

    let read (thread: int) (own: uint64) : StoodThread option =
        let context = Array.zeroCreate<byte> 2048

        if not (live.GetThreadContext(uint32 thread, 0u, Span context)) then
            None
        else
            let from = stackPointer context - redZone
            let length = int (min (uint64 most) (endOf from - from))
            let kept = copy own record
            Some { Thread = thread; Context = context; Memory = [ kept; copy from length ] }

    let letGoOfLate () =
        let now = clock.Elapsed

        for thread in List.ofSeq late do
            if Ptrace.stands thread then
                Ptrace.letGo thread
                ended (clock.Elapsed - looked)
                late.Remove thread |> ignore

        looked <- now

    let comesToStand (thread: int) : bool =
        let told = clock.Elapsed
        let mutable tries = 0
        let mutable stands = false
        let mutable goesOn = true

        while goesOn do
            letGoOfLate ()
            let now = clock.Elapsed
            stands <- Ptrace.stands thread

            if not stands then
                ran <- now

            goesOn <- not stands && now - told < patience
            tries <- tries + 1

            if goesOn && tries < 20 then
                Thread.Yield() |> ignore
            elif goesOn then
                Ptrace.usleep 50u |> ignore

        stands

    /// Our own thread goes before others while one of the process stands, where the system permits that, and as before afterwards.
    let nice = Ptrace.getpriority (0, 0)

    let hurried (work: unit -> 'T) : 'T =
        Ptrace.setpriority (0, 0, min nice (-10)) |> ignore

        try
            work ()
        finally
            Ptrace.setpriority (0, 0, nice) |> ignore

    do
        // The steps of a stop are run once with a thread that the system refuses to stop, so that the JIT keeps no
        // thread standing.
        read pid 0UL |> ignore
        comesToStand pid |> ignore
        Ptrace.stop pid |> ignore
        Ptrace.letGo pid

    /// Threads that have been given up, or that may not be traced.
    member _.Unread = unread

    /// The system's error where no thread at all could be taken hold of; 0: there was none.
    member _.Refused = if stops.Count = 0 then refused else 0

    /// From when each thread was last seen to run until it went on, in milliseconds: it stood for no longer.
    member _.Durations: float list = lock stops (fun () -> List.ofSeq stops)

    /// Stops a thread, which has its record at `own` in the runtime, and lets it go on. None: it did not stand in time, has ended, or
    /// may not be traced.
    member _.Read(thread: int, own: uint64) : StoodThread option =
        letGoOfLate ()
        // read before anything stands
        let mappings = mappings.Value

        match Ptrace.hold thread with
        | Error error ->
            refused <- error
            unread <- unread + 1
            None
        | Ok() ->
            let take () =
                ran <- clock.Elapsed

                if Ptrace.stop thread && comesToStand thread then
                    let taken =
                        try
                            if mappings.Length = 0 then None else read thread own
                        finally
                            Ptrace.letGo thread

                    ended (clock.Elapsed - ran)
                    taken
                else
                    late.Add thread |> ignore
                    None

            let taken = hurried take

            if taken.IsNone then
                unread <- unread + 1

            taken
