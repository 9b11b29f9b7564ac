// The methods that block a thread: a table, read once. The code that finds the blocking statement and the code that
// judges stacks ask it.
module Plait.Doctor.BlockingCalls

open System
open System.Collections.Concurrent
open System.IO
open System.Reflection

open Plait.Common

/// The position on a stack of a method in the table.
type private StackPosition =
    /// Innermost.
    | Leaf
    /// It called the innermost frame, directly or not.
    | Call
    /// The same, through another stream; that stream's kind is more exact.
    | Through
    /// The thread has returned from the wait to this method, and works again.
    | Work
    /// Below the program's code, on a thread that works: it asks for a condition again and again.
    | Poll

type private TableLine =
    {
        Position: StackPosition
        /// None: the method works, or polls.
        Kind: BlockKind option
        Name: string
        /// Whether the name is a prefix.
        IsPrefix: bool
        /// None: that of the kind.
        Remedy: CallRemedy option
    }

    /// Whether the line is for a method.
    member line.Fits(name: string) =
        if line.IsPrefix then
            name.StartsWith(line.Name, StringComparison.Ordinal)
        else
            name = line.Name

let private parse (line: string) : TableLine =
    let word (from: string) (find: string -> 'T option) (of': string) : 'T =
        match find (from.Replace('-', ' ')) with
        | Some found -> found
        | None -> raise (InvalidDataException $"blocking-calls.txt: no {of'} is called '{from}'")

    let entry position kind (name: string) remedy =
        {
            Position = position
            Kind = kind
            Name = name.TrimEnd '*'
            IsPrefix = name.EndsWith '*'
            Remedy = remedy
        }

    match line.Split(' ', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray with
    | "leaf" | "call" | "through" as position :: kind :: name :: ([] | [ _ ] as remedy) ->
        let position =
            match position with
            | "leaf" -> Leaf
            | "call" -> Call
            | _ -> Through

        let kind = word kind Word.tryFind<BlockKind> "kind of block"

        remedy
        |> List.tryHead
        |> Option.map (fun remedy -> word remedy Word.tryFind<CallRemedy> "remedy")
        |> entry position (Some kind) name
    | [ "work"; name ] -> entry Work None name None
    | [ "poll"; name ] -> entry Poll None name None
    | _ -> raise (InvalidDataException $"blocking-calls.txt: '{line}' is no line of the table")

let private table: Lazy<TableLine list> =
    lazy
        (use stream =
            nonNull (Assembly.GetExecutingAssembly().GetManifestResourceStream "blocking-calls.txt")

         use reader = new StreamReader(stream)

         reader.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries)
         |> Seq.filter (fun line -> line <> "" && not (line.StartsWith '#'))
         |> Seq.map parse
         |> List.ofSeq)

// Results by name: each method is on many stacks.
let private found =
    ConcurrentDictionary<struct (StackPosition * string), TableLine option>()

let private find (position: StackPosition) (name: string) : TableLine option =
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

/// The remedy of a thread in this method that waits so; None: that of the kind.
let remedyOf (kind: BlockKind) (name: string) : CallRemedy option =
    [ Leaf; Call ]
    |> List.choose (fun position -> find position name)
    |> List.tryFind (fun line -> line.Kind = Some kind && line.Remedy.IsSome)
    |> Option.bind _.Remedy

/// Whether a program that calls this method waits.
let isWait (name: string) : bool = (ofCall name).IsSome

/// Whether a call of another method may have led to this one: they block in the same way, or this one overrides the other.
let mayBe (method: string) (called: string) : bool =
    let last (name: string) =
        name.Substring(name.LastIndexOf '.' + 1)

    match ofCall called, ofCall method with
    | Some one, Some other -> one = other
    | _ -> last called = last method

/// Whether a thread in this method has returned from its wait and works again.
let isWork (name: string) : bool = (find Work name).IsSome

/// Whether a program that calls this method, and works, asks for a condition again and again.
let isPoll (name: string) : bool = (find Poll name).IsSome
