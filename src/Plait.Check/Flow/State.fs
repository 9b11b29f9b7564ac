// The facts about objects at one point of the code, and their join where two paths meet.
namespace Plait.Check

open FSharp.Compiler.Text

/// One use of an object.
type Use =
    {
        At: range
        /// The kind of use, as a participle: "awaited".
        How: string
        /// The branches that were taken to come there.
        Trail: PathStep list
    }

/// The facts about an object at one point of the code.
type Fact =
    {
        /// The uses that used it up, the latest first.
        Uses: Use list
        /// It is used up on every path that leads here.
        IsCertain: bool
        IsComplete: bool
        /// Something holds on to it: it was awaited, passed on, returned or stored.
        IsKept: bool
        /// It went where it is not followed.
        IsLost: bool
        /// The objects that are complete as soon as this is.
        Implies: Value list
        /// The numbers of the TaskStatus that it does not have, at a read of that.
        NoStatus: (int * Set<int>) option
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
            NoStatus = None
        }

    let private union (a: Use list) (b: Use list) : Use list =
        if obj.ReferenceEquals(a, b) then
            a
        else
            a
            @ (b
               |> List.filter (fun use' -> not (List.exists (fun (other: Use) -> other.At = use'.At) a)))

    /// The facts where paths with these facts meet.
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
                NoStatus =
                    match a.NoStatus, b.NoStatus with
                    | Some(read, known), Some(other, others) when read = other ->
                        Some(read, Set.intersect known others)
                    | _ -> None
            }

/// The facts at one point of the code.
type State =
    {
        Facts: Map<int, Fact>
        /// The values of mutable variables.
        Mutables: Map<int, Value>
        /// Pairs of names for one task.
        Same: Set<Pair>
        /// Pairs of tasks that are not one.
        Different: Set<Pair>
        /// How many locks are held that belong to the thread, beyond those that were held at the start: below zero where one of
        /// these was given back.
        Locks: int
        /// Code here has a thread of its own, which may be blocked.
        IsOffPool: bool
        /// False behind code that does not return.
        IsAlive: bool
    }

module State =
    let start =
        {
            Facts = Map.empty
            Mutables = Map.empty
            Same = Set.empty
            Different = Set.empty
            Locks = 0
            IsOffPool = false
            IsAlive = true
        }

    // Paths share most of their facts: only the differences are joined.
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
        | Constant x, Constant y when x = y -> a
        | Unknown, other
        | other, Unknown -> other
        | OneOf some, other
        | other, OneOf some ->
            if some.Length > 8 then Unknown
            elif List.exists (fun known -> obj.ReferenceEquals(known, other)) some then OneOf some
            else OneOf(other :: some)
        | a, b when obj.ReferenceEquals(a, b) -> a
        | a, b -> OneOf [ a; b ]

    let private common (a: Set<Pair>) (b: Set<Pair>) : Set<Pair> =
        if obj.ReferenceEquals(a, b) || a.IsEmpty then a else Set.intersect a b

    /// The value that comes from one of two paths.
    let joinResults (a: Value) (b: Value) : Value = joinValues a b

    /// The facts where two paths meet.
    let join (a: State) (b: State) : State =
        if obj.ReferenceEquals(a, b) || not b.IsAlive then
            a
        elif not a.IsAlive then
            b
        else
            {
                Facts = joinMaps Fact.fresh Fact.join a.Facts b.Facts
                Mutables = joinMaps Unknown joinValues a.Mutables b.Mutables
                Same = common a.Same b.Same
                Different = common a.Different b.Different
                // a lock that is perhaps held is held
                Locks = max a.Locks b.Locks
                IsOffPool = a.IsOffPool || b.IsOffPool
                IsAlive = true
            }
