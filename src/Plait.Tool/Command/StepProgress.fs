// The progress of a verb whose steps have names, on stderr: one live line on a terminal, a line for each step elsewhere.
module internal Plait.Tool.StepProgress

open System

open Spectre.Console

open Plait.Common

/// Runs `work` with a display that suits the terminal: its first function gets the name of a step, its second a sentence that
/// stays above the live line. `isStill`: the line is drawn when it changes only, which costs next to nothing.
let private display (isStill: bool) (work: (string -> unit) -> (string -> unit) -> 'T) : 'T =
    let console =
        AnsiConsole.Create(
            AnsiConsoleSettings(
                Out = AnsiConsoleOutput Console.Error,
                // Nobody is asked anything: that standard input is no terminal does not matter.
                Interactive = InteractionSupport.Yes
            )
        )

    if Console.IsErrorRedirected || not console.Profile.Capabilities.Ansi then
        work (fun step -> Console.Error.WriteLine $"now: {step}") Console.Error.WriteLine
    else
        // The columns beside the spinner: a longer text would break the line.
        let fit (text: string) =
            let room = max 20 (console.Profile.Width - 4)
            if text.Length <= room then text else text.Substring(0, room)

        console
            .Status()
            .AutoRefresh(not isStill)
            .Start(
                "starting",
                fun context ->
                    // Through the console of the live line, which moves that out of the way, and over all of it.
                    let say (sentence: string) =
                        let room = max 20 (console.Profile.Width - 1)

                        for line in Wrap.within room "" sentence do
                            console.WriteLine(line.PadRight room)

                    let tell (step: string) =
                        context.Status <- Markup.Escape(fit step)
                        context.Refresh()

                    work tell say
            )

/// Runs `work` with a live line that moves.
let runSaying (work: (string -> unit) -> (string -> unit) -> 'T) : 'T = display false work

/// The same with a line that stands still until it changes.
let runStill (work: (string -> unit) -> (string -> unit) -> 'T) : 'T = display true work

/// The same where only steps are told.
let run (work: (string -> unit) -> 'T) : 'T = runSaying (fun tell _ -> work tell)
