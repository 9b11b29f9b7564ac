// The facts about objects at one point of the code, and their join at the end of two paths.
namespace Plait.Check

open FSharp.Compiler.Text

/// One use of an object.
type Use =
    {
        At: range
        /// The kind of use, as a participle: "awaited".
        How: string
        /// The branches on the path to the use.
        Path: PathStep list
        /// The call of a function of the declaration that uses it.
        Called: range option
    }

/// The facts about an object at one point of the code.
type Fact =
    {
        /// The uses that used it up, the latest first.
        Uses: Use list
        /// Every path to this point uses it up.
        IsCertain: bool
        IsComplete: bool
        /// The code awaited, passed, returned or stored it.
        IsObserved: bool
        /// It escaped into code that the analysis does not follow.
        HasEscaped: bool
        /// Its completion implies that of these.
        Implies: Value list
        /// The excluded numbers of its TaskStatus, at a read of that.
        NoStatus: (int * Set<int>) option
    }

module Fact =
    let fresh =
        {
            Uses = []
            IsCertain = false
            IsComplete = false
            IsObserved = false
            HasEscaped = false
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

    /// Whether some path to this point uses it up, and some does not.
    let isPerhapsUsed (fact: Fact) : bool =
        not (fact.IsCertain || fact.Uses.IsEmpty)

    /// The join of the facts of two paths.
    let join (a: Fact) (b: Fact) : Fact =
        if obj.ReferenceEquals(a, b) then
            a
        else
            {
                Uses = union a.Uses b.Uses
                IsCertain = a.IsCertain && b.IsCertain
                IsComplete = a.IsComplete && b.IsComplete
                IsObserved = a.IsObserved || b.IsObserved
                HasEscaped = a.HasEscaped || b.HasEscaped
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
        /// Locks of the thread that the code took and has not released; below zero: it released a lock of its caller.
        Locks: int
        /// The code runs on a thread of its own, outside of the pool.
        IsOffPool: bool
        /// The cases of parameters that lead here.
        Cases: Set<ParameterCase>
        /// A value would be a case that the code never makes.
        IsExcluded: bool
        /// False after code that does not return.
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
            Cases = Set.empty
            IsExcluded = false
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

    // the facts of a case hold on its path alone
    let private joinValues (a: Value) (b: Value) : Value =
        match Value.withoutCases a, Value.withoutCases b with
        | (Instance x as a), Instance y when x = y -> a
        | (Constant x as a), Constant y when x = y -> a
        | Unknown, other
        | other, Unknown -> other
        | OneOf some, other
        | other, OneOf some ->
            if some.Length > 8 then Unknown
            elif List.exists (fun known -> obj.ReferenceEquals(known, other)) some then OneOf some
            else OneOf(other :: some)
        | a, b when obj.ReferenceEquals(a, b) -> a
        | a, b -> OneOf [ a; b ]

    let private common (a: Set<'T>) (b: Set<'T>) : Set<'T> =
        if obj.ReferenceEquals(a, b) || a.IsEmpty then a else Set.intersect a b

    /// The join of the results of two paths.
    let joinResults (a: Value) (b: Value) : Value = joinValues a b

    /// The join of the states of two paths.
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
                // if one path holds a lock, the join holds it
                Locks = max a.Locks b.Locks
                IsOffPool = a.IsOffPool || b.IsOffPool
                Cases = common a.Cases b.Cases
                IsExcluded = a.IsExcluded && b.IsExcluded
                IsAlive = true
            }

/// Joins the states in which the body of a `try` may throw. `before`: the state before the body.
type internal Handler(before: State) =
    // only calls throw
    let mutable thrown = { before with IsAlive = false }
    let mutable last: State option = None

    /// The body may throw in this state.
    member _.MayThrowIn(state: State) : unit =
        let isKnown =
            match last with
            | Some last -> obj.ReferenceEquals(last.Facts, state.Facts) && last.Locks = state.Locks
            | None -> false

        if state.IsAlive && not isKnown then
            thrown <- State.join thrown state
            last <- Some state

    /// The state at the start of the handler; not alive if the body cannot throw.
    member _.Thrown: State = thrown
