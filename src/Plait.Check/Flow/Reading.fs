// The reads of variables in code: which, how often, and whether the code awaits.
module internal Plait.Check.Reading

open System.Collections.Generic

/// Whether the code awaits an operation.
let awaits (code: Code) : bool =
    code
    |> Code.exists (fun code ->
        match code.Is with
        | InBlock((Part.Bind | Part.ReturnFrom | Part.Merge), _) -> true
        | _ -> false)

/// Whether the code reads the variable in one place at most, and not in a function or an operation of its own.
let readsOnce (variable: Variable) (code: Code) : bool =
    let rec count (code: Code) : int =
        match code.Is with
        | Read other when other.Id = variable.Id -> 1
        // a continuation runs once
        | InBlock(_, parts) -> parts |> List.sumBy (fun part -> part |> inner |> count)
        | Lambda(_, body)
        | Block(_, body) -> 2 * count body
        | _ -> Code.children code |> List.sumBy count

    and inner (code: Code) : Code =
        match code.Is with
        | Lambda(_, body) -> body
        | _ -> code

    count code < 2

/// Whether the code itself makes a record or a case of a union, and no function that it calls does.
let rec makes (code: Code) : bool =
    match code.Is with
    | Construct(_, _, fields) -> fields.IsSome
    | Let(_, _, inner)
    | Then(_, inner) -> makes inner
    | _ -> false

/// The items of a tuple variable that the code reads, or the fields of a record or a union; None if it reads the variable
/// in another way. A test for a case reads no field.
let partsRead (variable: Variable) (code: Code) : Set<string> option =
    let parts = HashSet<string>()
    // the variable, and names that a pattern gives it
    let names = HashSet [ variable.Id ]

    let isTest (callee: Callee) =
        callee.Effects
        |> Option.exists (
            List.exists (fun effect ->
                match effect with
                | TellsSome 0
                | TellsNone 0
                | TellsCase _ -> true
                | _ -> false)
        )

    let rec isOnlyByParts (code: Code) =
        match code.Is with
        | Let(name, { Is = Read other }, body) when names.Contains other.Id && not name.IsMutable ->
            names.Add name.Id |> ignore
            isOnlyByParts body
        // an item that the code does not name
        | Let(name, { Is = Item({ Is = Read other }, _) }, body) when
            names.Contains other.Id && not (Code.reads name body)
            ->
            isOnlyByParts body
        | Item({ Is = Read other }, index) when names.Contains other.Id -> note (string index)
        | Field({ Is = Read other }, name, _, _)
        | Content({ Is = Read other }, name) when names.Contains other.Id -> note name
        | Call(callee, { Is = Read other } :: _) when names.Contains other.Id && isTest callee -> true
        | Read other when names.Contains other.Id -> false
        | _ -> Code.children code |> List.forall isOnlyByParts

    and note (part: string) =
        parts.Add part |> ignore
        true

    if isOnlyByParts code then Some(Set.ofSeq parts) else None
