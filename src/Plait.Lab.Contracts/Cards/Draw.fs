// Random numbers that depend on a seed and an index alone: the same on every machine and runtime, and in any order they are
// asked for.
module Plait.Lab.Cards.Draw

// The mixing of SplitMix64.
let private mix (value: uint64) =
    let value = (value ^^^ (value >>> 30)) * 0xBF58476D1CE4E5B9UL
    let value = (value ^^^ (value >>> 27)) * 0x94D049BB133111EBUL
    value ^^^ (value >>> 31)

/// The number at `index` of the sequence `part` of `seed`, from 0 to below 1.
let unit (seed: int) (part: int) (index: int64) : float =
    let stream = mix (uint64 seed * 0x9E3779B97F4A7C15UL + uint64 part)
    let bits = mix (stream + (uint64 index + 1UL) * 0x9E3779B97F4A7C15UL)
    float (bits >>> 11) * (1.0 / 9007199254740992.0)

/// A whole number from 0 to below `limit`.
let whole (limit: int) (seed: int) (part: int) (index: int64) : int =
    int (float limit * unit seed part index)

/// A number of the standard normal distribution.
let normal (seed: int) (part: int) (index: int64) : float =
    // Box and Muller; 1 - u is never 0
    let radius = sqrt (-2.0 * log (1.0 - unit seed part (2L * index)))
    radius * cos (2.0 * System.Math.PI * unit seed part (2L * index + 1L))
