// Pure: in which order slices and rows are run. Slices come in blocks A B B A, so that a slow drift of the machine
// hits both sides alike; which side opens a block, and the order of rows, is drawn from the seed.
module Plait.Lab.Order

open MathNet.Numerics
open MathNet.Numerics.Random

/// Which side of a pair runs first.
type PairOrder =
    /// The candidate's slice, then the base's.
    | CandidateFirst
    /// The base's slice, then the candidate's.
    | BaseFirst

/// The random numbers of one part of a run: the same seed and part always give the same numbers, and parts do not
/// disturb each other.
let random (seed: int) (part: string) : System.Random =
    // FNV-1a over the seed and then the part, because String.GetHashCode differs from process to process.
    let hash =
        Seq.append (System.BitConverter.GetBytes seed |> Seq.map uint32) (part |> Seq.map uint32)
        |> Seq.fold (fun hash value -> (hash ^^^ value) * 16777619u) 2166136261u

    Xoshiro256StarStar(int (hash &&& 0x7fffffffu))

/// The order inside each of `count` pairs: every two pairs are a block A B B A or B A A B, drawn at random; an odd
/// last pair is half a block.
let pairs (random: System.Random) (count: int) : PairOrder list =
    [
        for block in 0 .. (count + 1) / 2 - 1 do
            let opening, closing =
                if random.Next 2 = 0 then CandidateFirst, BaseFirst else BaseFirst, CandidateFirst

            opening

            if 2 * block + 1 < count then
                closing
    ]

/// The order of rows in launch `number` (1, 2, ...): drawn at random for every two launches, and turned round in the second
/// of them, so that a drift within launches hits the first row as much as the last.
let rows (seed: int) (number: int) (items: 'T list) : 'T list =
    let block = (number + 1) / 2

    let drawn =
        Combinatorics.SelectPermutation(items, random seed $"rows of launches {block}")
        |> List.ofSeq

    if number % 2 = 1 then drawn else List.rev drawn

/// The same items in a random order.
let shuffle (random: System.Random) (items: 'T list) : 'T list =
    Combinatorics.SelectPermutation(items, random) |> List.ofSeq
