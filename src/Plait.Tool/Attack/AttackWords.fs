// The options that other load generators have, and the names of the same things here.
module internal Plait.Tool.AttackWords

/// By the names that they have elsewhere: the names that plait attack has for them.
let private elsewhere: (string list * string) list =
    [
        [ "-d" ], "--duration is the time of the run (-d of wrk), --body the body (-d of curl and hey)"
        [ "-z"; "--time" ], "--duration is the time of the run"
        [ "-q"; "-R"; "--rps"; "--qps" ], "--rate is the number of requests a second, as in --rate 500/s"
        [ "-t" ],
        "--threads is the number of threads (-t of wrk), --timeout the time of a response (-t of hey)"
        [ "-m" ],
        "--method is the method (-m of hey), --streams the requests at a time on a connection (-m of h2load)"
        [ "-X"; "--request" ], "--method is the method"
        [ "-k" ], "--insecure accepts any certificate; connections are kept unless --no-keepalive is given"
        [ "-T" ], "--header 'Content-Type: TYPE' is the type of the body"
        [ "-w"; "--workers"; "--max-workers" ],
        "--max-connections limits the requests in flight; --threads is the number of threads"
        [ "-u"; "--url" ], "the URL stands alone, without an option"
        [ "-o"; "--output" ], "--report and --out choose the output"
        [ "-i"; "--input-file" ], "--targets is a file of requests"
        [ "--data-raw"; "--data-binary" ], "--body is the body"
        [ "-x"; "--proxy" ], "--connect-to HOST:PORT connects to another place than the URL's"
        [ "-L"; "--location" ], "--redirects N follows redirections"
        [ "--disable-keepalive"; "--no-keep-alive" ], "--no-keepalive opens a connection for each request"
        [ "--threshold"; "--thresholds" ], "--require is a rule, as in --require 'p99<200ms'"
    ]

/// A sentence about the option that was meant; None: other programs have no such one either.
let meant (token: string) : string option =
    elsewhere |> List.tryFind (fun (names, _) -> List.contains token names) |> Option.map snd
