// How many connections this machine lets one process have.
module Plait.Load.MachineLimits

open System
open System.IO

let private lines (file: string) : string[] =
    try
        File.ReadAllLines file
    with
    | :? IOException
    | :? UnauthorizedAccessException -> [||]

let private numbers (text: string) : int64 list =
    [
        for word in text.Split([| ' '; '\t' |], StringSplitOptions.RemoveEmptyEntries) do
            match Int64.TryParse word with
            | true, number -> number
            | _ -> ()
    ]

/// Local ports for connections to one place (Linux; elsewhere the range of RFC 6335).
let ports () : int =
    match lines "/proc/sys/net/ipv4/ip_local_port_range" |> Array.tryHead |> Option.map numbers with
    | Some [ first; last ] when last >= first -> int (last - first + 1L)
    | _ -> 65535 - 49152 + 1

/// Files that this process may have open; None: nobody knows, or there is no limit.
let descriptors () : int option =
    lines "/proc/self/limits"
    |> Array.tryFind _.StartsWith("Max open files")
    |> Option.bind (numbers >> List.tryHead)
    |> Option.map (fun limit -> int (min limit (int64 Int32.MaxValue)))

// What else a process opens: its program, pipes, epoll.
let private others = 256

/// As many connections as such a rate needs when every response takes as long as it may, as far as ports and files last.
let connections (perSecond: float) (timeout: TimeSpan) : int =
    let needed = Math.Ceiling(perSecond * timeout.TotalSeconds)

    let allowed =
        match descriptors () with
        | Some limit -> min (ports ()) (limit - others)
        | None -> ports ()

    int (Math.Clamp(needed, 1.0, float (Math.Clamp(allowed, 1, 65_536))))
