// Functions that return an operation and block before they do, without a computation expression; and waits of collections.
module PLT201.Positive.Starters

open System.Collections.Concurrent
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let aTask (name: string) : Task =
    (save name).Wait() // PLT201 warning
    Task.CompletedTask

let aResult (name: string) : Task<int> =
    let length = (count name).Result // PLT201 warning
    Task.FromResult length

let aValueTask (name: string) : ValueTask<int> = ValueTask<int>((count name).Result) // PLT201 warning

type Controller() =
    member _.Get(name: string) : Task<int> = Task.FromResult((count name).Result) // PLT201 warning

let paused (time: int) : Task =
    Thread.Sleep time // PLT201 warning
    Task.CompletedTask

let bounded (queue: BlockingCollection<int>) = task { queue.Add 1 } // PLT201 info

let consumed (queue: BlockingCollection<int>) =
    task {
        for item in queue.GetConsumingEnumerable() do // PLT201 warning
            printfn $"{item}"
    }

let ofAValueTask (reading: ValueTask<int>) = task { return reading.GetAwaiter().GetResult() } // PLT201 warning, PLT103 warning

type Actions() =
    inherit Microsoft.AspNetCore.Mvc.ControllerBase()

    [<Microsoft.AspNetCore.Mvc.HttpGet>]
    member _.Length(name: string) : int = (count name).GetAwaiter().GetResult() // PLT201 warning

    [<Microsoft.AspNetCore.Mvc.HttpPost>]
    member _.Save(name: string) : unit = (save name).Wait() // PLT201 warning

let aDelegateOfNoCall =
    System.Func<Task>(fun () ->
        (save "a").Wait() // PLT201 warning
        Task.CompletedTask)

let inADictionary (handlers: System.Collections.Generic.Dictionary<string, string -> Task>) =
    handlers.Add(
        "a",
        fun name ->
            (save name).Wait() // PLT201 warning
            Task.CompletedTask
    )
