// Other texts for files, for the compiler service alone. The service reads files through one file system of the
// process. During an overlay the service sees the new texts, and checks again only the files that depend on them.
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

/// Runs an action while these files, by whole path, have these texts for every checker of the process.
let during (texts: Map<string, string>) (action: unit -> 'T) : 'T =
    if texts.IsEmpty then
        action ()
    else
        lock turn (fun () ->
            let under = FileSystemAutoOpens.FileSystem
            // a checker recognises a text by its time: each overlay has another one
            let since =
                DateTime.UtcNow.AddHours(1.).AddMilliseconds(float (Interlocked.Increment ticks))

            FileSystemAutoOpens.FileSystem <- OverlaidFileSystem(under, texts, since)

            try
                action ()
            finally
                FileSystemAutoOpens.FileSystem <- under)
