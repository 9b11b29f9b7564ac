// What the analysis knows of values and of the objects behind them, and how that is joined where two paths meet.
namespace Plait.Check

open System.Collections.Generic

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
    /// What awaiting gave.
    | Awaited

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
        /// Nothing is lost where it is dropped.
        MayDrop: bool
        /// The objects that it was made with: what it needs until it ends.
        From: Set<int>
    }

/// One use of an object.
type Use =
    {
        At: range
        /// What was done with it, as a participle: "awaited".
        How: string
        /// The branches that were taken to come there.
        Trail: Step list
    }

type Value =
    | Unknown
    | Instance of int
    | Function of Closure
    | Group of Value list
    | Test of Condition
    | Status of int
    | OneOf of Value list

and Closure = { Parameters: Variable list; Given: Value list; Body: Code }

/// What is known where a test is true.
and Condition =
    | Complete of int
    | Both of Condition * Condition
    | Either of Condition * Condition
    | Opposite of Condition
    | Always of bool

/// What is known of an object at one point of the code.
type Fact =
    {
        /// What used it up, the latest first.
        Uses: Use list
        /// It is used up on every path that leads here.
        IsCertain: bool
        IsComplete: bool
        /// Something holds on to it: it was awaited, passed on, returned or stored.
        IsKept: bool
        /// It went where it is not followed.
        IsLost: bool
        /// What is complete as soon as this is.
        Implies: Value list
        GivesComplete: bool
    }

module Fact =
    let fresh =
        {
            Uses = []
            IsCertain = false
            IsComplete = false
            IsKept = false
            IsLost = false
            Implies = []
            GivesComplete = false
        }

    let private union (a: Use list) (b: Use list) : Use list =
        if obj.ReferenceEquals(a, b) then
            a
        else
            a
            @ (b
               |> List.filter (fun use' -> not (List.exists (fun (other: Use) -> other.At = use'.At) a)))

    /// What is known where paths with these facts meet.
    let join (a: Fact) (b: Fact) : Fact =
        if obj.ReferenceEquals(a, b) then
            a
        else
            {
                Uses = union a.Uses b.Uses
                IsCertain = a.IsCertain && b.IsCertain
                IsComplete = a.IsComplete && b.IsComplete
                IsKept = a.IsKept || b.IsKept
                IsLost = a.IsLost || b.IsLost
                Implies = if a.Implies.IsEmpty then b.Implies else a.Implies
                GivesComplete = a.GivesComplete && b.GivesComplete
            }

/// What is known at one point of the code.
type State =
    {
        Facts: Map<int, Fact>
        /// The values of mutable variables.
        Mutables: Map<int, Value>
        /// False behind what does not return.
        IsAlive: bool
    }

module State =
    let start = { Facts = Map.empty; Mutables = Map.empty; IsAlive = true }

    // Paths share most of what they know: only what differs is joined.
    let private joinMaps
        (absent: 'V)
        (join: 'V -> 'V -> 'V)
        (a: Map<int, 'V>)
        (b: Map<int, 'V>)
        : Map<int, 'V> =
        if obj.ReferenceEquals(a, b) then
            a
        else
            let mutable joined = a

            for KeyValue(key, valueB) in b do
                match Map.tryFind key a with
                | Some valueA when obj.ReferenceEquals(valueA, valueB) -> ()
                | Some valueA -> joined <- Map.add key (join valueA valueB) joined
                | None -> joined <- Map.add key (join absent valueB) joined

            for KeyValue(key, valueA) in a do
                if not (b.ContainsKey key) then
                    joined <- Map.add key (join valueA absent) joined

            joined

    let rec private joinValues (a: Value) (b: Value) : Value =
        match a, b with
        | Instance x, Instance y when x = y -> a
        | Unknown, other
        | other, Unknown -> other
        | OneOf some, other
        | other, OneOf some ->
            if some.Length > 8 then Unknown
            elif List.exists (fun known -> obj.ReferenceEquals(known, other)) some then OneOf some
            else OneOf(other :: some)
        | a, b when obj.ReferenceEquals(a, b) -> a
        | a, b -> OneOf [ a; b ]

    /// What a value is that comes from one of two paths.
    let joinResults (a: Value) (b: Value) : Value = joinValues a b

    /// What is known where two paths meet.
    let join (a: State) (b: State) : State =
        if obj.ReferenceEquals(a, b) || not b.IsAlive then
            a
        elif not a.IsAlive then
            b
        else
            {
                Facts = joinMaps Fact.fresh Fact.join a.Facts b.Facts
                Mutables = joinMaps Unknown joinValues a.Mutables b.Mutables
                IsAlive = true
            }
