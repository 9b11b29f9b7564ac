// Files with another text than the one on the disk, for the compiler service alone. It reads files through one file system of the
// process; for as long as an overlay lies over it, the checker sees the new texts, and checks again only the files that depend on
// them.
module internal Plait.Check.Overlay

open System
open System.IO
open System.Runtime.InteropServices
open System.Text
open System.Threading

open FSharp.Compiler.IO

type private OverlaidFileSystem(under: IFileSystem, texts: Map<string, string>, since: DateTime) =
    inherit DefaultFileSystem()

    let find (file: string) =
        if texts.ContainsKey file then Some texts[file] else texts.TryFind(Path.GetFullPath file)

    override _.OpenFileForReadShim
        (file, [<Optional>] ?useMemoryMappedFile, [<Optional>] ?shouldShadowCopy)
        : Stream =
        match find file with
        | Some text -> new MemoryStream(Encoding.UTF8.GetBytes text, false)
        | None ->
            under.OpenFileForReadShim(
                file,
                ?useMemoryMappedFile = useMemoryMappedFile,
                ?shouldShadowCopy = shouldShadowCopy
            )

    override _.GetLastWriteTimeShim file =
        match find file with
        | Some _ -> since
        | None -> under.GetLastWriteTimeShim file

// one at a time: the file system belongs to the process
let private turn = obj ()

let private ticks = ref 0L

/// Runs an action while files, by whole path, have these texts for every checker of the process.
let during (texts: Map<string, string>) (action: unit -> 'T) : 'T =
    if texts.IsEmpty then
        action ()
    else
        lock turn (fun () ->
            let under = FileSystemAutoOpens.FileSystem
            // a checker recognises a text by its time: no two overlays have the same
            let since =
                DateTime.UtcNow.AddHours(1.).AddMilliseconds(float (Interlocked.Increment ticks))

            FileSystemAutoOpens.FileSystem <- OverlaidFileSystem(under, texts, since)

            try
                action ()
            finally
                FileSystemAutoOpens.FileSystem <- under)
