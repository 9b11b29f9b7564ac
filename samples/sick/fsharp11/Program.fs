// Runs the program named by its argument: the name of its file.
module Sick.Program

let private sick =
    [
        "RuntimeResult", Orders.start
        "RuntimeSleep", Payments.start
        "RuntimeMember", Journals.start
        "RuntimeClosure", Printers.start
        "RuntimeBare", Refunds.start
    ]

let private well = [ "RuntimeHealthy", Shipments.start ]

[<EntryPoint>]
let main args = Running.run sick well args
