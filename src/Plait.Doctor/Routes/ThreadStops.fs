// Stops the threads of another process for moments, one at a time: copies its registers and its stack, and lets it continue. The
// stacks are walked later, in the copy. On Linux; only the --ptrace route uses it.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.Runtime

/// The system calls.
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

    /// Attaches to a thread, which does not stop it; the system's error number, if that fails.
    let hold (thread: int) : Result<unit, int> =
        if ptrace (seize, thread, 0n, 0n) = 0n then Ok() else Error(Marshal.GetLastPInvokeError())

    let stop (thread: int) = ptrace (interrupt, thread, 0n, 0n) = 0n

    let letGo (thread: int) =
        ptrace (detach, thread, 0n, 0n) |> ignore

    /// Whether it is stopped: only a stopped thread answers this call. The state of a child of this program goes to one waiter
    /// alone.
    /// waiter alone.
    let stands (thread: int) : bool =
        let place = Marshal.AllocHGlobal 8

        try
            ptrace (eventMessage, thread, 0n, place) = 0n
        finally
            Marshal.FreeHGlobal place

/// Stops threads of process `pid` for at most `limit`. In any case they continue when the thread that calls `Read` ends, or this
/// program does, because the tracing belongs to that thread.
[<Sealed>]
type internal ThreadStops(pid: int, live: IDataReader, limit: TimeSpan) =
    /// The copied bytes: of a stack from its innermost frame outwards, and of the runtime's record of the thread.
    let most, record = 1 <<< 20, 4096

    /// The bytes of one read, between two looks at the clock.
    let piece = 1 <<< 16

    /// The bytes that a function may use below the stack pointer.
    let redZone = 128UL

    /// The time to wait for the stop of a thread, which runs on meanwhile; a thread that stops later is released at once.
    let patience = TimeSpan.FromMilliseconds 500.0

    let buffer = Array.zeroCreate<byte> most
    let late = HashSet<int>()
    let stops = List<float>()
    let clock = Stopwatch.StartNew()
    /// The last time at which the thread was seen to run.
    let mutable ran = TimeSpan.Zero
    /// The time of the last look at late threads.
    let mutable looked = TimeSpan.Zero
    let mutable refused = 0
    let mutable unread = 0

    // A reader that gives up counts them while they continue.
    let ended (stop: TimeSpan) =
        lock stops (fun () -> stops.Add stop.TotalMilliseconds)

    let stackPointer (context: byte[]) : uint64 =
        let at = if live.Architecture = Architecture.Arm64 then 0x100 else 0x98
        BitConverter.ToUInt64(context, at)

    // One mapping is one stack: an unreadable page separates two stacks.
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

    /// The readable bytes from `address` on, at most `length`, until the time is up.
    let copy (address: uint64) (length: int) : struct (uint64 * byte[]) =
        let mutable filled = 0
        let mutable goesOn = true

        while goesOn && filled < length && not (isOver ()) do
            let wanted = min piece (length - filled)
            let read = live.Read(address + uint64 filled, Span(buffer, filled, wanted))
            filled <- filled + max 0 read
            goesOn <- read = wanted

        struct (address, buffer[.. filled - 1])

    let read (thread: int) (own: uint64) : ThreadSnapshot option =
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

    /// Raises the priority of our own thread while a thread of the process is stopped, if the system permits that, and restores
    /// it afterwards.
    let nice = Ptrace.getpriority (0, 0)

    let hurried (work: unit -> 'T) : 'T =
        Ptrace.setpriority (0, 0, min nice (-10)) |> ignore

        try
            work ()
        finally
            Ptrace.setpriority (0, 0, nice) |> ignore

    do
        // Runs the steps of a stop once with a thread that the system refuses to stop, so that the JIT compiles them before any
        // thread is stopped.
        read pid 0UL |> ignore
        comesToStand pid |> ignore
        Ptrace.stop pid |> ignore
        Ptrace.letGo pid

    /// Threads that were given up, or that may not be traced.
    member _.Unread = unread

    /// The system's error if no thread at all could be attached to; 0: there was none.
    member _.Refused = if stops.Count = 0 then refused else 0

    /// For each thread, the milliseconds from the last time at which it was seen to run until it continued: it was stopped for no
    /// longer.
    member _.Durations: float list = lock stops (fun () -> List.ofSeq stops)

    /// Stops a thread, whose record in the runtime is at `own`, and lets it continue. None: it did not stop in time, has ended,
    /// or may not be traced.
    member _.Read(thread: int, own: uint64) : ThreadSnapshot option =
        letGoOfLate ()
        // read before any thread is stopped
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
