// Each value of a field is used once: of the record or of its copy, of new records, of another field.
module PLT101.Negative.Fields

open System.Threading.Tasks
open Support.Jobs
open Plait

type private Pair = { Name: string; Left: Strand<int>; Right: Strand<int> }

let private bothFields (pair: Pair) =
    strand {
        let! left = pair.Left
        let! right = pair.Right
        return left + right
    }

type private Cell = { Number: int; Ticket: Ticket }

let private oneOfTwo (cell: Cell) (isFirst: bool) =
    task {
        if isFirst then
            return! cell.Ticket
        else
            return! cell.Ticket
    }
