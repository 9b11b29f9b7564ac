// Results of earlier runs in a folder of the user. The name of a file is the hash of all inputs of its content, so a
// result is never out of date. A damaged file counts as absent. Writing ends in one rename: two processes may use the
// folder at once.
namespace Plait.Check

open System
open System.IO
open System.Security.Cryptography
open System.Text

open Plait.Common

/// Makes a key of texts and bytes.
module internal Key =
    let private hex (bytes: byte[]) =
        (Convert.ToHexString bytes).ToLowerInvariant()

    /// The hash of bytes.
    let ofBytes (bytes: byte[]) : string = hex (SHA256.HashData bytes)

    /// The hash of several texts, in their order.
    let ofTexts (texts: string seq) : string =
        use hash = IncrementalHash.CreateHash HashAlgorithmName.SHA256

        for text in texts do
            let bytes = Encoding.UTF8.GetBytes text
            hash.AppendData(BitConverter.GetBytes bytes.Length)
            hash.AppendData bytes

        hex (hash.GetHashAndReset())

    /// The hash of the bytes of a file; "absent" if it cannot be read.
    let ofFile (file: string) : string =
        try
            use stream = File.OpenRead file
            hex (SHA256.HashData stream)
        with
        | :? IOException
        | :? UnauthorizedAccessException -> "absent"

/// A folder of results. `limit`: its size in bytes after `Trim`.
type Cache(folder: string, limit: int64) =
    let path (key: string) = Path.Combine(folder, key + ".bin")

    /// An error of the folder does not stop the check: it works without a cache.
    let tolerant (fallback: 'T) (action: unit -> 'T) : 'T =
        try
            action ()
        with
        | :? IOException
        | :? UnauthorizedAccessException -> fallback

    /// The folder of the user: $XDG_CACHE_HOME or ~/.cache, on Windows the local application data.
    static member OfUser() : Cache option =
        let root =
            match Environment.GetEnvironmentVariable "XDG_CACHE_HOME" with
            | NonNull folder when Path.IsPathRooted folder -> folder
            | _ when OperatingSystem.IsWindows() ->
                Environment.GetFolderPath Environment.SpecialFolder.LocalApplicationData
            | _ ->
                match Environment.GetFolderPath Environment.SpecialFolder.UserProfile with
                | "" -> ""
                | home -> Path.Combine(home, ".cache")

        if root = "" then
            None
        else
            Some(Cache(Path.Combine(root, "plait", "check"), 512L * 1024L * 1024L))

    /// The bytes of a key.
    member _.Find(key: string) : byte[] option =
        tolerant None (fun () ->
            let file = path key

            if not (File.Exists file) then
                None
            else
                let bytes = File.ReadAllBytes file

                let isWhole = bytes.Length >= 32 && SHA256.HashData bytes[32..] = bytes[..31]

                if not isWhole then
                    None
                else
                    // files in use stay longest
                    tolerant () (fun () -> File.SetLastWriteTimeUtc(file, DateTime.UtcNow))
                    Some bytes[32..])

    /// Stores bytes under a key.
    member _.Store(key: string, bytes: byte[]) : unit =
        tolerant () (fun () ->
            Directory.CreateDirectory folder |> ignore

            Files.replacing (path key) (fun beside ->
                use stream = File.Create beside
                stream.Write(ReadOnlySpan(SHA256.HashData bytes))
                stream.Write(ReadOnlySpan bytes)))

    /// Deletes the least recently used results until the rest fits, and the temporary files of killed processes.
    member _.Trim() : unit =
        tolerant () (fun () ->
            if Directory.Exists folder then
                let files = DirectoryInfo(folder).GetFiles()
                let mutable size = 0L

                for file in files |> Array.sortByDescending _.LastWriteTimeUtc do
                    let isLeft =
                        file.Extension = ".tmp" && file.LastWriteTimeUtc < DateTime.UtcNow.AddHours -1.

                    size <- size + file.Length

                    if isLeft || size > limit && file.Extension = ".bin" then
                        tolerant () file.Delete)
