// The standard streams, which may be closed, full, or a pipe without a reader. This program does not read or write a stream that was
// closed when it began: the runtime has opened a file of its own under the number of the stream.
module internal Plait.Tool.Streams

open System
open System.IO
open System.Runtime.InteropServices
open System.Text
open System.Threading

open Plait.Common

module private Native =
    [<DllImport("libc", SetLastError = true)>]
    extern nativeint write(int descriptor, byte& first, unativeint count)

// O_ACCMODE and its values.
let private access, readOnly, writeOnly, both = 3, 0, 1, 2

/// The link and the access mode of a descriptor of this process; None: it is not open.
let private linkAndMode (descriptor: string) : (string * int) option =
    try
        let link = FileInfo($"/proc/self/fd/{descriptor}").LinkTarget

        let flags =
            File.ReadLines $"/proc/self/fdinfo/{descriptor}"
            |> Seq.pick (fun line ->
                if line.StartsWith "flags:" then
                    Some(Convert.ToInt32(line.Substring(6).Trim(), 8))
                else
                    None)

        link |> Option.ofObj |> Option.map (fun link -> link, flags &&& access)
    with :? IOException ->
        None

/// Whether a standard stream was closed when this program began. Its number then belongs to no file, to one of the
/// other direction, or to one of the runtime: a pipe whose other end is in this process, or an object that is no
/// file.
let private wasClosed (descriptor: int) : bool =
    let wanted = if descriptor = 0 then readOnly else writeOnly

    match linkAndMode (string descriptor) with
    | None -> true
    | Some(link, mode) ->
        let isOtherEnd () =
            Directory.EnumerateFiles "/proc/self/fd"
            |> Seq.map (fun path -> nonNull (Path.GetFileName path))
            |> Seq.exists (fun other ->
                other <> string descriptor
                && match linkAndMode other with
                   | Some(otherLink, otherMode) -> otherLink = link && otherMode <> mode
                   | None -> false)

        (mode <> wanted && mode <> both)
        || link.StartsWith "anon_inode:"
        || (link.StartsWith "pipe:" && isOtherEnd ())

// On other systems the write or the read fails by itself.
let private closed =
    lazy
        (if OperatingSystem.IsLinux() && Directory.Exists "/proc/self/fdinfo" then
             [| 0..2 |] |> Array.map wasClosed
         else
             [| false; false; false |])

/// Writes all of it, or raises IOException: .NET's own stream hides the error of a pipe without a reader.
let private writeAll (descriptor: int) (bytes: ReadOnlySpan<byte>) : unit =
    let mutable rest = bytes

    while not rest.IsEmpty do
        let written =
            Native.write (descriptor, &MemoryMarshal.GetReference rest, unativeint rest.Length)

        if written >= 0n then
            rest <- rest.Slice(int written)
        else
            match Marshal.GetLastPInvokeError() with
            // EINTR
            | 4 -> ()
            // EAGAIN, of Linux and of macOS: another process that shares it has made it non-blocking
            | 11
            | 35 -> Thread.Sleep 5
            | error -> raise (IOException(Files.systemSays error, error))

/// A stream to a descriptor; `fail` gets the reason if it cannot be written.
type private Guarded(descriptor: int, fail: string -> unit) =
    inherit Stream()

    let elsewhere =
        if OperatingSystem.IsWindows() then
            Some(if descriptor = 1 then Console.OpenStandardOutput() else Console.OpenStandardError())
        else
            None

    override _.CanRead = false
    override _.CanSeek = false
    override _.CanWrite = true
    override _.Length = raise (NotSupportedException())

    override _.Position
        with get () = raise (NotSupportedException())
        and set _ = raise (NotSupportedException())

    override _.Flush() = ()
    override _.Read(_: byte[], _: int, _: int) : int = raise (NotSupportedException())
    override _.Seek(_, _) = raise (NotSupportedException())
    override _.SetLength _ = raise (NotSupportedException())

    override _.Write(bytes: byte[], offset: int, count: int) =
        if closed.Value[descriptor] then
            fail "it is closed"
        else
            try
                match elsewhere with
                | Some stream -> stream.Write(bytes, offset, count)
                | None -> writeAll descriptor (ReadOnlySpan(bytes, offset, count))
            with
            | :? IOException
            | :? UnauthorizedAccessException as trouble -> fail (Files.why trouble)

let private writer (descriptor: int) (fail: string -> unit) : TextWriter =
    new StreamWriter(new Guarded(descriptor, fail), UTF8Encoding false, AutoFlush = true)

let mutable private isErrorLost = false

/// Whether something could not be written to standard error.
let lostErrors () : bool = isErrorLost

/// To be called first: text that cannot be written to standard error is dropped, and ends nothing.
let begin' () : unit =
    closed.Force() |> ignore
    Console.SetError(writer 2 (fun _ -> isErrorLost <- true))

/// Writes a sentence to standard error.
let say (sentence: string) : unit =
    Console.Error.WriteLine(Wrap.message sentence)

/// From here on, an error of standard output is raised as RunFailed.
let checkOutput () : unit =
    Console.SetOut(writer 1 (fun why -> raise (RunFailed $"standard output cannot be written: {why}")))

/// All of standard input. Raises RunFailed when it cannot be read.
let input () : string =
    let failed why : exn =
        RunFailed $"standard input cannot be read: {why}"

    if closed.Value[0] then
        raise (failed "it is closed")

    Files.guarded failed (fun () -> Console.In.ReadToEnd())
