// Process.WaitForExit: the thread stands as long as the other program runs. `do! program.WaitForExitAsync()` waits without
// one; how many programs may run at once is better said by a throttle than by the size of the pool.
// doctor: STARVED process
// function: Thumbnails.make
module Sick.Thumbnails

open System.Diagnostics

let make (order: int) =
    // stands for a converter of images
    use converter = Process.Start("sleep", "0.5")
    converter.WaitForExit() // blamed
    order + converter.ExitCode

/// No thread waits.
let cured (order: int) =
    task {
        use converter = Process.Start("sleep", "0.5")
        do! converter.WaitForExitAsync()
        return order + converter.ExitCode
    }

let start () = Load.backlog (make >> ignore)
