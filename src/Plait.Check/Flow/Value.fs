// Values, and the objects behind them: the facts about objects that hold everywhere.
namespace Plait.Check

open FSharp.Compiler.Text

/// The origin of an object.
[<RequireQualifiedAccess>]
type Origin =
    /// A call or a computation expression here created it.
    | Created
    /// The parameter with this number.
    | Parameter of int
    /// An element of a collection, or the content of an option.
    | Element of owner: int
    /// The element of a collection at an index.
    | Indexed of owner: int
    /// A field, property or global value.
    | Member
    /// The result of awaiting.
    | Awaited

/// The checked code that created an operation.
[<RequireQualifiedAccess>]
type Producer =
    /// The function with this key returned it.
    | Function of key: string
    /// A computation expression with this body.
    | Block of Code

/// A call that blocks the thread, and the path to it.
type BlockingCall =
    {
        /// The calls from the declaration to the blocking one.
        Path: PathStep list
        /// It blocks only while each of these parameters is incomplete; empty: always.
        WhileIncomplete: Set<int>
        /// It blocks on paths alone on which all cases of one of these sets hold.
        OnlyIf: Set<ParameterCase> list
        /// The wait is short: a file, a lock that is held for a few instructions.
        IsShort: bool
        /// It takes a lock of the process: a function that gives the lock back blocks no longer than `lock` does.
        TakesLock: bool
        /// The call is of an abstract member, and all its implementations in the check block.
        IsOfAllImplementations: bool
        /// Of a function: a call with fewer arguments gives a function, and does not block.
        Arguments: int
    }

/// Two objects, the one with the lower number first.
type Pair = (struct (int * int))

/// The facts that hold on one path.
type PathFacts =
    {
        Complete: Set<int>
        /// Pairs of names for one task.
        Same: Set<Pair>
        /// Pairs of tasks that are not one.
        Different: Set<Pair>
        /// Single-use objects that it uses up, of those that some path uses up.
        Used: Set<int>
        /// Those that it does not use.
        Unused: Set<int>
        /// A value would be a case that the code never makes.
        IsExcluded: bool
    }

module PathFacts =
    let none =
        {
            Complete = Set.empty
            Same = Set.empty
            Different = Set.empty
            Used = Set.empty
            Unused = Set.empty
            IsExcluded = false
        }

type Value =
    | Unknown
    | Constant of int
    | Instance of int
    | Function of Closure
    | Group of Value list
    /// A record, or a value of a union: the values of its fields, by the names for reading them; the cases that it may be, each
    /// with the condition in which it is. No cases: not known which, or no union.
    | Case of fields: (string * Value) list * cases: (string * Condition) list
    | Test of Condition
    /// The TaskStatus of a value at a read of it; None: another function read it.
    | Status of Value * read: int option
    | OneOf of Value list
    /// In the result of a function: a completed task, one of these; empty: not known which.
    | CompletedTask of Value list
    /// In the result of a function: the member with this name of a value; None: of a module.
    | AccessPath of owner: Value option * name: string * kind: Kind
    /// The index, in a collection, of the task that completed first.
    | CompletedAt of CompletedIndex
    /// In a tuple or a case of the result of a function: an operation that the call starts. `isNew`: each call makes another one.
    | Started of Kind * isNew: bool
    /// In the result of a function: a function, a sequence or a lazy value. Calling or forcing it blocks while each of these is
    /// incomplete.
    | Deferred of BlockingCall * waitsFor: Value list
    /// In the result of a function: a function that calls these.
    | Calls of Value list

and CompletedIndex =
    {
        First: Value
        Of: Value
        /// The task of each index; -1 is a timeout. Empty: not known.
        ByIndex: (int * Value) list
    }

and Closure = { Parameters: Variable list; Applied: Value list; Body: Code }

/// The facts that follow from a test.
and Condition =
    /// True: the value is complete. `asked`: the number of objects at the test; then false means incomplete at that point.
    | Complete of Value * asked: int option
    /// True: the status of the value at this read is one of these numbers.
    | StatusIn of Value * read: int * statuses: int list
    /// True: both are one task.
    | Same of Value * Value
    /// False: a wait for the value timed out, so the value may be incomplete.
    | WaitedFor of Value
    /// True: the collection or the option has no element.
    | Empty of Value
    /// True: the value is this case of a union.
    | IsCase of Value * case: string
    | Not of Condition
    | Always of bool
    /// The facts if it is true and if it is false; None: it never is.
    | Refines of whenTrue: PathFacts option * whenFalse: PathFacts option

/// The result of awaiting an operation.
[<RequireQualifiedAccess>]
type AwaitResult =
    | Unknown
    /// A completed task: one of these; empty: not known which.
    | CompletedTask of int list
    | Value of Value
    /// A case of a union with the result in this field.
    | InField of field: string * AwaitResult
    /// An operation that runs already and ends with this one.
    | Operation of Value * AwaitResult

/// The origin of a part of a collection's elements: an item of a tuple, or a field.
[<RequireQualifiedAccess>]
type PartOrigin =
    /// The same value in each element.
    | Same of Value
    /// An element of this collection.
    | ElementOf of Value
    /// A collection of elements of this one.
    | GroupOf of Value
    /// The part with this name of an element of this collection.
    | PartOf of Value * name: string

/// A value with an identity: an operation, or an object with operations inside.
type Instance =
    {
        Id: int
        Kind: Kind
        /// Its await has a result other than unit.
        HasResult: bool
        /// Empty: it has none.
        Name: string
        /// The code that created or bound it.
        At: range
        Origin: Origin
        /// The effect of the call that created it, for a conversion between Task and Async, a lock or a switch of threads.
        CreatedBy: Effect option
        Producer: Producer option
        /// The call or block that returns it creates it each time.
        IsNew: bool
        /// Dropping it loses nothing.
        MayDrop: bool
        /// The objects that it was created with and uses until it ends.
        DependsOn: Set<int>
        /// The result of awaiting it.
        AwaitResult: AwaitResult
        /// The elements of a collection literal.
        Items: Value list option
        /// For a collection: those from which it has all its elements, or the parts of its elements.
        MadeOf: Value list
        /// For a collection: the origins of parts of its elements, by the names of the parts.
        PartsFrom: (string * PartOrigin) list
        /// For a collection: the origin of its elements.
        ElementFrom: PartOrigin option
        /// For a collection: the operations that a function created for its elements.
        ElementOperations: int list
        /// The operations of these in each part of an element, by the names of the parts.
        PartOperations: (string * int list) list
        /// For a lazily mapped sequence: its function creates these again on each enumeration.
        MakesElements: bool
        /// For a filtered collection or option: the facts that follow if it is not empty.
        NonEmptyWhen: Condition option
        /// It is a function that starts an operation.
        IsFunction: bool
        /// It is a sequence or a lazy value: forcing it uses the objects that it was created with.
        IsLazy: bool
        /// It is a lazily computed sequence that no code has enumerated. In the event of a drop: an operation in one.
        IsUnenumerated: bool
        /// It is the first of these tasks that completed.
        FirstOf: int list
        /// The code may read it in more than one place.
        HasReaders: bool
        /// The code only awaits it, by its name.
        IsOnlyAwaited: bool
        /// It is a stream, a reader or a writer to another process or machine.
        IsRemote: bool
        /// Its class, if the check has the constructor call.
        Class: string option
        /// The known fields of a value of a module.
        KnownFields: (string * Value) list
        /// For a function, a sequence or a lazy value: its call or its enumeration blocks so while each of these is incomplete.
        DeferredBlocking: (BlockingCall * Value list) option
    }

module Value =
    /// A record.
    let record (fields: (string * Value) list) : Value = Case(fields, [])

    let rec private hasCases (value: Value) : bool =
        match value with
        | Group values
        | OneOf values -> List.exists hasCases values
        | Case(fields, cases) -> not cases.IsEmpty || fields |> List.exists (snd >> hasCases)
        | _ -> false

    /// The value where it may be another case: in the next turn of a loop, a recursion or a fold, or on another path.
    let rec withoutCases (value: Value) : Value =
        match value with
        | value when not (hasCases value) -> value
        | Group values -> Group(List.map withoutCases values)
        | OneOf values -> OneOf(List.map withoutCases values)
        | Case(fields, _) -> record [ for name, value in fields -> name, withoutCases value ]
        | value -> value

    /// The objects that a value may stand for.
    let rec objects (value: Value) : int list =
        match value with
        | Instance id -> [ id ]
        | Group values
        | OneOf values -> List.collect objects values
        | Case(fields, _) -> fields |> List.collect (snd >> objects)
        | _ -> []

    /// The facts of an unknown test.
    let noRefinement = Refines(Some PathFacts.none, Some PathFacts.none)

    let pair (a: int) (b: int) : Pair = struct (min a b, max a b)

    /// Replaces the objects of a value; Unknown replaces a value with an unknown object. `now`: the number of objects.
    let rec map (now: int) (other: int -> Value) (value: Value) : Value =
        match value with
        | Instance id -> other id
        | Constant _
        | Started _ -> value
        | Group values ->
            match List.map (map now other) values with
            | values when values |> List.forall (fun value -> value = Unknown) -> Unknown
            | values -> Group values
        | Case(fields, cases) ->
            Case(
                [ for name, value in fields -> name, map now other value ],
                [ for case, condition in cases -> case, mapCondition now other condition ]
            )
        | OneOf values ->
            match List.map (map now other) values with
            | values when List.contains Unknown values -> Unknown
            | values -> OneOf values
        | CompletedTask values ->
            match List.map (map now other) values with
            | values when List.contains Unknown values -> CompletedTask []
            | values -> CompletedTask values
        | AccessPath(owner, name, kind) ->
            match Option.map (map now other) owner with
            | Some Unknown -> Unknown
            | owner -> AccessPath(owner, name, kind)
        | Test condition -> Test(mapCondition now other condition)
        | Status(value, _) ->
            match map now other value with
            | Unknown -> Unknown
            | value -> Status(value, None)
        | CompletedAt place ->
            match map now other place.First with
            | Unknown -> Unknown
            | first ->
                let numbered = [ for number, value in place.ByIndex -> number, map now other value ]

                let isKnown = numbered |> List.forall (fun (_, value) -> value <> Unknown)

                CompletedAt
                    { First = first; Of = map now other place.Of; ByIndex = if isKnown then numbered else [] }
        | Deferred(blocking, waitsFor) -> Deferred(blocking, List.map (map now other) waitsFor)
        | Calls functions -> Calls(List.map (map now other) functions)
        | Unknown
        | Function _ -> Unknown

    and private mapCondition (now: int) (other: int -> Value) (condition: Condition) : Condition =
        let one id =
            match other id with
            | Instance id -> Some id
            | _ -> None

        let pairs (pairs: Set<Pair>) =
            pairs |> Seq.choose (fun struct (a, b) -> Option.map2 pair (one a) (one b)) |> Set.ofSeq

        let ids (ids: Set<int>) = ids |> Seq.choose one |> Set.ofSeq

        let pathFacts (pathFacts: PathFacts) =
            { pathFacts with
                Complete = ids pathFacts.Complete
                Same = pairs pathFacts.Same
                Different = pairs pathFacts.Different
                Used = ids pathFacts.Used
                Unused = ids pathFacts.Unused
            }

        match condition with
        | Complete(value, asked) ->
            match map now other value with
            | Unknown -> noRefinement
            | value -> Complete(value, asked |> Option.map (fun _ -> now))
        | StatusIn _ -> noRefinement
        | Same(a, b) ->
            match map now other a, map now other b with
            | Unknown, _
            | _, Unknown -> noRefinement
            | a, b -> Same(a, b)
        | WaitedFor value ->
            match map now other value with
            | Unknown -> noRefinement
            | value -> WaitedFor value
        | Empty value ->
            match map now other value with
            | Unknown -> noRefinement
            | value -> Empty value
        | IsCase(value, case) ->
            match map now other value with
            | Unknown -> noRefinement
            | value -> IsCase(value, case)
        | Not condition ->
            match mapCondition now other condition with
            | Refines _ as condition when condition = noRefinement -> condition
            | condition -> Not condition
        | Always _ -> condition
        | Refines(whenTrue, whenFalse) ->
            // a set of ids cannot have an access path
            let held (facts: PathFacts option) =
                [
                    for id in facts |> Option.map _.Complete |> Option.defaultValue Set.empty do
                        match other id with
                        | AccessPath _ as part -> part
                        | _ -> ()
                ]

            match held whenTrue, held whenFalse with
            | [], [] -> Refines(Option.map pathFacts whenTrue, Option.map pathFacts whenFalse)
            | [], parts -> Not(Complete(Group parts, None))
            | parts, _ -> Complete(Group parts, None)

    /// Replaces the values of a condition.
    let rec inCondition (other: Value -> Value) (condition: Condition) : Condition =
        match condition with
        | Complete(value, asked) -> Complete(other value, asked)
        | StatusIn(value, read, statuses) -> StatusIn(other value, read, statuses)
        | Same(a, b) -> Same(other a, other b)
        | WaitedFor value -> WaitedFor(other value)
        | Empty value -> Empty(other value)
        | IsCase(value, case) -> IsCase(other value, case)
        | Not condition -> Not(inCondition other condition)
        | Always _
        | Refines _ -> condition

module AwaitResult =
    /// Replaces the objects of a result: values, operations that end with others, and the tasks of which one completed first.
    let rec map
        (value: Value -> Value)
        (operation: Value -> Value)
        (among: int list -> int list)
        (awaited: AwaitResult)
        : AwaitResult =
        match awaited with
        | AwaitResult.Unknown -> awaited
        | AwaitResult.CompletedTask tasks -> AwaitResult.CompletedTask(among tasks)
        | AwaitResult.Value known ->
            match value known with
            | Unknown -> AwaitResult.Unknown
            | known -> AwaitResult.Value known
        | AwaitResult.InField(field, awaited) ->
            match map value operation among awaited with
            | AwaitResult.Unknown -> AwaitResult.Unknown
            | awaited -> AwaitResult.InField(field, awaited)
        | AwaitResult.Operation(run, awaited) ->
            AwaitResult.Operation(operation run, map value operation among awaited)
