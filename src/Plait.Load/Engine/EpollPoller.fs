// The poller of Linux, by calls of the C library. It allocates nothing while it waits.
namespace Plait.Load

open System
open System.Net.Sockets
open System.Runtime.CompilerServices
open System.Runtime.InteropServices

#nowarn "9" // reads the structures of the C library

module private Native =
    [<DllImport("libc", SetLastError = true)>]
    extern int epoll_create1(int flags)

    [<DllImport("libc", SetLastError = true)>]
    extern int epoll_ctl(int epoll, int operation, int descriptor, nativeint event)

    [<DllImport("libc", SetLastError = true)>]
    extern int epoll_wait(int epoll, nativeint events, int most, int milliseconds)

    [<DllImport("libc", SetLastError = true)>]
    extern int epoll_pwait2(int epoll, nativeint events, int most, nativeint timeout, nativeint mask)

    [<DllImport("libc", SetLastError = true)>]
    extern int close(int descriptor)

    [<DllImport("libc", SetLastError = true)>]
    extern int prctl(int option, unativeint value)

/// epoll, level-triggered.
type internal EpollPoller() =
    inherit Poller()
    static let mostEvents = 512
    // The structure is packed on x86 alone.
    static let isPacked =
        RuntimeInformation.ProcessArchitecture = Architecture.X64
        || RuntimeInformation.ProcessArchitecture = Architecture.X86

    static let size = if isPacked then 12 else 16
    static let dataAt = if isPacked then 4 else 8
    static let input = 0x001u
    static let output = 0x004u
    static let failed = 0x008u
    static let hungUp = 0x010u
    static let peerClosed = 0x2000u

    static let failure () : 'T =
        raise (SocketException(Marshal.GetLastPInvokeError()))

    let epoll = Native.epoll_create1 0x80000

    do
        if epoll < 0 then
            failure ()

    // Pinned: the events, then one to pass in, then the time limit.
    let memory = GC.AllocateArray<byte>(mostEvents * size + 32, true)
    let events = Marshal.UnsafeAddrOfPinnedArrayElement(memory, 0)

    let passed =
        Marshal.UnsafeAddrOfPinnedArrayElement(memory, mostEvents * size + 16 - size)

    let limit = Marshal.UnsafeAddrOfPinnedArrayElement(memory, mostEvents * size + 16)
    let mutable isFine = true

    let control operation (socket: Socket) (token: int64) write =
        let watched = input ||| peerClosed ||| (if write then output else 0u)
        Marshal.WriteInt32(passed, int watched)
        Marshal.WriteInt64(passed, dataAt, token)

        Native.epoll_ctl (epoll, operation, int (socket.SafeHandle.DangerousGetHandle()), passed) = 0

    let flags (index: int) =
        Unsafe.ReadUnaligned<uint32>(&memory[index * size])

    /// Lets the calling thread wake as close to its time as the system can, not within the usual 50 microseconds.
    static member WakePrecisely() : unit = Native.prctl (29, 1un) |> ignore

    override _.Add(socket, token, write) =
        control 1 socket token write
        || match Marshal.GetLastPInvokeError() with
           // No memory for it, and the most that a user may watch.
           | 12
           | 28 -> false
           | _ -> failure ()

    override _.Change(socket, token, write) =
        if not (control 3 socket token write) then
            failure ()

    override _.Remove socket =
        Native.epoll_ctl (epoll, 2, int (socket.SafeHandle.DangerousGetHandle()), passed)
        |> ignore

    override _.Wait nanoseconds =
        let fine =
            if isFine && nanoseconds > 0L then
                Marshal.WriteInt64(limit, nanoseconds / 1_000_000_000L)
                Marshal.WriteInt64(limit, 8, nanoseconds % 1_000_000_000L)

                try
                    let count = Native.epoll_pwait2 (epoll, events, mostEvents, limit, 0n)

                    // 38: this kernel does not have it.
                    if count < 0 && Marshal.GetLastPInvokeError() = 38 then
                        isFine <- false

                    count
                with :? EntryPointNotFoundException ->
                    isFine <- false
                    -1
            else
                -1

        let count =
            if isFine && nanoseconds > 0L then
                fine
            else
                // Rounded down: the caller looks again until the moment is there.
                let milliseconds = int (min (nanoseconds / 1_000_000L) 1_000_000L)
                Native.epoll_wait (epoll, events, mostEvents, milliseconds)

        // Interrupted by a signal: nothing has come.
        max count 0

    override _.Token index =
        Unsafe.ReadUnaligned<int64>(&memory[index * size + dataAt])

    override _.Readable index =
        flags index &&& (input ||| peerClosed ||| failed ||| hungUp) <> 0u

    override _.Writable index =
        flags index &&& (output ||| failed ||| hungUp) <> 0u

    override _.Dispose() = Native.close epoll |> ignore

/// Making a poller.
module internal Pollers =
    /// The poller of this system.
    let create () : Poller =
        if OperatingSystem.IsLinux() then new EpollPoller() else new SelectPoller()
