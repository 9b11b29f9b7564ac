// Nothing is wrong: 200 orders a second wait half a second each, and none of them holds a thread while it waits.
// doctor: HEALTHY
module Sick.Shipments

let ship (order: int) =
    async {
        do! Async.Sleep 300
        let! code = async { return order * 17 }
        do! Async.Sleep 200
        return code
    }

let start () =
    Load.steady (ship >> Async.Ignore >> Async.Start)
