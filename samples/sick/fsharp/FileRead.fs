// A file that is read synchronously and does not come at once, as from a share of the network: a named pipe stands for it here.
// `File.ReadAllTextAsync` frees the caller, but reads on a thread of the pool all the same: for slow files, use a bounded
// number of threads of your own.
// doctor: STARVED file
// function: Imports.load
module Sick.Imports

open System
open System.IO
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading

[<DllImport("libc", CharSet = CharSet.Ansi)>]
extern int private mkfifo(string path, uint32 mode)

// the compiler would move a function as small as this into its caller, and its line with it
[<MethodImpl(MethodImplOptions.NoInlining)>]
let load (file: string) =
    let text = File.ReadAllText file // blamed
    text.Split('\n').Length

/// Whoever writes into the file takes half a second.
let private write (file: string) =
    use stream =
        new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite)

    stream.Write("order 1\norder 2\n"B)
    stream.Flush()
    Thread.Sleep 500

let start () =
    let folder = Directory.CreateTempSubdirectory("sick-").FullName
    let file = Path.Combine(folder, "orders.txt")
    AppDomain.CurrentDomain.ProcessExit.Add(fun _ -> Directory.Delete(folder, true))

    if mkfifo (file, 0o600u) <> 0 then
        failwith $"{file} cannot be made a named pipe."

    Load.forever "writing" (fun () -> write file)
    Load.backlog (fun _ -> load file |> ignore)
