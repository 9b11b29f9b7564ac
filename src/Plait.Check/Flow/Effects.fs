// What functions and types of libraries mean to the analysis: a table in a text file, which users can extend. Nothing else in
// the checker knows a name of a library.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO

open Plait.Common

/// How a call compares its first two arguments.
[<RequireQualifiedAccess>]
type Comparison =
    | Equal
    | Different
    | Less
    | Greater
    | AtMost
    | AtLeast

/// What a call does with its arguments. Arguments count from 0; the object of an instance member is argument 0.
type Effect =
    /// Uses up an argument that may be used only once.
    | Consumes of int
    /// Only looks at an argument.
    | Peeks of int
    /// Returns the argument, or another form of it: its awaiter, its configured form.
    | Passes of int
    /// Uses up the argument, and returns one that may be used many times.
    | Shares of int
    /// Blocks the thread until the argument is complete.
    | Waits of int
    /// Blocks the thread until one of the argument's elements is complete; the result is the number of that one.
    | WaitsAny of int
    /// Blocks the thread.
    | Blocks
    /// Blocks the thread, on a call with an asynchronous twin that has this name.
    | BlocksBeside of twin: string
    /// Calls the argument exactly once before it returns.
    | Once of int
    /// Calls the argument at most once before it returns.
    | Perhaps of int
    /// Calls the argument any number of times before it returns.
    | Many of int
    /// Calls the argument later or on another thread.
    | Later of int
    /// Gives the elements of this argument to the functions among the arguments.
    | Over of int
    /// Returns an element of the argument, found by its place.
    | TakesElement of int
    /// Returns the elements of the second argument for which the first is true, or what the first makes of them.
    | Keeps of predicate: int * from: int
    /// Returns two collections: the elements of the second argument for which the first is true, and the others.
    | Splits of predicate: int * from: int
    /// The result is true when the first is true for all elements of the second argument, or for any of them.
    | TellsAll of predicate: int * from: int
    | TellsAny of predicate: int * from: int
    /// The result is true only when the argument is complete.
    | TestsComplete of int
    /// The result is true when the argument is complete, and false when it is not.
    | TellsComplete of int
    /// The result is true where the argument is false.
    | Negates of int
    /// The result says how the first two arguments compare.
    | Compares of Comparison
    /// The result is the state of the argument, as a number.
    | TestsStatus of int
    /// The result is complete when the arguments from this one on are.
    | CompletesAll of int
    /// The result ends well when the argument is complete, and may fail before.
    | CompletesInTime of int
    /// The awaited result is a task that is complete: one of the arguments, or of their elements.
    | GivesComplete
    /// The awaited result is true only when the argument is complete, and always where no limit of time is given.
    | GivesTest of int
    /// The result has the elements of the argument, each complete when it is given.
    | EachComplete of int
    /// The awaited result is a case of a union that holds in a field what awaiting the argument gives.
    | GivesIn of field: string * int
    /// The awaited result is an operation that runs the argument already, and ends when that does.
    | GivesRun of int
    /// The result is as complete as this argument, or complete where that is no operation.
    | Wraps of int
    /// The result is complete already.
    | IsComplete
    /// The function among the arguments gets this argument when it is complete.
    | CallsWhenComplete of int
    /// The function among the arguments gets the element of this argument that is complete first.
    | CallsWithFirst of int
    /// The result may be dropped without a loss.
    | MayDrop
    /// Drops the argument.
    | Drops of int
    /// Keeps the argument for later: in a collection, a cell.
    | Stores of int
    /// What is behind the await of the result runs on a thread of its own, until the next await.
    | LeavesPool
    /// Takes a lock that belongs to the thread, and gives it back. So does the disposal of what `Locks` returns.
    | Locks
    | Unlocks
    /// Takes such a lock, unless the argument is false or not given.
    | LocksIf of int
    /// Takes such a lock, unless the last argument is this number and its parameter has this type.
    | LocksUnless of parameterType: string * number: int
    /// Does not return.
    | Raises
    /// Writes a value that flows with the execution context.
    | WritesLocal
    /// Turns a Task into an Async, and the reverse.
    | TaskToAsync
    | AsyncToTask
    /// Runs an Async and blocks until it is done.
    | RunsBlocking
    /// Hands its arguments to code that finds out by reflection what they are.
    | Reflects
    /// Frees the object.
    | Disposes

module Effect =
    /// The arguments that an effect speaks of; what becomes of the others is not known.
    let arguments (effect: Effect) : int list =
        match effect with
        | Consumes index
        | Peeks index
        | Passes index
        | Shares index
        | Waits index
        | WaitsAny index
        | Once index
        | Perhaps index
        | Many index
        | Later index
        | Over index
        | TestsComplete index
        | TellsComplete index
        | Negates index
        | TestsStatus index
        | CallsWhenComplete index
        | CallsWithFirst index
        | CompletesInTime index
        | GivesTest index
        | EachComplete index
        | TakesElement index
        | Drops index
        | LocksIf index
        | Wraps index
        | Stores index -> [ index ]
        | GivesIn(_, index)
        | GivesRun index -> [ index ]
        | Keeps(a, b)
        | Splits(a, b)
        | TellsAll(a, b)
        | TellsAny(a, b) -> [ a; b ]
        | Compares _ -> [ 0; 1 ]
        | CompletesAll index -> [ index .. index + 9 ]
        | GivesComplete -> [ 0..9 ]
        | TaskToAsync
        | AsyncToTask
        | RunsBlocking
        | Disposes -> [ 0 ]
        | Reflects -> [ 0..9 ]
        | _ -> []

/// What values of a type are.
[<RequireQualifiedAccess>]
type Kind =
    /// May be used once; the type's name without its namespace.
    | SingleUse of string
    /// Runs already, and may be awaited many times.
    | Task
    /// Runs each time it is started.
    | Cold
    /// Anything else.
    | Plain

/// The table: effects of members by their full names, kinds of types, and what is known of builders.
type EffectTable =
    private
        {
            Members: Dictionary<string, Effect list>
            Prefixes: List<string * Effect list>
            Types: Dictionary<string, Kind>
            Unsafe: List<string>
            NonAffine: List<string>
            RuntimeAsync: List<string>
        }

    /// What a member does; None for one that the table does not know. `name` is TYPE.MEMBER with compiled names and
    /// without the number of type parameters.
    member table.Of(name: string) : Effect list option =
        match table.Members.TryGetValue name with
        | true, effects -> Some effects
        | _ ->
            table.Prefixes
            |> Seq.tryFind (fun (prefix, _) -> name.StartsWith(prefix, StringComparison.Ordinal))
            |> Option.map snd

    /// What values of a type are, by its full name.
    member table.Kind(name: string) : Kind =
        match table.Types.TryGetValue name with
        | true, kind -> kind
        | _ -> Kind.Plain

    static member private Begins(prefixes: List<string>, name: string) : bool =
        prefixes |> Seq.exists (fun prefix -> name.StartsWith(prefix, StringComparison.Ordinal))

    /// Whether a builder, by its full name, leaves the context as its body set it.
    member table.IsUnsafe(builder: string) : bool =
        EffectTable.Begins(table.Unsafe, builder)

    /// Whether a builder, by its full name or by a type that makes it what it is, goes on outside of the context that it began in.
    member table.IsNonAffine(name: string) : bool =
        EffectTable.Begins(table.NonAffine, name)

    /// Whether the block of a builder, by its full name, is compiled as a part of the method around it.
    member table.IsRuntimeAsync(builder: string) : bool =
        EffectTable.Begins(table.RuntimeAsync, builder)

module EffectTable =
    let private plain: (string * Effect) list =
        [
            "blocks", Blocks
            "gives-complete", GivesComplete
            "is-complete", IsComplete
            "may-drop", MayDrop
            "leaves-pool", LeavesPool
            "locks", Locks
            "unlocks", Unlocks
            "raises", Raises
            "writes-local", WritesLocal
            "task-to-async", TaskToAsync
            "async-to-task", AsyncToTask
            "runs-blocking", RunsBlocking
            "reflects", Reflects
            "disposes", Disposes
        ]

    let private ofArgument: (string * (int -> Effect)) list =
        [
            "consumes", Consumes
            "peeks", Peeks
            "passes", Passes
            "shares", Shares
            "wraps", Wraps
            "waits", Waits
            "waits-any", WaitsAny
            "once", Once
            "perhaps", Perhaps
            "many", Many
            "later", Later
            "over", Over
            "element", TakesElement
            "tests-complete", TestsComplete
            "tells-complete", TellsComplete
            "negates", Negates
            "tests-status", TestsStatus
            "completes-all", CompletesAll
            "completes-in-time", CompletesInTime
            "calls-when-complete", CallsWhenComplete
            "calls-with-first", CallsWithFirst
            "gives-run", GivesRun
            "gives-test", GivesTest
            "each-complete", EachComplete
            "drops", Drops
            "locks-if", LocksIf
            "stores", Stores
        ]

    let private ofPredicate: (string * (int * int -> Effect)) list =
        [ "keeps", Keeps; "splits", Splits; "tells-all", TellsAll; "tells-any", TellsAny ]

    let private comparisons: (string * Comparison) list =
        [
            "=", Comparison.Equal
            "<>", Comparison.Different
            "<", Comparison.Less
            ">", Comparison.Greater
            "<=", Comparison.AtMost
            ">=", Comparison.AtLeast
        ]

    let private words =
        List.map fst plain
        @ List.map fst ofArgument
        @ List.map fst ofPredicate
        @ [ "blocks-beside"; "gives-in"; "compares"; "locks-unless" ]

    let private (|Number|_|) (text: string) =
        match Int32.TryParse text with
        | true, number when number >= 0 && number < 20 -> Some number
        | _ -> None

    let private effect (refuse: string -> Effect) (text: string) : Effect =
        match List.ofArray (text.Split(' ', StringSplitOptions.RemoveEmptyEntries)) with
        | [ word ] when List.exists (fst >> (=) word) plain -> plain |> List.find (fst >> (=) word) |> snd
        | [ word; Number n ] when List.exists (fst >> (=) word) ofArgument ->
            (ofArgument |> List.find (fst >> (=) word) |> snd) n
        | [ "blocks-beside"; twin ] -> BlocksBeside twin
        | [ word; Number predicate; Number from ] when List.exists (fst >> (=) word) ofPredicate ->
            (ofPredicate |> List.find (fst >> (=) word) |> snd) (predicate, from)
        | [ "gives-in"; field; Number index ] -> GivesIn(field, index)
        | [ "locks-unless"; parameterType; Number number ] -> LocksUnless(parameterType, number)
        | [ "compares"; sign ] when List.exists (fst >> (=) sign) comparisons ->
            Compares(comparisons |> List.find (fst >> (=) sign) |> snd)
        | word :: _ when not (List.contains word words) ->
            let hint =
                NearestName.hint words ("the effects are " + String.concat ", " words) word

            refuse $"'{word}' is no effect; {hint}"
        | _ ->
            refuse
                $"'{text}' lacks its argument or has one too many: 'waits 0', 'keeps 0 1', 'blocks-beside ReadAsync', 'blocks'"

    let private add (table: EffectTable) (file: string) (number: int) (line: string) : unit =
        let refuse (why: string) =
            raise (BadInput $"{file}, line {number}: {why}")

        match line.IndexOf '#' with
        | 0 -> ()
        | _ when String.IsNullOrWhiteSpace line -> ()
        | _ ->
            let name, rest =
                match line.Trim().Split([| ' '; '\t' |], 2, StringSplitOptions.RemoveEmptyEntries) with
                | [| name; rest |] -> name, rest.Trim()
                | _ ->
                    refuse
                        $"'{line.Trim()}' is a name without an effect; write 'System.Threading.Thread.Sleep blocks'"

            let short = name.Substring(name.LastIndexOf '.' + 1)

            match rest with
            | "is single-use" -> table.Types[name] <- Kind.SingleUse short
            | "is task" -> table.Types[name] <- Kind.Task
            | "is cold" -> table.Types[name] <- Kind.Cold
            | "is entry" -> table.Members[name] <- [ Reflects ]
            | "is unsafe" -> table.Unsafe.Add name
            | "is non-affine" -> table.NonAffine.Add name
            | "is runtime-async" -> table.RuntimeAsync.Add name
            | _ ->
                let effects =
                    rest.Split(',', StringSplitOptions.RemoveEmptyEntries)
                    |> Array.map (fun text -> effect refuse (text.Trim()))
                    |> List.ofArray

                if name.EndsWith '*' then
                    // a user's comes before ours
                    table.Prefixes.Insert(0, (name.TrimEnd '*', effects))
                else
                    table.Members[name] <- effects

    let private embedded () : string seq =
        use stream =
            match typeof<EffectTable>.Assembly.GetManifestResourceStream "effects.txt" with
            | null -> failwith "the table of effects is not in the assembly"
            | stream -> stream

        use reader = new StreamReader(stream)
        reader.ReadToEnd().Split '\n' |> Seq.map _.TrimEnd('\r')

    /// The table that comes with the checker, with what the user's files say above it. Raises BadInput for a line that says
    /// nothing.
    let load (files: string list) : EffectTable =
        let table =
            {
                Members = Dictionary()
                Prefixes = List()
                Types = Dictionary()
                Unsafe = List()
                NonAffine = List()
                RuntimeAsync = List()
            }

        let addAll (file: string) (lines: string seq) =
            lines |> Seq.iteri (fun index line -> add table file (index + 1) line)

        addAll "effects.txt" (embedded ())

        for file in files do
            addAll file (Files.text "a table of effects" file |> _.ReplaceLineEndings("\n").Split('\n'))

        table
