// Pure: the known name that was probably meant.
module Plait.Common.NearestName

/// Edits (insert, delete, replace) that turn one text into the other.
let distance (a: string) (b: string) : int =
    let mutable previous = Array.init (b.Length + 1) id

    for i in 1 .. a.Length do
        let row = Array.create (b.Length + 1) i

        for j in 1 .. b.Length do
            let replace = previous[j - 1] + (if a[i - 1] = b[j - 1] then 0 else 1)
            row[j] <- min replace (1 + min previous[j] row[j - 1])

        previous <- row

    previous[b.Length]

/// The nearest of `known` to `name`, if it is near enough to have been meant: at most a third of its letters differ
/// (but two always may), or one begins with the other.
let find (known: string list) (name: string) : string option =
    let nearEnough (candidate: string) =
        distance name candidate <= max 2 (candidate.Length / 3)
        || (name.Length >= 3 && (candidate.StartsWith name || name.StartsWith candidate))

    known
    |> List.filter nearEnough
    |> List.sortBy (fun candidate -> distance name candidate, candidate)
    |> List.tryHead

/// The hint behind a name that is not known: the one that was probably meant, or else `otherwise`.
let hint (known: string list) (otherwise: string) (name: string) : string =
    match find known name with
    | Some near -> $"did you mean {near}?"
    | None -> otherwise
