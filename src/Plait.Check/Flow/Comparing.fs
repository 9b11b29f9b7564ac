// Comparisons: the facts that follow from a task's status, from the number of the first task, and from two tasks.
module internal Plait.Check.Comparing

open FSharp.Compiler.Text

let private holds (comparison: Comparison) (number: int) (value: int) : bool =
    match comparison with
    | Comparison.Equal -> value = number
    | Comparison.Different -> value <> number
    | Comparison.Less -> value < number
    | Comparison.Greater -> value > number
    | Comparison.AtMost -> value <= number
    | Comparison.AtLeast -> value >= number

/// The comparison with its sides exchanged.
let private turned (comparison: Comparison) : Comparison =
    match comparison with
    | Comparison.Less -> Comparison.Greater
    | Comparison.Greater -> Comparison.Less
    | Comparison.AtMost -> Comparison.AtLeast
    | Comparison.AtLeast -> Comparison.AtMost
    | comparison -> comparison

/// A test whether a value is complete. `isExact`: false means that the value is incomplete.
let completeTest (session: Session) (value: Value) (isExact: bool) : Condition =
    Complete(value, (if isExact then Some session.Objects.Count else None))

/// A test whether a task's status is one of these. RanToCompletion, Canceled and Faulted are 5, 6 and 7.
let private statusAmong
    (session: Session)
    (task: Value)
    (read: int option)
    (yes: int list)
    : Condition option =
    let no = List.except yes [ 0..7 ]

    let areOfEnded (statuses: int list) =
        not statuses.IsEmpty && List.min statuses >= 5

    if areOfEnded yes then Some(completeTest session task (yes.Length = 3))
    elif areOfEnded no then Some(Not(completeTest session task (no.Length = 3)))
    else read |> Option.map (fun read -> StatusIn(task, read, yes))

let private statusTest
    (session: Session)
    (task: Value)
    (read: int option)
    (comparison: Comparison)
    (number: int)
    : Condition option =
    [ 0..7 ] |> List.filter (holds comparison number) |> statusAmong session task read

/// The condition that a list literal contains a task's status.
let contains (session: Session) (list: Value) (item: Value) : Condition option =
    let items =
        match list with
        | Instance id -> session.Objects[id].Items
        | _ -> None

    let numbers =
        items
        |> Option.map (
            List.map (fun item ->
                match item with
                | Constant number -> Some number
                | _ -> None)
        )

    match item, numbers with
    | Status(task, read), Some numbers when List.forall Option.isSome numbers ->
        numbers |> List.choose id |> List.distinct |> statusAmong session task read
    | _ -> None

/// The task that completed first, by its index.
let private placeTest
    (session: Session)
    (place: CompletedIndex)
    (comparison: Comparison)
    (number: int)
    (at: range)
    : Condition option =
    let isFirst value = Same(place.First, value)
    let isNotFirst value = Not(isFirst value)

    match place.ByIndex, place.Of, comparison with
    | [], Instance owner, Comparison.Equal when number >= 0 ->
        Some(isFirst (Parts.numbered session owner (string number) Kind.Task at))
    | [], Instance owner, Comparison.Different when number >= 0 ->
        Some(isNotFirst (Parts.numbered session owner (string number) Kind.Task at))
    | [], _, _ -> None
    | tasks, _, _ ->
        match tasks |> List.partition (fst >> holds comparison number) with
        | [], _ -> Some(Always false)
        | _, [] -> Some(Always true)
        | [ _, one ], _ -> Some(isFirst one)
        | _, [ _, other ] -> Some(isNotFirst other)
        | _ -> None

/// The facts that follow from the comparison of two values.
let rec compare
    (session: Session)
    (at: range)
    (comparison: Comparison)
    (a: Value)
    (b: Value)
    : Condition option =
    match a, b, comparison with
    | Status(task, read), Constant number, _ -> statusTest session task read comparison number
    | CompletedAt place, Constant number, _ -> placeTest session place comparison number at
    | Constant _, (Status _ | CompletedAt _), _ -> compare session at (turned comparison) b a
    | _, _, Comparison.Equal when Operations.isTask session a && Operations.isTask session b ->
        Some(Same(a, b))
    | _, _, Comparison.Different when Operations.isTask session a && Operations.isTask session b ->
        Some(Not(Same(a, b)))
    | Test condition, Test(Always truth), (Comparison.Equal | Comparison.Different)
    | Test(Always truth), Test condition, (Comparison.Equal | Comparison.Different) ->
        Some(if truth = (comparison = Comparison.Equal) then condition else Not condition)
    | _ -> None
