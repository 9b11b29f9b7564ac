// Functions that are written outside of the computation expression and do not block, or are not called in it.
module PLT202.Negative.Local

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

type Ports = { Load: string -> int }

let private live = { Load = fun key -> (count key).Result }

let replaced () =
    let ports = { live with Load = fun key -> key.Length }
    task { return ports.Load "a" }

let notCalled () =
    let ports = { live with Load = fun key -> (count key).Result }
    task { return ports }

let onTheCaller () =
    let load key = (count key).Result
    let first = load "a"
    task { return first }

let onAThreadOfItsOwn () =
    let load key = (count key).Result

    task {
        let! length = Task.Run(fun () -> load "a")
        return length + 1
    }

type Quick() =
    override _.ToString() = "quick"

[<AbstractClass>]
type Named() =
    abstract Name: unit -> string
    override this.ToString() = this.Name()

let toText (value: Quick) (other: Named) = task { return $"{value} {other}" + string value + value.ToString() + other.ToString() }

let ofConstants (number: int) = task { return string number + number.ToString() }

let overCompleteTasks () =
    task {
        let job = count "a"
        let! _ = job
        let show (job: Task<int>) = printfn "%d" job.Result
        [ job ] |> List.iter show
        let showPair (job: Task<int>, number: int) = printfn "%d %d" job.Result number
        let pair = job, 1
        [ pair ] |> List.iter showPair
        return 1
    }
