// The methods that block a thread: a table, read once. The code that finds the blocking statement and the code that
// judges stacks ask it.
module Plait.Doctor.BlockingCalls

open System
open System.Collections.Concurrent
open System.IO
open System.Reflection

open Plait.Common

/// Where a method of the table stands on a stack.
type private Position =
    /// Innermost.
    | Leaf
    /// It led to the innermost frame.
    | Call
    /// It led there through another stream, which says more.
    | Through
    /// A thread that has come so far from a call that waits works again.
    | Work

type private Line =
    {
        Position: Position
        /// None: the method works.
        Kind: BlockKind option
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
    let entry position kind (name: string) =
        {
            Position = position
            Kind = kind
            Name = name.TrimEnd '*'
            IsPrefix = name.EndsWith '*'
        }

    match line.Split(' ', StringSplitOptions.RemoveEmptyEntries) with
    | [| "leaf" | "call" | "through" as position; kind; name |] ->
        match Word.tryFind<BlockKind>(kind.Replace('-', ' ')) with
        | None -> raise (InvalidDataException $"blocking-calls.txt: no kind of block is called '{kind}'")
        | found ->
            let position =
                match position with
                | "leaf" -> Leaf
                | "call" -> Call
                | _ -> Through

            entry position found name
    | [| "work"; name |] -> entry Work None name
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

// Results by name: each stands on many stacks.
let private found = ConcurrentDictionary<struct (Position * string), Line option>()

let private find (position: Position) (name: string) : Line option =
    found.GetOrAdd(
        struct (position, name),
        fun (struct (position, name)) ->
            table.Value |> List.tryFind (fun line -> line.Position = position && line.Fits name)
    )

/// The kind of wait of a thread whose innermost known frame is this method; None: it works.
let ofLeaf (name: string) : BlockKind option = find Leaf name |> Option.bind _.Kind

/// Whether a program that calls this method waits for another stream.
let isThrough (name: string) : bool = (find Through name).IsSome

/// The kind of wait of a program that calls this method; None: it does not wait.
let ofCall (name: string) : BlockKind option =
    find Call name |> Option.orElse (find Through name) |> Option.bind _.Kind

/// Whether a thread that has come to this method from a call that waits works again.
let isWork (name: string) : bool = (find Work name).IsSome
