// Files and folders that users name: every error is a sentence with the name of the file.
module Plait.Common.Files

open System
open System.IO
open System.Runtime.InteropServices
open System.Security

/// The system's message for the number of an error: "No such file or directory". The messages of .NET have more
/// around it.
let systemSays (error: int) : string = Marshal.GetPInvokeErrorMessage error

/// Why a file could not be read or written, in words of ours or the system's.
let why (trouble: exn) : string =
    match trouble with
    | :? FileNotFoundException -> "there is no such file"
    | :? DirectoryNotFoundException -> "there is no such folder"
    | :? PathTooLongException -> "its name is too long"
    | :? UnauthorizedAccessException
    | :? SecurityException -> "access is denied"
    | :? IOException when trouble.HResult > 0 -> systemSays trouble.HResult
    // Under Windows the number is in the lower half of a larger one.
    | :? IOException when trouble.HResult >>> 16 = 0x8007 - 0x10000 && OperatingSystem.IsWindows() ->
        systemSays (trouble.HResult &&& 0xFFFF)
    | :? IOException -> "the system gives no reason"
    | _ -> "this cannot be the name of a file"

/// Does something with a file; an error is raised as the exception that `failure` makes of its reason.
let guarded (failure: string -> exn) (action: unit -> 'T) : 'T =
    try
        action ()
    with
    | :? ArgumentException
    | :? IOException
    | :? NotSupportedException
    | :? SecurityException
    | :? UnauthorizedAccessException as trouble -> raise (failure (why trouble))

/// Reads a file with `read`. Raises BadInput when it cannot be read; `what` names the expected content: "a budget".
let read (what: string) (file: string) (read: string -> 'T) : 'T =
    if Directory.Exists file then
        raise (BadInput $"{file} cannot be read as {what}: it is a folder; name a file in it")

    guarded (fun why -> BadInput $"{file} cannot be read as {what}: {why}") (fun () -> read file)

/// The whole path of a file or folder without symbolic links; of one that is not there, the path as far as there is something.
let rec resolved (path: string) : string =
    let path = Path.TrimEndingDirectorySeparator(Path.GetFullPath path)

    match Path.GetDirectoryName path with
    | null -> path
    | above ->
        let here = Path.Combine(resolved above, string (Path.GetFileName path))

        let target =
            try
                if Directory.Exists here then
                    Directory.ResolveLinkTarget(here, true)
                else
                    File.ResolveLinkTarget(here, true)
            with
            | :? IOException
            | :? UnauthorizedAccessException -> null

        match target with
        | null -> here
        | target -> resolved target.FullName

/// The text of a file, as `read`.
let text (what: string) (file: string) : string = read what file File.ReadAllText

/// The text of a file's bytes: in UTF-8, or in UTF-16 with its mark. Raises BadInput with the first line that has other bytes, which would
/// become other letters.
let decoded (file: string) (bytes: byte[]) : string =
    let begins (mark: byte[]) =
        bytes.AsSpan().StartsWith(ReadOnlySpan mark)

    if begins [| 0xFFuy; 0xFEuy |] || begins [| 0xFEuy; 0xFFuy |] then
        use reader = new StreamReader(new MemoryStream(bytes))
        reader.ReadToEnd()
    else
        let from = if begins [| 0xEFuy; 0xBBuy; 0xBFuy |] then 3 else 0

        if not (Text.Unicode.Utf8.IsValid(ReadOnlySpan(bytes, from, bytes.Length - from))) then
            // No line feed is part of another letter.
            let mutable line = 1
            let mutable at = from
            let length () = bytes.AsSpan(at).IndexOf 10uy + 1

            while length () > 0 && Text.Unicode.Utf8.IsValid(ReadOnlySpan(bytes, at, length ())) do
                at <- at + length ()
                line <- line + 1

            raise (
                BadInput
                    $"{file}, line {line}: it has bytes that are no UTF-8; save the file in UTF-8, as by 'iconv -f latin1 -t utf-8'"
            )

        Text.Encoding.UTF8.GetString(bytes, from, bytes.Length - from)

/// The name that stands for standard output.
let standardOutput = "-"

module private Native =
    /// The kind of a file, by number; its layout is the same on every processor.
    [<DllImport("libc", SetLastError = true)>]
    extern int statx(int folder, string file, int flags, uint32 wanted, byte& found)

    let kind (file: string) : int =
        let found = Array.zeroCreate<byte> 256
        let ofThisFolder, kindOnly, kindAt = -100, 1u, 28

        if statx (ofThisFolder, file, 0, kindOnly, &found[0]) = 0 then
            int (BitConverter.ToUInt16(found, kindAt)) &&& 0xF000
        else
            0

// A pipe or a device. It is not tried, because the reader of a pipe would take the trial for the end of the data.
let private isDevice (file: string) =
    let isPipe () = Native.kind file = 0x1000

    file.StartsWith("/dev/", StringComparison.Ordinal)
    || OperatingSystem.IsLinux() && isPipe ()

/// The disk is full, or this user's share of it.
let private isFull (trouble: IOException) =
    trouble.HResult = 28 || trouble.HResult = 122

/// Writes a file with `action`, and makes its folder when there is none. Raises RunFailed when it cannot be written.
let writing (file: string) (action: unit -> unit) : unit =
    if Directory.Exists file then
        raise (RunFailed $"{file} cannot be written: it is a folder; name a file in it")

    guarded (fun why -> RunFailed $"{file} cannot be written: {why}") (fun () ->
        match Path.GetDirectoryName(Path.GetFullPath file) with
        | null
        | "" -> ()
        | folder -> Directory.CreateDirectory folder |> ignore

        try
            action ()
        with :? IOException as trouble when isFull trouble && File.Exists file && not (isDevice file) ->
            // A part of a file is of no use: it is removed, which frees its disk space.
            File.Delete file
            reraise ())

/// Writes a text into a file. .NET's own way asks for the room first, and its error for a full disk leaves out the
/// system's message.
let put (file: string) (text: string) : unit =
    use target = new StreamWriter(file)
    target.Write text

/// Writes a file beside its place with `write`, and moves it there: a reader finds the old one or the new one, and never a half.
let replacing (file: string) (write: string -> unit) : unit =
    let whole = Path.GetFullPath file

    let beside =
        Path.Combine(
            Path.GetDirectoryName whole |> string,
            $".{Path.GetFileName whole}.{Guid.NewGuid():N}.tmp"
        )

    try
        write beside
        File.Move(beside, whole, true)
    finally
        File.Delete beside

/// Writes a text, to a file or to standard output. Raises RunFailed when it cannot be written.
let write (file: string) (text: string) : unit =
    if file = standardOutput then
        Console.Out.Write text
    else
        writing file (fun () -> put file text)

/// Writes several files: all of them, also if some fail. Raises RunFailed with the reasons of the failures.
let each (writings: (unit -> unit) list) : unit =
    let failures =
        writings
        |> List.choose (fun write ->
            try
                write ()
                None
            with :? RunFailed as trouble ->
                Some trouble.Message)

    if not failures.IsEmpty then
        raise (RunFailed(String.concat "; " failures))

/// Tries a file that the user named with `option` and that is written at the end of a long run. Raises BadInput if
/// the file cannot be written; its content stays. Standard output and devices are not tried.
let trial (option: string) (file: string) : unit =
    if file <> standardOutput && not (isDevice file) then
        try
            writing file (fun () ->
                let isNew = not (File.Exists file)
                using (File.Open(file, FileMode.OpenOrCreate, FileAccess.Write)) ignore

                if isNew then
                    File.Delete file)
        with :? RunFailed as trouble ->
            raise (BadInput $"{option}: {trouble.Message}; name another file")
