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

/// The files that this process may have open; None: the limit is unknown, or there is none.
let descriptors () : int option =
    lines "/proc/self/limits"
    |> Array.tryFind _.StartsWith("Max open files")
    |> Option.bind (numbers >> List.tryHead)
    |> Option.map (fun limit -> int (min limit (int64 Int32.MaxValue)))

/// Files that this process has open now (Linux; elsewhere the usual number of such a process).
let opened () : int =
    try
        Directory.GetFileSystemEntries("/proc/self/fd").Length
    with
    | :? IOException
    | :? UnauthorizedAccessException -> 128

// The files of a run besides its connections: parts of the program that are loaded later, with two files each; the
// poller; pipes of other processes; output files.
let private reserve = 64

// Ports on which others listen are in the range too.
let private usable (ports: int) = max 1 (ports - ports / 16)

// A request that is given up holds its connection a little longer than the timeout.
let private secondsMore = 1.0

/// The connections that a rate needs if every response takes the whole timeout, at most as many as ports and files allow; and the
/// limit, if it allows fewer than needed.
let connections (perSecond: float) (timeout: TimeSpan) : int * MachineBound option =
    let needed = Math.Ceiling(perSecond * (timeout.TotalSeconds + secondsMore))
    let ports = ports ()
    let usable = usable ports

    let allowed, bound =
        match descriptors () with
        | Some limit when limit - opened () - reserve < usable ->
            max 1 (limit - opened () - reserve), Descriptors limit
        | _ -> usable, LocalPorts ports

    if needed > float allowed then allowed, Some bound else int (max 1.0 needed), None
