// Functions that return an operation and do not block, or that are not asked for one.
module PLT201.Negative.Starters

open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Support.Jobs

let started (name: string) : Task<int> = count name

let known (job: Task<int>) : Task<int> =
    if job.IsCompleted then Task.FromResult job.Result else job

let onAnotherThread (name: string) : Task<int> = Task.Run(fun () -> (count name).Result)

let continued (job: Task<int>) : Task<int> = job.ContinueWith(fun (ended: Task<int>) -> ended.Result + 1)

let waited (name: string) : int = (count name).Result

let makesAFunction () : unit -> int = fun () -> (count "a").Result

type Actions() =
    inherit Microsoft.AspNetCore.Mvc.ControllerBase()

    [<Microsoft.AspNetCore.Mvc.HttpGet>]
    member _.Short(path: string) : int = System.IO.File.ReadAllText(path).Length

    member _.Other(name: string) : int = (count name).Result

/// The last handler of an application, and its asynchronous run.
let runOfAnApplication (app: WebApplication) =
    task {
        app.Run(Microsoft.AspNetCore.Http.RequestDelegate(fun _ -> Task.CompletedTask))
        do! app.RunAsync()
    }

let continuation =
    System.Func<Task<int>, Task>(fun job ->
        printfn "%d" job.Result
        Task.CompletedTask)
