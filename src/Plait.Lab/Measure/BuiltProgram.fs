// The programs that scenarios run and that are no candidates: where their assemblies lie.
module Plait.Lab.BuiltProgram

open System.IO

open Plait.Common

/// The assembly of the program `name`, in `place` below the folder of the built candidates. Raises BadInput when it is not
/// there.
let assembly (folder: string) (place: string) (name: string) : string =
    let file = Path.Combine(folder, place, name + ".dll")

    if not (File.Exists file) then
        raise (
            BadInput
                $"there is no {file}, which this scenario runs; build it with 'make build', or name the folder of the built candidates with --candidates"
        )

    file
