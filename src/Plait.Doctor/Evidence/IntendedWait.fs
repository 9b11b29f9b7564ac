// Threads outside of the pool that wait on purpose: an async main, in the method that the compiler writes around it, and a main
// that runs a host until its shutdown.
module internal Plait.Doctor.IntendedWait

open System

/// Members that run a host until its shutdown. Other members of these libraries end by themselves: a thread that waits for one of
/// them may hang.
let private runners =
    set
        [
            for kind in
                [
                    "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions"
                    "Microsoft.AspNetCore.Hosting.WebHostExtensions"
                ] do
                for name in [ "Run"; "RunAsync"; "WaitForShutdown"; "WaitForShutdownAsync" ] do
                    $"{kind}.{name}"

            "Microsoft.AspNetCore.Builder.WebApplication.Run"
            "Microsoft.AspNetCore.Builder.WebApplication.RunAsync"
            "Microsoft.Extensions.Hosting.HostingHostBuilderExtensions.RunConsoleAsync"
            "Microsoft.AspNetCore.Hosting.WindowsServices.WebHostWindowsServiceExtensions.RunAsService"
        ]

/// Whether a thread with this stack waits by design.
let isOne (frames: Frame list) : bool =
    let inner = frames |> List.takeWhile _.IsFramework

    inner |> List.exists (fun frame -> runners.Contains frame.Method)
    || match frames |> List.skip inner.Length with
       | [] -> false
       | own :: _ ->
           own.Method.EndsWith(".<Main>", StringComparison.Ordinal)
           || own.Calls |> List.exists runners.Contains
