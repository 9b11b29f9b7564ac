// Functions that the code keeps and calls elsewhere: delegates of a module, functions of a record as arguments, partial
// applications, static lazy values; operators and overrides.
module PLT202.Positive.Kept

open System
open System.Threading
open Support.Jobs

let private load = Func<int>(fun () -> (count "a").Result)

let private pause = Action(fun () -> Thread.Sleep 10)

type Loader = delegate of string -> int

let private loader = Loader(fun key -> (count key).Result)

let delegates () =
    task {
        let first = load.Invoke() // PLT202 warning
        pause.Invoke() // PLT202 warning
        return first + loader.Invoke "a" // PLT202 warning
    }

type Functions = { Now: string -> int }

let private functions = { Now = fun key -> (count key).Result }

let private apply (f: string -> int) (key: string) = f key

let asArguments (keys: string list) =
    task {
        let lengths = keys |> List.map functions.Now // PLT202 warning
        return apply functions.Now "a" :: lengths // PLT202 warning
    }

let private loadWith (load: string -> Threading.Tasks.Task<int>) (key: string) = (load key).Result

let partly () =
    task {
        let load = loadWith count
        let first = load "a" // PLT202 warning
        return first + load "b" // PLT202 warning
    }

type Settings() =
    static let current = lazy (Settings())
    static let table = lazy (count "table").Result
    let size = (count "size").Result
    static member Current = current.Value
    static member Table = table.Value
    member _.Size = size

let staticLazily () =
    task {
        let table = Settings.Table // PLT202 warning
        return Settings.Current, table // PLT202 warning
    }

type Amount =
    { Value: int }

    static member (+)(left: Amount, right: Amount) =
        Thread.Sleep 10
        { Value = left.Value + right.Value }

    static member (~-)(amount: Amount) =
        Thread.Sleep 10
        { Value = -amount.Value }

let operators (left: Amount) (right: Amount) =
    task {
        let sum = left + right // PLT202 warning
        let all = [ left; right ] |> List.reduce (+) // PLT202 warning
        return sum, -all // PLT202 warning
    }

[<AbstractClass>]
type Step() =
    abstract Prepare: unit -> unit
    default _.Prepare() = ()
    abstract Run: string -> int

type SlowStep() =
    inherit Step()
    override _.Prepare() = Thread.Sleep 10
    override _.Run key = (count key).Result

[<Sealed>]
type LastStep() =
    inherit SlowStep()
    override _.Run _ = 1

let overrides (slow: SlowStep) (last: LastStep) =
    task {
        slow.Prepare() // PLT202 warning
        last.Prepare() // PLT202 warning
        return slow.Run "a" // PLT202 warning
    }
