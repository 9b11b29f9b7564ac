// A user of the package, in F#: prints whether its computations are state machines, and their results.
open System.Reflection
open System.Runtime.CompilerServices

let machines =
    Assembly.GetExecutingAssembly().GetTypes()
    |> Array.filter (fun kind -> kind.IsValueType && typeof<IAsyncStateMachine>.IsAssignableFrom kind)

let compiled = if machines.Length > 0 then "static" else "dynamic"
System.Console.WriteLine((User.Builders.report ()).Result + " " + compiled)
