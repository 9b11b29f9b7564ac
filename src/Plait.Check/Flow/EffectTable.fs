// The table of effects of members and types, from the checker's own text file and from files of users.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO

open Plait.Common

/// The table: effects of members by their full names, kinds of types, and facts about builders.
type EffectTable =
    private
        {
            Members: Dictionary<string, Effect list>
            Prefixes: List<string * Effect list>
            Types: Dictionary<string, Kind>
            Handlers: HashSet<string>
            Unsafe: List<string>
            NonAffine: List<string>
            RuntimeAsync: List<string>
            Remote: HashSet<string>
        }

    /// The effects of a member; None for one that the table lacks. `name` is TYPE.MEMBER with compiled names and
    /// without the number of type parameters.
    member table.Of(name: string) : Effect list option =
        match table.Members.TryGetValue name with
        | true, effects -> Some effects
        | _ ->
            table.Prefixes
            |> Seq.tryFind (fun (prefix, _) -> name.StartsWith(prefix, StringComparison.Ordinal))
            |> Option.map snd

    /// The kind of the values of a type, by its full name.
    member table.Kind(name: string) : Kind =
        match table.Types.TryGetValue name with
        | true, kind -> kind
        | _ -> Kind.Plain

    /// Whether a server calls the members with this attribute, on threads of the pool.
    member table.IsHandler(attribute: string) : bool = table.Handlers.Contains attribute

    /// Whether a type, by its full name, is a stream to another process or machine.
    member table.IsRemote(name: string) : bool = table.Remote.Contains name

    static member private Begins(prefixes: List<string>, name: string) : bool =
        prefixes |> Seq.exists (fun prefix -> name.StartsWith(prefix, StringComparison.Ordinal))

    /// Whether the body of a builder, by its full name, may change the caller's execution context.
    member table.IsUnsafe(builder: string) : bool =
        EffectTable.Begins(table.Unsafe, builder)

    /// Whether a builder, by its full name or by the type of its values, continues outside of the context that it began
    /// in.
    member table.IsNonAffine(name: string) : bool =
        EffectTable.Begins(table.NonAffine, name)

    /// Whether the compiler makes the block of a builder, by its full name, a part of the method around it.
    member table.IsRuntimeAsync(builder: string) : bool =
        EffectTable.Begins(table.RuntimeAsync, builder)

module EffectTable =
    let private plain: (string * Effect) list =
        [
            "blocks", Blocks
            "gives-complete", GivesComplete
            "is-complete", IsComplete
            "may-drop", MayDrop
            "stores-result", StoresResult
            "leaves-pool", LeavesPool
            "locks", Locks
            "unlocks", Unlocks
            "binds", Binds
            "names-thread", NamesThread
            "raises", Raises
            "writes-local", WritesLocal
            "task-to-async", TaskToAsync
            "async-to-task", AsyncToTask
            "runs-blocking", RunsBlocking
            "reflects", Reflects
            "formats", Formats
            "disposes", Disposes
            "remote", Remote
            "only-remote", OnlyRemote
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
            "runs", Runs
            "inside", Inside
            "perhaps", Perhaps
            "many", Many
            "later", Later
            "on-thread", OnThread
            "over", Over
            "over-pairs", OverPairs
            "forces", Forces
            "forces-once", ForcesOnce
            "forces-later", ForcesLater
            "defers", Defers
            "generates", Generates
            "starts", Starts
            "gives-made", GivesMade
            "selects", Selects
            "mixes", Mixes
            "unzips", Unzips
            "unwraps", Unwraps
            "handles", Handles
            "element", TakesElement
            "looks", Looks
            "takes-out", TakesOut
            "changes", Changes
            "tests-complete", TestsComplete
            "tells-complete", TellsComplete
            "negates", Negates
            "tests-status", TestsStatus
            "completes-all", CompletesAll
            "completes-task", CompletesTask
            "completes-in-time", CompletesInTime
            "calls-when-complete", CallsWhenComplete
            "calls-with-first", CallsWithFirst
            "gives-run", GivesRun
            "gives-test", GivesTest
            "each-complete", EachComplete
            "drops", Drops
            "locks-if", LocksIf
            "blocks-if", BlocksIf
            "tells-some", TellsSome
            "counts", Counts
            "tells-none", TellsNone
            "needs", Needs
            "repeats", Repeats
            "leaves-out", LeavesOut
            "fold-ends", FoldEnds
            "stores", Stores
        ]

    let private ofTwo: (string * (int * int -> Effect)) list =
        [
            "folds", Folds
            "folds-back", FoldsBack
            "folds-once", FoldsOnce
            "item", ItemOf
            "item-groups", ItemGroups
            "item-same", ItemSame
            "keeps", Keeps
            "splits", Splits
            "tells-all", TellsAll
            "tells-any", TellsAny
            "tells-contains", TellsContains
        ]

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
        @ List.map fst ofTwo
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
        | [ word; Number first; Number second ] when List.exists (fst >> (=) word) ofTwo ->
            (ofTwo |> List.find (fst >> (=) word) |> snd) (first, second)
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
            | "is handler" ->
                table.Members[name] <- [ Reflects ]
                table.Handlers.Add name |> ignore
            | "is unsafe" -> table.Unsafe.Add name
            | "is non-affine" -> table.NonAffine.Add name
            | "is runtime-async" -> table.RuntimeAsync.Add name
            | "is remote" -> table.Remote.Add name |> ignore
            | _ ->
                let effects =
                    rest.Split(',', StringSplitOptions.RemoveEmptyEntries)
                    |> Array.map (fun text -> effect refuse (text.Trim()))
                    |> List.ofArray

                if name.EndsWith '*' then
                    // a user's line wins over the checker's
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

    /// The lines of the user's files, then the checker's own. Raises BadInput for a line that is not understood.
    let load (files: string list) : EffectTable =
        let table =
            {
                Members = Dictionary()
                Prefixes = List()
                Types = Dictionary()
                Handlers = HashSet()
                Unsafe = List()
                NonAffine = List()
                RuntimeAsync = List()
                Remote = HashSet()
            }

        let addAll (file: string) (lines: string seq) =
            lines |> Seq.iteri (fun index line -> add table file (index + 1) line)

        addAll "effects.txt" (embedded ())

        for file in files do
            addAll file (Files.text "a table of effects" file |> _.ReplaceLineEndings("\n").Split('\n'))

        table
