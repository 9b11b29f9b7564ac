// Options of other load generators, and the options of plait attack for the same purpose.
module internal Plait.Tool.ForeignOptions

/// Names of other programs' options, and a sentence with the option of plait attack.
let private elsewhere: (string list * string) list =
    [
        [ "-d" ], "--duration is the time of the run (-d of wrk), --body the body (-d of curl and hey)"
        [ "-z"; "--time"; "--for"; "--max-time" ], "--duration is the time of the run"
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
        [ "-u" ], "the URL stands alone, without an option; --connections is the number of users (-u of k6)"
        [ "--url" ], "the URL stands alone, without an option"
        [ "--vus"; "--users"; "--concurrency"; "--concurrent" ],
        "--connections is the number of connections, each of which sends its next request when it has the answer"
        [ "--iterations"; "--loops"; "--loop"; "--max-requests"; "--count" ],
        "--requests is the number of requests"
        [ "--stages"; "--stage" ], "--ramp A:B and --steps A,B,CxTIME change the rate"
        [ "-o"; "--output" ], "--report and --out choose the output"
        [ "-i"; "--input-file" ], "--targets is a file of requests"
        [ "--data-raw"; "--data-binary" ], "--body is the body"
        [ "-F"; "--form" ],
        "--body @FILE is the body, also one in parts, and --header 'Content-Type: TYPE' is its type"
        [ "--format"; "--print" ], "--report chooses the form of the report"
        [ "-D"; "-p"; "--body-file" ], "--body @FILE is the body of a file"
        [ "-A" ], "--header 'Accept: TYPE' is the type of the answer"
        [ "-a"; "--user" ], "a name and a password stand in the URL: http://NAME:PASSWORD@HOST/"
        [ "-C"; "-b"; "--cookie" ], "--header 'Cookie: NAME=VALUE' is a cookie"
        [ "--bearer" ], "--header 'Authorization: Bearer TOKEN' is a token"
        [ "--disable-compression" ], "no Accept-Encoding is sent unless --header has one"
        [ "--user-agent" ], "--header 'User-Agent: NAME' is the name of the client"
        [ "--connect-timeout" ], "--timeout counts from the sending of a request, with the connect before it"
        [ "-g" ], "--csv FILE writes the requests one by one"
        [ "-r" ],
        "a failed request does not end the run (-r of ab); --redirects N follows redirections (-r of oha); --rate is the rate"
        [ "-v"; "--verbose" ], "--report json has every figure, and --csv FILE the requests one by one"
        [ "--version" ], "the version is that of the whole program: plait --version"
        [ "--lazy" ], "--targets FILE is read before the run, and its requests are sent in turn"
        [ "--compressed" ],
        "--header 'Accept-Encoding: gzip' asks for compressed bodies, which are counted and compared as they come"
        [ "--ca"; "--ca-cert" ], "--cacert FILE is the authority of the server's certificate"
        [ "-4"; "-6"; "--ipv4"; "--ipv6"; "--resolve" ],
        "--connect-to ADDRESS:PORT connects to an address of your choice"
        [ "--host" ],
        "--header 'Host: NAME' names another host, --connect-to HOST:PORT connects to another place"
        [ "-I"; "--head" ], "--method HEAD asks for the head alone"
        [ "-s"; "--script"; "--rand-regex-url" ],
        "--data FILE, {{int A B}}, {{uuid}} and {{seq}} make requests differ; there are no scripts"
        [ "-l"; "--latency"; "--latency-correction" ],
        "the report has the percentiles in any case, counted from when each request was due"
        [ "--http-version"; "--h2"; "-h2"; "-2" ], "--http2 uses HTTP/2"
        [ "--cpus"; "--cores" ],
        "--threads is the number of threads, --core the core that the generator runs on"
        [ "--no-tui"; "--quiet" ],
        "--report none prints no report, and the live board is not drawn if stderr is no terminal (2> FILE)"
        [ "-x"; "--proxy" ], "--connect-to HOST:PORT connects to another place than the URL's"
        [ "-L"; "--location"; "--max-redirects" ], "--redirects N follows redirections"
        [ "--disable-keepalive"; "--no-keep-alive" ], "--no-keepalive opens a connection for each request"
        [ "--keepalive"; "--keep-alive" ], "connections are kept unless --no-keepalive is given"
        [ "--disable-redirects"; "--no-redirects" ],
        "no redirection is followed unless --redirects N is given"
        [ "--http1.1"; "--http1"; "--h1" ], "HTTP/1.1 is used unless --http2 is given"
        [ "--threshold"; "--thresholds"; "--assert" ], "--require is a rule, as in --require 'p99<200ms'"
    ]

/// A sentence about an option of another program; None: no program of the list has it. The value may be part of the token, as in -d10s and
/// --vus=2, and an option with one dash may stand for the one with two, as in -vus.
let hint (token: string) : string option =
    let name = (token.Split '=')[0]
    let isOneDash = name.Length > 2 && name[0] = '-' && name[1] <> '-'

    [
        name
        if isOneDash then
            "-" + name
            name.Substring(0, 2)
    ]
    |> List.tryPick (fun name ->
        elsewhere |> List.tryFind (fun (names, _) -> List.contains name names) |> Option.map snd)
