// Threads outside of the pool whose purpose is to wait for a task: an async main in what the compiler has written around it, and a main
// that runs a host until it is told to end.
module internal Plait.Doctor.MeantWait

open System

// What a server's own library waits in.
let private servers = [ "Microsoft.Extensions.Hosting."; "Microsoft.AspNetCore." ]

let private isServer (name: string) =
    servers |> List.exists (fun known -> name.StartsWith(known, StringComparison.Ordinal))

/// Whether a thread with this stack waits by design.
let isOne (frames: Frame list) : bool =
    let inner = frames |> List.takeWhile _.IsFramework

    inner |> List.exists (fun frame -> isServer frame.Method)
    || match frames |> List.skip inner.Length with
       | [] -> false
       | own :: _ ->
           own.Method.EndsWith(".<Main>", StringComparison.Ordinal)
           || own.Calls |> List.exists isServer
