// plait attack on a terminal: its board is drawn there, again when the window changes, and leaves nothing behind.
module Plait.Tool.Tests.AttackScreen

open System
open System.Diagnostics
open System.IO
open System.Text.RegularExpressions
open Xunit

open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

let private escape = "\027["
let private enter, leave = escape + "?1049h", escape + "?1049l"

/// The tool on a terminal of `script`, which writes down everything that is drawn.
type private Terminal(folder: Built.Folder, columns: int, rows: int, arguments: string list) =
    let written, name, pid =
        folder.File "typescript", folder.File "tty", folder.File "pid"

    let quoted (text: string) = "'" + text + "'"

    let command =
        Built.dotnet :: Built.tool () :: arguments |> List.map quoted |> String.concat " "

    let child =
        nonNull (
            Process.Start(
                ProcessStartInfo(
                    "script",
                    [
                        "-qfec"
                        $"stty cols {columns} rows {rows}; tty > {quoted name}; echo $$ > {quoted pid}; exec {command}"
                        written
                    ],
                    RedirectStandardOutput = true,
                    RedirectStandardInput = true
                )
            )
        )

    // It is in the file as well.
    let drained = child.StandardOutput.ReadToEndAsync()

    /// What was drawn so far.
    member _.Written =
        if File.Exists written then
            use reader =
                new StreamReader(new FileStream(written, FileMode.Open, FileAccess.Read, FileShare.ReadWrite))

            reader.ReadToEnd()
        else
            ""

    /// The boards that were drawn so far, each as lines without colours.
    member this.Boards: string list list =
        this.Written.Split(escape + "H")
        |> List.ofArray
        |> List.tail
        |> List.map (fun board ->
            let text = board.Split(escape + "J")[0]

            [
                for line in Regex.Replace(text, "\027\\[[0-9?]*[a-zA-Z]", "").Split "\r\n" do
                    if line <> "" then
                        line
            ])

    /// Waits until the board of this second is drawn.
    member this.Shows(second: string) =
        Within.comes $"the board of {second}" (fun () ->
            child.HasExited
            || this.Boards |> List.exists (fun board -> board |> List.exists _.Contains($" {second}")))

    member _.Resize(columns: int) =
        use stty =
            Process.Start("stty", [ "-F"; (File.ReadAllText name).Trim(); "cols"; string columns ])

        stty.WaitForExit()
        Assert.Equal(0, stty.ExitCode)

    member _.Interrupt() =
        use kill = Process.Start("kill", [ "-INT"; (File.ReadAllText pid).Trim() ])
        kill.WaitForExit()

    member _.Code: int =
        Within.result "script" drained |> ignore
        child.WaitForExit()
        child.ExitCode

let private needsScript () =
    let found =
        (string (Environment.GetEnvironmentVariable "PATH")).Split ':'
        |> Array.exists (fun folder -> File.Exists(Path.Combine(folder, "script")))

    Assert.SkipUnless(
        OperatingSystem.IsLinux() && found,
        "there is no program 'script', which makes a terminal"
    )

let private asked (url: string) (duration: string) =
    [ "attack"; url; "--rate"; "40"; "--duration"; duration; "--no-calibration"; "--max-lag"; "1h" ]

let private widest (board: string list) = board |> List.map _.Length |> List.max

[<Fact>]
let ``the board fits its window, also one that has got narrower, and gives the terminal back`` () =
    needsScript ()
    use counting = sometimes 5L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    use folder = new Built.Folder()

    let terminal = Terminal(folder, 100, 30, asked $"{counting.Server.Url}/" "6s")

    terminal.Shows "2/6 s"
    let before = terminal.Boards
    terminal.Resize 50
    let code = terminal.Code
    Assert.True((0 = code), terminal.Written)

    let wide = List.last before
    Assert.InRange(widest wide, 60, 99)
    Assert.Contains(wide, fun line -> line.StartsWith "time     █" && line.Contains "░")
    Assert.Contains(wide, fun line -> line.Contains "wrong status ")
    Assert.Contains(wide, fun line -> line.StartsWith "latency from the intended start, ")

    let narrow = List.last terminal.Boards
    Assert.InRange(widest narrow, 30, 49)
    Assert.Contains(narrow, fun line -> line.Contains "6/6 s" || line.Contains "after the end")

    let all = terminal.Written
    Assert.Equal(1, Regex.Count(all, Regex.Escape enter))
    Assert.Equal(1, Regex.Count(all, Regex.Escape leave))
    // The report stands on the first screen.
    Assert.True(all.IndexOf leave < all.IndexOf "Success ", all)

[<Fact>]
let ``a run that is interrupted gives the terminal back before it ends`` () =
    needsScript ()
    use counting = sometimes Int64.MaxValue ""
    use folder = new Built.Folder()

    let terminal = Terminal(folder, 80, 24, asked $"{counting.Server.Url}/" "0s")

    terminal.Shows "2 s, until Ctrl-C"
    terminal.Interrupt()
    let code = terminal.Code
    let all = terminal.Written
    // a busy machine may not answer all that is out in the two seconds
    Assert.True((code = 0 || (code = 1 && all.Contains "abandoned:")), all)
    Assert.True(all.IndexOf leave < all.IndexOf "note: stopping", all)
    Assert.Equal(1, Regex.Count(all, Regex.Escape leave))

[<Fact>]
let ``a note that comes during a run stays on the terminal behind the board`` () =
    needsScript ()
    use counting = sometimes Int64.MaxValue ""
    use folder = new Built.Folder()

    use refusing = new OtlpCollector(503)

    let terminal =
        Terminal(folder, 80, 24, asked $"{counting.Server.Url}/" "0s" @ [ "--otlp"; refusing.Url ])

    // the note stands before the second message
    Within.comes "a second message to the collector" (fun () -> refusing.Messages >= 2)
    terminal.Interrupt()
    let code = terminal.Code
    let all = terminal.Written
    Assert.True((1 = code), all)

    Assert.True(all.IndexOf leave < all.IndexOf $"note: metrics do not reach {refusing.Url}/v1/metrics", all)

[<Fact>]
let ``a terminal that does not report its size gets lines for 80 columns`` () =
    needsScript ()
    use folder = new Built.Folder()
    let terminal = Terminal(folder, 0, 0, [ "attack"; "--help" ])
    let code = terminal.Code
    Assert.True((0 = code), terminal.Written)
    let help = terminal.Written.Substring(terminal.Written.IndexOf "Load a server")
    // `script` ends its file with a line of its own, behind a line feed alone
    Assert.InRange(
        help.Split "\r\n" |> List.ofArray |> List.map (fun line -> (line.Split '\n')[0]) |> widest,
        70,
        79
    )

[<Fact>]
let ``sentences on a terminal are broken between words`` () =
    needsScript ()
    use folder = new Built.Folder()
    let url = "http://127.0.0.1:1/"
    let terminal = Terminal(folder, 60, 24, asked url "2s")
    let code = terminal.Code
    let all = terminal.Written
    Assert.True((1 = code), all)
    let report = all.Substring(all.IndexOf leave).Split "\r\n"
    Assert.Contains(report, fun line -> line.StartsWith "refused: ")
    Assert.Contains(report, _.StartsWith("plait: no server takes connections"))

    for line in report[report |> Array.findIndex _.StartsWith("Success ") ..] do
        // `script` ends its file with a line of its own, behind a line feed alone
        let line = line.Split '\n' |> Array.head
        Assert.InRange(line.Length, 0, 59)
