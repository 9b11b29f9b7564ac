// Reads the programs of a scenario file, and the factors that change them. It starts nothing.
module internal Plait.Lab.Scenarios.ProgramReader

open System
open System.IO

open Plait.Report

/// A name.
let name (node: Node) =
    let text = TypedJson.text node

    if
        text
        |> Seq.forall (fun letter -> Char.IsAsciiLetterOrDigit letter || letter = '-' || letter = '_')
    then
        text
    else
        TypedJson.wrong node "a name of letters, digits, - and _"

let private texts (node: Node) =
    TypedJson.items "texts" node |> List.map TypedJson.anyText

/// Names with texts.
let variables (node: Node) =
    TypedJson.entries "texts" node
    |> List.map (fun (name, value) -> name, TypedJson.anyText value)

let private ready (node: Node) =
    TypedJson.only [ "line"; "url" ] node

    match TypedJson.optional "line" TypedJson.text node, TypedJson.optional "url" TypedJson.text node with
    | Some line, None -> Line line
    | None, Some url -> Answer url
    | _ -> TypedJson.wrong node "an object with either \"line\" or \"url\""

let private programKeys =
    [ "name"; "label"; "command"; "args"; "env"; "workingDirectory"; "ready"; "core" ]

let private program (folder: string) (core: string) (node: Node) : Program' =
    let given = TypedJson.required "name" "a name" node |> name

    let place =
        match TypedJson.find "workingDirectory" node with
        | None -> folder
        | Some value ->
            let place = Path.GetFullPath(Path.Combine(folder, TypedJson.text value))

            if not (Directory.Exists place) then
                TypedJson.refuse value $"expected a folder, and there is no {place}"

            place

    {
        Name = given
        Label = TypedJson.fallback "label" TypedJson.text given node
        Family = Family.Other
        Protocol = Http
        Command = TypedJson.required "command" "the program to start" node |> TypedJson.text
        Arguments = TypedJson.fallback "args" texts [] node
        Variables = TypedJson.fallback "env" variables [] node
        Folder = place
        Ready = TypedJson.fallback "ready" ready Listens node
        Core = TypedJson.fallback "core" (TypedJson.word [ "server"; "client"; "any" ]) core node
    }

/// A program that runs beside.
let service folder (node: Node) : Program' =
    TypedJson.only programKeys node
    program folder "client" node

let private families =
    [ "base"; "plait"; "fsharp"; "csharp"; "published"; "control" ]

/// A program that is compared.
let candidate folder (isBase: string -> bool) (node: Node) : Program' =
    TypedJson.only ("protocol" :: "family" :: programKeys) node
    let read = program folder "server" node

    let protocol =
        match TypedJson.fallback "protocol" (TypedJson.word [ "http"; "worker" ]) "http" node with
        | "worker" -> Worker
        | _ -> Http

    for key in [ "workingDirectory"; "ready" ] do
        match protocol, TypedJson.find key node with
        | Worker, Some value ->
            TypedJson.refuse
                value
                "a worker says by itself when it is ready, and has no folder; leave the key out"
        | _ -> ()

    { read with
        Protocol = protocol
        Family =
            if isBase read.Name then
                Family.Base
            else
                TypedJson.optional "family" (TypedJson.word families) node
                |> Option.bind Word.tryFind
                |> Option.defaultValue Family.FSharp
    }

/// Something that may be one way or another.
let factor (node: Node) : Factor =
    TypedJson.only [ "name"; "values" ] node

    let value (node: Node) : FactorValue =
        TypedJson.only [ "name"; "env"; "args" ] node

        {
            Name = TypedJson.required "name" "a name" node |> name
            Variables = TypedJson.fallback "env" variables [] node
            Arguments = TypedJson.fallback "args" texts [] node
        }

    let values = TypedJson.required "values" "a list of two values or more" node

    match TypedJson.items "values" values |> List.map value with
    | []
    | [ _ ] -> TypedJson.wrong values "a list of two values or more"
    | list -> { Name = TypedJson.required "name" "a name" node |> name; Values = list }
