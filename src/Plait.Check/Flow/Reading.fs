// What code reads, how often, and whether it awaits.
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

/// The items of a tuple variable that the code reads; none if it reads the variable in another way.
let itemsRead (variable: Variable) (code: Code) : int list =
    let items = List<int>()

    let rec isOnlyByItems (code: Code) =
        match code.Is with
        | Item({ Is = Read other }, index) when other.Id = variable.Id ->
            items.Add index
            true
        | Read other when other.Id = variable.Id -> false
        | _ -> Code.children code |> List.forall isOnlyByItems

    if isOnlyByItems code then List.ofSeq items else []
