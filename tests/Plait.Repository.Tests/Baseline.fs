// Compares the public surface of a library with the committed list of it.
module Plait.Repository.Tests.Baseline

open System
open System.IO

let private renewed = Environment.GetEnvironmentVariable "PLAIT_WRITE_SURFACE" = "1"

/// What is in one list more often than in the other: overloads may share a line.
let private missing (from: string list) (lines: string list) =
    let counts = Seq.countBy id from |> dict

    [
        for line, count in List.countBy id lines do
            let known =
                match counts.TryGetValue line with
                | true, known -> known
                | _ -> 0

            for _ in known + 1 .. count do
                line
    ]

/// Fails where the surface of the library is not the committed one; with PLAIT_WRITE_SURFACE=1 commits it.
let check (library: string) (baseline: string) =
    let surface = PublicSurface.lines library

    if renewed then
        File.WriteAllText(baseline, String.Join("\n", surface) + "\n")

    let known =
        if File.Exists baseline then List.ofArray (File.ReadAllLines baseline) else []

    Repository.none
        ($"The public surface differs from {Repository.shown baseline}. If that is meant, build the library, run these "
         + "tests once with PLAIT_WRITE_SURFACE=1 and commit the file.")
        [
            for line in missing surface known -> "- " + line
            for line in missing known surface -> "+ " + line
        ]
