// Files of targets in vegeta's two formats, and rates and times as people write them.
module Plait.Load.Tests.AttackTargets

open System
open System.Text
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support

let private defaults: Targets.Defaults =
    {
        Base = Some(Uri "http://host:81/")
        Headers = [ "X-All", "1" ]
        Body = "usual"B
        ReadBody =
            fun path ->
                if path = "none" then
                    raise (IO.FileNotFoundException "there is no such file")

                Encoding.UTF8.GetBytes $"body of {path}"
    }

let private read (lines: string list) =
    Targets.read "t.txt" defaults (String.concat "\n" lines)

let private shown (request: HttpRequest) =
    request.Method, string request.Url, request.Headers.Tail, Encoding.UTF8.GetString request.Body

[<Theory;
  InlineData("http://h", "/");
  InlineData("http://h#x", "/");
  InlineData("http://h?a=/b", "/?a=/b");
  InlineData(" HTTP://u:p@h:81/a/../b/./c//d#e ", "/a/../b/./c//d");
  InlineData("http://h/%41%7e%2f%zz%", "/%41%7e%2f%zz%");
  InlineData("http://h/a+b;c=~!$&'()*,:@[]?d?e=/f", "/a+b;c=~!$&'()*,:@[]?d?e=/f");
  InlineData("http://h/ä b?\"<>^`{|}\\", "/%C3%A4%20b?%22%3C%3E%5E%60%7B%7C%7D%5C");
  InlineData("http:/\\h/a?c=http://x/y", "/a?c=http://x/y")>]
let ``path and query are sent unchanged, and only illegal characters are escaped``
    (url: string)
    (target: string)
    =
    let sent = Encoding.UTF8.GetString(Resolve.bytes true (HttpRequest.Get url))
    Assert.StartsWith($"GET {target} HTTP/1.1\r\n", sent)

[<Theory;
  InlineData("http://h:80/", "h");
  InlineData("https://h:80/", "h:80");
  InlineData("http://u:p@127.0.0.1:81", "127.0.0.1:81");
  InlineData("http://[::1]:81/", "[::1]:81");
  InlineData("http://[::1]", "[::1]");
  InlineData("http://bücher.example:81/ä", "xn--bcher-kva.example:81")>]
let ``the host is sent in ASCII, with its port unless it is the scheme's default``
    (url: string)
    (host: string)
    =
    let sent = Encoding.UTF8.GetString(Resolve.bytes true (HttpRequest.Get url))
    Assert.Contains($"\r\nHost: {host}\r\n", sent)

[<Fact>]
let ``blanks stand in the braces of a target's URL`` () =
    let requests =
        read [ "GET /a/{{int 1 9}}?b={{ seq }} "; "X-A: 1"; "POST\thttp://h/{{c d}}{{e}}" ]

    Assert.Equal<string list>(
        [ "http://host:81/a/{{int 1 9}}?b={{ seq }}"; "http://h/{{c d}}{{e}}" ],
        requests |> List.map _.Url.OriginalString
    )

    // however many there are
    let many = String.replicate 100 "{{a}}"
    Assert.Throws<BadInput>(fun () -> read [ $"GET /{many} x" ] |> ignore) |> ignore

[<Fact>]
let ``a path under the URL of the command is sent unchanged`` () =
    for path in [ "/a/../b?c#d"; "//x/y"; "/%41"; "/" ] do
        let request = List.exactlyOne (read [ $"GET {path}" ])
        Assert.Equal($"http://host:81{path}", request.Url.OriginalString)
        Assert.Equal("host", request.Url.Host)

[<Fact>]
let ``targets, headers, bodies and comments are read`` () =
    let requests =
        read
            [
                "# first"
                "GET http://a:8080/x?y=1"
                ""
                "POST https://b/"
                "Content-Type: application/json"
                "# between"
                "X-Time: 12:30:00"
                "@some/file.json"
                "DELETE /relative"
                "PURGE http://c/\r"
                ""
            ]

    Assert.Equal<(string * string * (string * string) list * string) list>(
        [
            "GET", "http://a:8080/x?y=1", [], "usual"
            "POST",
            "https://b/",
            [ "Content-Type", "application/json"; "X-Time", "12:30:00" ],
            "body of some/file.json"
            "DELETE", "http://host:81/relative", [], "usual"
            "PURGE", "http://c/", [], "usual"
        ],
        requests |> List.map shown
    )

    Assert.All(requests, fun request -> Assert.Equal(("X-All", "1"), request.Headers.Head))

[<Fact>]
let ``targets in JSON are read`` () =
    let requests =
        read
            [
                """{"method":"POST","url":"http://a/","body":"aGk=","header":{"A":["1","2"]}}"""
                """{"method":"GET","url":"http://b/x"}"""
                """{"method":"PUT","url":"http://c/","header":null,"body":null}"""
            ]

    Assert.Equal<(string * string * (string * string) list * string) list>(
        [
            "POST", "http://a/", [ "A", "1"; "A", "2" ], "hi"
            "GET", "http://b/x", [], "usual"
            "PUT", "http://c/", [], "usual"
        ],
        requests |> List.map shown
    )

[<Fact>]
let ``a byte order mark at the beginning of a file is skipped`` () =
    for line in [ "GET http://a/"; """{"method":"GET","url":"http://a/"}"""; "# nothing\nGET http://a/" ] do
        let request = List.exactlyOne (read [ "\uFEFF" + line ])
        Assert.Equal(("GET", "http://a/"), (request.Method, string request.Url))

/// Lines, and words of the sentence.
let private wrong: (string list * string list) list =
    [
        [], [ "t.txt holds no target" ]
        [ "# nothing" ], [ "holds no target" ]
        [ "get http://a/" ], [ "t.txt, line 1"; "'get http://a/'"; "in capitals" ]
        [ "GET http://a/"; "nonsense" ], [ "line 2"; "'nonsense'"; "Name: value" ]
        [ "GET http://a/"; ""; "# x"; "POST ftp://a/" ], [ "line 4"; "ftp://a/"; "not an HTTP URL" ]
        [ "GET http://{{name}}.a:80/x?{{y}}" ],
        [ "line 1"; "the host of 'http://{{name}}.a:80/x?{{y}}' has a variable" ]
        [ "GET ftp://a/{{y}}" ], [ "not an HTTP URL" ]
        [ "GET http://a/"; "@none" ], [ "line 2"; "there is no such file" ]
        [ """{"method":"GET"}""" ], [ "line 1"; "\"url\"" ]
        [ """{"url":"http://a/"}""" ], [ "line 1"; "\"method\"" ]
        [ """{"method":"GET","url":"http://a/"}"""; "{oops" ],
        [ "t.txt, line 2: this is not a target in JSON from column 2 on" ]
        [ """{"method":"GET",""" ], [ "line 1: this is not a target in JSON from column 1" ]
        [ """{"method":1,"url":"http://a/"}""" ],
        [ "t.txt, line 1: \"method\" of the target is 1; it must be a text" ]
        [ """{"method":"GET","url":["http://a/"]}""" ],
        [ "line 1: \"url\" of the target is [\"http://a/\"]; it must" ]
        [ """{"method":"GET","url":"http://a/","body":"?"}""" ],
        [ "line 1: \"body\" of the target is \"?\"; it must be in base64" ]
        [ """{"method":"GET","url":"http://a/","body":{}}""" ],
        [ "line 1: \"body\" of the target is {}; it must be a text" ]
        [ """{"method":"GET","url":"http://a/","header":[1]}""" ],
        [ "line 1: \"header\" of the target is [1]; it must be an object of lists" ]
        [ """{"method":"GET","url":"http://a/","header":{"A":"b"}}""" ],
        [ "line 1: the header \"A\" of the target is \"b\"; it must be a list of texts" ]
        [ """{"method":"GET","url":"http://a/","header":{"A":[5]}}""" ],
        [ "line 1: the header \"A\" of the target is 5; it must be a text" ]
        for half in
            [
                """{"method":"GET","url":"http://a/\ud800"}"""
                """{"method":"\udfff","url":"http://a/"}"""
                """{"method":"GET","url":"http://a/","header":{"\ud800":["1"]}}"""
                """{"method":"GET","url":"http://a/","header":{"A":["\ud800"]}}"""
                """{"method":"GET","url":"http://a/","body":"\ud800"}"""
            ] do
            [ """{"method":"GET","url":"http://a/"}"""; half ],
            [ "t.txt, line 2: "; "half of a pair of surrogates" ]

        [ """{"method":"GET","url":"http://a/"}"""; "[]" ], [ "line 2: this is not a target in JSON but []" ]
    ]

[<Fact>]
let ``a wrong line is named with the right form`` () =
    for lines, words in wrong do
        Refused.says "" words (fun () -> read lines)

[<Fact>]
let ``a path without a host is refused`` () =
    let refused =
        Assert.Throws<BadInput>(fun () ->
            Targets.read "t.txt" { defaults with Base = None } "GET /x" |> ignore)

    Assert.Contains("without a host", refused.Message)

[<Theory;
  InlineData("500", 500.0);
  InlineData("500/s", 500.0);
  InlineData("30/m", 0.5);
  InlineData("7200/h", 2.0);
  InlineData("1/10s", 0.1);
  InlineData("5/100ms", 50.0);
  InlineData(" 2.5 / s ", 2.5)>]
let ``a rate is read`` (text: string) (perSecond: float) =
    Assert.Equal(Some perSecond, Arrivals.rate text)

[<Theory;
  InlineData "";
  InlineData "x";
  InlineData "-5";
  InlineData "5/";
  InlineData "5/x";
  InlineData "5/0s";
  InlineData "5/s/s";
  InlineData "1e3";
  InlineData "NaN">]
let ``a text that is no rate is refused`` (text: string) = Assert.Equal(None, Arrivals.rate text)

[<Theory;
  InlineData("30s", 30000.0);
  InlineData("5m", 300000.0);
  InlineData("250ms", 250.0);
  InlineData("1m30s", 90000.0);
  InlineData("1h2m3.5s", 3723500.0)>]
let ``a time is read`` (text: string) (milliseconds: float) =
    Assert.Equal(Some(TimeSpan.FromMilliseconds milliseconds), Duration.tryParse text)

[<Theory;
  InlineData "s";
  InlineData "5d";
  InlineData "-1s";
  InlineData "";
  InlineData "1.2.3s";
  InlineData "1m30";
  InlineData "1.5";
  InlineData "1mm">]
let ``a text that is no time is refused`` (text: string) =
    Assert.Equal(None, Duration.tryParse text)
