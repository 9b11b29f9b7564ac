// Values, and the objects behind them: the facts about objects that hold everywhere.
namespace Plait.Check

open FSharp.Compiler.Text

/// Where an object comes from.
[<RequireQualifiedAccess>]
type Origin =
    /// Made by a call or a computation expression that is evaluated here.
    | Made
    /// The declaration's parameter with this number.
    | Parameter of int
    /// An element of a collection, or the content of an option.
    | Element of owner: int
    /// The element of a collection at some place.
    | Indexed of owner: int
    /// A field, property or global value.
    | Part
    /// The result of awaiting.
    | Awaited

/// The checked code that made an operation.
[<RequireQualifiedAccess>]
type Maker =
    /// A function with this key, which returned it.
    | Function of key: string
    /// Braces with this code.
    | Block of Code

/// How code blocks the thread that runs it.
type Blockage =
    {
        /// The way to the call that blocks.
        Way: PathStep list
        /// It blocks only while none of these parameters is complete; empty: always.
        While: Set<int>
        /// The call that blocks waits for something short.
        IsShort: bool
        /// It is that of all members in the check that implement an abstract one.
        IsOfAll: bool
    }

/// Two objects, the one with the lower number first.
type Pair = (struct (int * int))

/// The facts that a path adds.
type Knowledge =
    {
        Complete: Set<int>
        /// Pairs of names for one task.
        Same: Set<Pair>
        /// Pairs of tasks that are not one.
        Different: Set<Pair>
    }

type Value =
    | Unknown
    | Constant of int
    | Instance of int
    | Function of Closure
    | Group of Value list
    /// A case of a union or a record: the values of its fields, by the names for reading them.
    | Case of fields: (string * Value) list
    | Test of Condition
    /// The TaskStatus of a value, as it was at this read of it; none for one in another function.
    | Status of Value * read: int option
    | OneOf of Value list
    /// In the result of a function: a task that is complete, and one of these or of unknown ones.
    | Ended of Value list
    /// In the result of a function: the part with this name of a value, or of a module.
    | Held of owner: Value option * name: string * kind: Kind
    /// The number of a task in a collection: of the one that was complete first.
    | FoundAt of FirstIndex
    /// In the result of a function: a function, a sequence or a lazy value that blocks when it is called or forced, while none
    /// of these is complete.
    | Deferred of Blockage * waitsFor: Value list

and FirstIndex =
    {
        First: Value
        Of: Value
        /// The meaning of the numbers, if it is known: -1 for no task, if none may have been complete in time.
        Numbered: (int * Value) list
    }

and Closure = { Parameters: Variable list; Given: Value list; Body: Code }

/// The fact that a test gives.
and Condition =
    /// True only where the value is complete. One that is asked when there are so many objects is false only where it is not
    /// complete then.
    | Complete of Value * asked: int option
    /// True where the status of the value, at this read of it, is one of these numbers.
    | StatusIn of Value * read: int * statuses: int list
    /// True where both are one task.
    | Same of Value * Value
    /// Where it is false, these are not known to be complete: a wait for them may have ended before they did.
    | WaitedFor of Value
    | Opposite of Condition
    | Always of bool
    /// The facts where it is true and where it is false; None where it never is.
    | Told of whenTrue: Knowledge option * whenFalse: Knowledge option

/// The result of awaiting an operation.
[<RequireQualifiedAccess>]
type Gift =
    | Anything
    /// A task that is complete: one of these, or of unknown ones where there is none.
    | Winner of int list
    | Known of Value
    /// A case of a union, which holds it in this field.
    | In of field: string * Gift
    /// An operation that runs already and ends when this one does.
    | Run of Value * Gift

/// A value with an identity: an operation, or anything that operations are found in.
type Instance =
    {
        Id: int
        Kind: Kind
        /// Awaiting it gives something.
        GivesValue: bool
        /// Empty for one without a name.
        Name: string
        /// Where it was made or bound.
        At: range
        Origin: Origin
        /// The effect that made it, where that matters: a conversion between Task and Async, a switch of threads.
        Made: Effect option
        Maker: Maker option
        /// Nothing is lost where it is dropped.
        MayDrop: bool
        /// The objects that it was made with, and needs until it ends.
        From: Set<int>
        /// The result of awaiting it.
        Gives: Gift
        /// The elements of a collection that was written out.
        Items: Value list option
        /// Operations that a function made for its elements, where it is a collection or the like.
        Holds: int list
        /// A collection, or an option, of the elements for which a function was true: the test that there is one.
        IsSome: Condition option
        /// It is a function, which starts an operation when it is called.
        IsFunction: bool
        /// A sequence or a lazy value, which uses the objects that it was made with when it is forced.
        IsLater: bool
        /// It is the one of these tasks that was complete first.
        Among: int list
        /// All that is done with it is to await it, by the name that it is bound to.
        IsOnlyAwaited: bool
        /// The class that it was made of.
        Class: string option
        /// The fields of a value of a module, as far as they are known.
        Shape: (string * Value) list
        /// A function, a sequence or a lazy value: how it blocks when it is called or forced, while none of these is complete.
        Defers: (Blockage * Value list) option
    }

module Value =
    /// The objects that a value may be.
    let rec objects (value: Value) : int list =
        match value with
        | Instance id -> [ id ]
        | Group values
        | OneOf values -> List.collect objects values
        | Case fields -> fields |> List.collect (snd >> objects)
        | _ -> []

    /// The facts of an unknown test.
    let nothingTold =
        let nothing = Some { Complete = Set.empty; Same = Set.empty; Different = Set.empty }

        Told(nothing, nothing)

    let pair (a: int) (b: int) : Pair = struct (min a b, max a b)

    /// The value with other objects in the places of its own, asked when there are `now` objects; an object without
    /// one becomes unknown.
    let rec map (now: int) (other: int -> Value) (value: Value) : Value =
        match value with
        | Instance id -> other id
        | Constant _ -> value
        | Group values ->
            match List.map (map now other) values with
            | values when values |> List.forall (fun value -> value = Unknown) -> Unknown
            | values -> Group values
        | Case fields -> Case [ for name, value in fields -> name, map now other value ]
        | OneOf values ->
            match List.map (map now other) values with
            | values when List.contains Unknown values -> Unknown
            | values -> OneOf values
        | Ended values ->
            match List.map (map now other) values with
            | values when List.contains Unknown values -> Ended []
            | values -> Ended values
        | Held(owner, name, kind) ->
            match Option.map (map now other) owner with
            | Some Unknown -> Unknown
            | owner -> Held(owner, name, kind)
        | Test condition -> Test(mapCondition now other condition)
        | Status(value, _) ->
            match map now other value with
            | Unknown -> Unknown
            | value -> Status(value, None)
        | FoundAt place ->
            match map now other place.First with
            | Unknown -> Unknown
            | first ->
                let numbered =
                    [ for number, value in place.Numbered -> number, map now other value ]

                let isKnown = numbered |> List.forall (fun (_, value) -> value <> Unknown)

                FoundAt
                    {
                        First = first
                        Of = map now other place.Of
                        Numbered = if isKnown then numbered else []
                    }
        | Deferred(blockage, waitsFor) -> Deferred(blockage, List.map (map now other) waitsFor)
        | Unknown
        | Function _ -> Unknown

    and private mapCondition (now: int) (other: int -> Value) (condition: Condition) : Condition =
        let one id =
            match other id with
            | Instance id -> Some id
            | _ -> None

        let pairs (pairs: Set<Pair>) =
            pairs |> Seq.choose (fun struct (a, b) -> Option.map2 pair (one a) (one b)) |> Set.ofSeq

        let knowledge (knowledge: Knowledge) =
            {
                Complete = knowledge.Complete |> Seq.choose one |> Set.ofSeq
                Same = pairs knowledge.Same
                Different = pairs knowledge.Different
            }

        match condition with
        | Complete(value, asked) ->
            match map now other value with
            | Unknown -> nothingTold
            | value -> Complete(value, asked |> Option.map (fun _ -> now))
        | StatusIn _ -> nothingTold
        | Same(a, b) ->
            match map now other a, map now other b with
            | Unknown, _
            | _, Unknown -> nothingTold
            | a, b -> Same(a, b)
        | WaitedFor value ->
            match map now other value with
            | Unknown -> nothingTold
            | value -> WaitedFor value
        | Opposite condition ->
            match mapCondition now other condition with
            | Told _ as condition when condition = nothingTold -> condition
            | condition -> Opposite condition
        | Always _ -> condition
        | Told(whenTrue, whenFalse) ->
            // a set of objects has no place for parts of others
            let held (told: Knowledge option) =
                [
                    for id in told |> Option.map _.Complete |> Option.defaultValue Set.empty do
                        match other id with
                        | Held _ as part -> part
                        | _ -> ()
                ]

            match held whenTrue, held whenFalse with
            | [], [] -> Told(Option.map knowledge whenTrue, Option.map knowledge whenFalse)
            | [], parts -> Opposite(Complete(Group parts, None))
            | parts, _ -> Complete(Group parts, None)

    /// The condition with other values in the places of its own.
    let rec inCondition (other: Value -> Value) (condition: Condition) : Condition =
        match condition with
        | Complete(value, asked) -> Complete(other value, asked)
        | StatusIn(value, read, statuses) -> StatusIn(other value, read, statuses)
        | Same(a, b) -> Same(other a, other b)
        | WaitedFor value -> WaitedFor(other value)
        | Opposite condition -> Opposite(inCondition other condition)
        | Always _
        | Told _ -> condition

module Gift =
    /// Its result with other objects in the places of its own: values, operations that end with others, and tasks of
    /// which one was first.
    let rec map
        (value: Value -> Value)
        (operation: Value -> Value)
        (among: int list -> int list)
        (gift: Gift)
        : Gift =
        match gift with
        | Gift.Anything -> gift
        | Gift.Winner tasks -> Gift.Winner(among tasks)
        | Gift.Known known ->
            match value known with
            | Unknown -> Gift.Anything
            | known -> Gift.Known known
        | Gift.In(field, gift) ->
            match map value operation among gift with
            | Gift.Anything -> Gift.Anything
            | gift -> Gift.In(field, gift)
        | Gift.Run(run, gift) -> Gift.Run(operation run, map value operation among gift)
