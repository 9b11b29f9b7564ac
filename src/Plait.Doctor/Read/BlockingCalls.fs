// The methods that block a thread: a table, read once. Whoever finds the statement that blocks and whoever judges stacks asks it.
module Plait.Doctor.BlockingCalls

open System
open System.Collections.Concurrent
open System.IO
open System.Reflection

open Plait.Report

type private Line =
    {
        /// Of the innermost frame; false: of the call that led to it.
        IsLeaf: bool
        Kind: BlockKind
        Name: string
        /// Whether names that go on are meant as well.
        IsPrefix: bool
    }

    /// Whether a method is meant.
    member line.Fits(name: string) =
        if line.IsPrefix then
            name.StartsWith(line.Name, StringComparison.Ordinal)
        else
            name = line.Name

let private parse (line: string) : Line =
    match line.Split(' ', StringSplitOptions.RemoveEmptyEntries) with
    | [| "leaf" | "call" as position; kind; name |] ->
        match Word.tryFind<BlockKind>(kind.Replace('-', ' ')) with
        | None -> raise (InvalidDataException $"blocking-calls.txt: no kind of block is called '{kind}'")
        | Some kind ->
            {
                IsLeaf = position = "leaf"
                Kind = kind
                Name = name.TrimEnd '*'
                IsPrefix = name.EndsWith '*'
            }
    | _ -> raise (InvalidDataException $"blocking-calls.txt: '{line}' is no line of the table")

let private table: Lazy<Line list> =
    lazy
        (use stream =
            nonNull (Assembly.GetExecutingAssembly().GetManifestResourceStream "blocking-calls.txt")

         use reader = new StreamReader(stream)

         reader.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries)
         |> Seq.filter (fun line -> line <> "" && not (line.StartsWith '#'))
         |> Seq.map parse
         |> List.ofSeq)

// What was found, by name: each stands on many stacks.
let private found = ConcurrentDictionary<struct (bool * string), BlockKind option>()

let private find (isLeaf: bool) (name: string) : BlockKind option =
    found.GetOrAdd(
        struct (isLeaf, name),
        fun (struct (isLeaf, name)) ->
            table.Value
            |> List.tryFind (fun line -> line.IsLeaf = isLeaf && line.Fits name)
            |> Option.map _.Kind
    )

/// What a thread waits for whose innermost known frame is this method; None: it works.
let ofLeaf (name: string) : BlockKind option = find true name

/// What a program waits for that calls this method; None: nothing.
let ofCall (name: string) : BlockKind option = find false name
