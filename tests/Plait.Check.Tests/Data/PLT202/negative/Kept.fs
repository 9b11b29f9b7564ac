// The same without blocking.
module PLT202.Negative.Kept

open System
open System.Threading
open Support.Jobs

let private load = Func<int>(fun () -> 1)

let private apply (f: string -> int) (key: string) = f key

type Functions = { Now: string -> int }

let private functions = { Now = fun key -> key.Length }

let kept () =
    task { return load.Invoke() + apply functions.Now "a" }

let private loadWith (load: string -> Threading.Tasks.Task<int>) (key: string) = (load key).Result

/// The caller decides where it runs.
let partly () =
    task {
        let load = loadWith count
        return load
    }

let unknown (functions: Functions) = task { return functions.Now "a" }

type Amount =
    { Value: int }

    static member (+)(left: Amount, right: Amount) = { Value = left.Value + right.Value }

let operators (left: Amount) (right: Amount) = task { return left + right }

[<AbstractClass>]
type Step() =
    abstract Prepare: unit -> unit
    default _.Prepare() = ()

type SlowStep() =
    inherit Step()
    override _.Prepare() = Thread.Sleep 10

type FastStep() =
    inherit SlowStep()
    override _.Prepare() = ()

let overridden (step: Step) (fast: FastStep) =
    task {
        step.Prepare()
        fast.Prepare()
    }

type Scaled =
    {
        Scale: int
    }

    static member (*)(left: Scaled, right: string) =
        Thread.Sleep right.Length
        left

    static member (*)(left: Scaled, right: int) = { Scale = left.Scale * right }

let anotherOverload (scaled: Scaled) = task { return scaled * 2 }
