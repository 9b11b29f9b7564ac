// Runs the program named by its argument: the name of its file.
module Sick.Program

let private sick =
    [
        "SleepInAsync", Orders.start
        "SleepInListMap", Invoices.start
        "RunSynchronously", Prices.start
        "NestedRunSynchronously", Carts.start
        "GetResult", Mails.start
        "MailboxReply", Stock.start
        "LockInTask", Journal.start
        "ProcessWait", Thumbnails.start
        "FileRead", Imports.start
        "SocketReceive", Quotes.start
        "NameInBackticks", Labels.start
        "Computing", Routes.start
    ]

let private well = [ "HealthyAsync", Shipments.start ]

[<EntryPoint>]
let main args = Running.run sick well args
