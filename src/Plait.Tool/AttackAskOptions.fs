// The argument and the options that say what a load run asks for.
module internal Plait.Tool.AttackAskOptions

open System
open System.CommandLine
open System.IO
open System.Text

open Plait.Report

open Plait.Load

let private url =
    Argument<string option>(
        "URL",
        Description =
            "http://... or https://...: what is asked for; with --targets, the host of paths in the file",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> None),
        CustomParser = (fun argument -> Some argument.Tokens[0].Value)
    )

let private method' =
    Options.text "--method" "NAME" "the method (default: GET, or POST with --body)"

let private header =
    Options.texts "--header" "LINE" "a header, 'Name: value'; may be given several times"

let private body = Options.text "--body" "TEXT" "the body, or @FILE"

let private targets =
    Options.text
        "--targets"
        "FILE"
        "requests to send in turn, in vegeta's format (method and URL, headers, @file of the body, # comments) or one JSON object a line; - is stdin"

/// The argument.
let argument: Argument = url

/// All options, in the order in which help shows them.
let all': System.CommandLine.Option list = [ targets; method'; header; body ]

let private refuse sentence = raise (BadInput sentence)

let private readFile (name: string) (path: string) : byte[] =
    Files.guarded (fun why -> BadInput $"{name}: {path} cannot be read: {why}") (fun () ->
        File.ReadAllBytes path)

/// Text, or the file behind an @.
let bytesOf (name: string) (text: string) : byte[] =
    if text.StartsWith '@' then
        readFile name (text.Substring 1)
    else
        Encoding.UTF8.GetBytes text

let private headers (parsed: ParseResult) : (string * string) list =
    [
        for line in Options.value parsed header do
            match line.Split(':', 2) with
            | [| name; value |] when name.Trim() <> "" -> name.Trim(), value.Trim()
            | _ -> refuse $"--header takes a line like 'Accept: text/plain', not '{line}'"
    ]

let private urlOf (text: string) : Uri =
    // A host alone is meant to be HTTP.
    let whole = if text.Contains "://" then text else "http://" + text

    match Uri.TryCreate(whole, UriKind.Absolute) with
    | true, url when (nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps ->
        nonNull url
    | _ -> refuse $"'{text}' is no URL of HTTP; write one like http://127.0.0.1:8080/path"

/// The requests, which are sent in turn. Raises BadInput when there is none, or when one is wrong.
let asks (parsed: ParseResult) : Ask list =
    let headers = headers parsed

    let content =
        Options.value parsed body |> Option.map (bytesOf "--body") |> Option.defaultValue [||]

    match Options.value parsed targets, parsed.GetRequiredValue url |> Option.map urlOf with
    | None, None ->
        refuse "there is nothing to attack; write a URL like http://127.0.0.1:8080/path, or --targets FILE"
    | None, Some address ->
        let usual = if (Options.value parsed body).IsSome then "POST" else "GET"

        [
            {
                Method = Options.value parsed method' |> Option.defaultValue usual
                Url = address
                Headers = headers
                Body = content
            }
        ]
    | Some file, ground ->
        if (Options.value parsed method').IsSome then
            refuse "--method goes with a URL; the targets of a file have their own"

        let defaults: Targets.Defaults =
            { Base = ground; Headers = headers; Body = content; ReadBody = File.ReadAllBytes }

        if file = "-" then
            Targets.read "stdin" defaults (Console.In.ReadToEnd())
        else
            Targets.read file defaults (Encoding.UTF8.GetString(readFile "--targets" file))
