// Operations that an awaited function of the check started and gave back.
module PLT301.Positive.Inner

open System.Threading.Tasks
open Support.Jobs

let private started () = task { return save "a" }

let private startedInTime () =
    task {
        do! Task.Delay 1
        let saving = save "a"
        return saving
    }

let private cold () = async { return send "a" }

let ofATask () =
    task {
        let! _ = started () // PLT301 warning
        return 1
    }

let withAName () =
    task {
        let! saving = startedInTime () // PLT301 warning
        return 1
    }

let ofAnAsync () =
    async {
        let! _ = cold () // PLT301 warning
        return 1
    }
