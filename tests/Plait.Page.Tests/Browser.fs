// One headless Chromium for all tests, and pages in it that record every request and every error.
namespace Plait.Page.Tests

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading.Tasks
open Microsoft.Playwright
open Xunit

/// How a page is looked at.
type View =
    {
        Width: int
        Scheme: ColorScheme
    }

    static member Desk = { Width = 1280; Scheme = ColorScheme.Light }
    static member Phone = { Width = 360; Scheme = ColorScheme.Light }

/// A page that is open, with all it asked for and all it complained of.
type Opened(context: IBrowserContext, page: IPage, file: string, view: View) =
    let requests = ConcurrentQueue<string>()
    let errors = ConcurrentQueue<string>()

    do
        page.Request.Add(fun request -> requests.Enqueue request.Url)
        page.PageError.Add errors.Enqueue

        page.Console.Add(fun message ->
            if message.Type = "error" || message.Type = "warning" then
                errors.Enqueue message.Text)

    member _.Page = page

    /// The text of the one element that the selector finds.
    member _.Text(selector: string) : Task<string> = page.Locator(selector).InnerTextAsync()

    /// The texts of all elements that the selector finds, and their number.
    member _.Texts(selector: string) : Task<IReadOnlyList<string>> =
        page.Locator(selector).AllInnerTextsAsync()

    member _.Count(selector: string) : Task<int> = page.Locator(selector).CountAsync()

    /// Everything asked for but the page itself, its inline data and what it made in memory.
    member _.Requests =
        requests
        |> Seq.filter (fun url ->
            url <> Uri(file).AbsoluteUri
            && not (url.StartsWith "data:")
            && not (url.StartsWith "blob:"))
        |> Seq.toList

    member _.Errors = List.ofSeq errors

    /// Waits until every plot is as wide as its box, and for the frame in which a zoom is drawn.
    member _.Settle() : Task =
        task {
            let! _ =
                page.WaitForFunctionAsync(
                    """() => [...document.querySelectorAll(".plot")].every(box => box.clientWidth === 0
                        || Number(box.querySelector("svg[role=img]")?.getAttribute("width")) === Math.floor(box.clientWidth))"""
                )

            let! _ =
                page.EvaluateAsync<bool>
                    "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))"

            return ()
        }

    member this.Open() : Task =
        task {
            let! _ = page.GotoAsync(Uri(file).AbsoluteUri)
            // The emulated scheme may reach a busy browser after the page has.
            let dark = view.Scheme = ColorScheme.Dark

            let! _ =
                page.WaitForFunctionAsync(
                    "dark => matchMedia('(prefers-color-scheme: dark)').matches === dark",
                    dark
                )

            do! this.Settle()
        }

    interface IAsyncDisposable with
        member _.DisposeAsync() =
            task {
                do! context.CloseAsync()
                File.Delete file
            }
            |> ValueTask

/// The browser that all tests share. Without one a test is skipped, except in CI, where it fails.
type Browser() =
    let mutable playwright: IPlaywright option = None
    let mutable browser: IBrowser option = None

    // Chromium without windows takes a third of the processor time.
    let paths =
        match Environment.GetEnvironmentVariable "PLAIT_CHROMIUM" with
        | null
        | "" -> [ "/usr/bin/chromium-headless-shell"; "/usr/bin/chromium" ]
        | path -> [ path ]

    let arguments =
        [
            "--disable-gpu"
            "--disable-quic"
            "--no-first-run"
            "--disable-background-networking"
            "--disable-component-update"
            "--disable-sync"
        ]

    /// Opens a page whose whole text is given.
    member _.OpenText(text: string, view: View) : Task<Opened> =
        task {
            match browser with
            | None ->
                let reason =
                    $"""There is no Chromium at {String.concat " or " paths}; run 'make browser', or name another by PLAIT_CHROMIUM."""

                if Environment.GetEnvironmentVariable "CI" = "true" then
                    Assert.Fail reason
                else
                    Assert.Skip reason
            | Some _ -> ()

            let file = Path.Combine(Path.GetTempPath(), $"plait-page-{Guid.NewGuid()}.html")
            File.WriteAllText(file, text)

            let! context =
                browser.Value.NewContextAsync(
                    BrowserNewContextOptions(
                        ViewportSize = ViewportSize(Width = view.Width, Height = 900),
                        ColorScheme = view.Scheme,
                        Permissions = [ "clipboard-read"; "clipboard-write" ]
                    )
                )

            let! page = context.NewPageAsync()
            page.SetDefaultTimeout 100_000f
            let opened = new Opened(context, page, file, view)
            do! opened.Open()
            return opened
        }

    /// Opens the page with a sample's results inside.
    member this.Open(sample: string, view: View) =
        this.OpenText(Samples.pageWith (Samples.text sample), view)

    interface IAsyncLifetime with
        member _.InitializeAsync() =
            task {
                match List.tryFind File.Exists paths with
                | None -> ()
                | Some path ->
                    let! started = Playwright.CreateAsync()
                    playwright <- Some started

                    let! launched =
                        started.Chromium.LaunchAsync(
                            BrowserTypeLaunchOptions(ExecutablePath = path, Args = arguments)
                        )

                    browser <- Some launched
            }
            |> ValueTask

    interface IAsyncDisposable with
        member _.DisposeAsync() =
            task {
                match browser with
                | Some browser -> do! browser.CloseAsync()
                | None -> ()

                playwright |> Option.iter _.Dispose()
            }
            |> ValueTask

[<assembly: AssemblyFixture(typeof<Browser>)>]
do ()
