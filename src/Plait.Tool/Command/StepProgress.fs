// The progress of a verb whose steps have names, on stderr: one live line on a terminal, a line for each step elsewhere.
module internal Plait.Tool.StepProgress

open System

open Spectre.Console

open Plait.Common

/// The output of a verb while it works. Its functions may be called on several threads.
type Reporter =
    {
        /// Gets the name of a step.
        Step: string -> unit
        /// Gets a sentence about the work, which stays above the live line.
        Say: string -> unit
        /// Gets lines of the result, for standard output.
        Print: (LineKind * string) list -> unit
    }

/// Runs `work` with a display that suits the terminal. `isStill`: the line is drawn only when it changes, which costs next to nothing.
let private display (isStill: bool) (work: Reporter -> 'T) : 'T =
    let gate = obj ()

    let console =
        AnsiConsole.Create(
            AnsiConsoleSettings(
                Out = AnsiConsoleOutput Console.Error,
                // There are no prompts, so standard input need not be a terminal.
                Interactive = InteractionSupport.Yes
            )
        )

    if Console.IsErrorRedirected || not console.Profile.Capabilities.Ansi then
        work
            {
                Step = fun step -> Streams.say $"now: {step}"
                Say = Console.Error.WriteLine
                Print = fun lines -> lock gate (fun () -> TerminalLines.write lines)
            }
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
                    let room = max 20 (console.Profile.Width - 1)

                    // Through the console of the live line, which moves the line; padded, to overwrite all of it.
                    let above (lines: (LineKind * string) list) =
                        for kind, line in lines do
                            TerminalLines.writeTo console (kind, line.PadRight room)

                    work
                        {
                            Step =
                                fun step ->
                                    lock gate (fun () ->
                                        context.Status <- Markup.Escape(fit step)
                                        context.Refresh())
                            Say =
                                fun sentence ->
                                    lock gate (fun () ->
                                        above
                                            [
                                                for line in Wrap.within room "" sentence do
                                                    LineKind.Plain, line
                                            ])
                            Print =
                                fun lines ->
                                    lock gate (fun () ->
                                        // on the same terminal
                                        if Console.IsOutputRedirected then
                                            TerminalLines.write lines
                                        else
                                            above lines)
                        }
            )

/// Runs `work` with a live line that moves.
let runReporting (work: Reporter -> 'T) : 'T = display false work

/// The same for work that reports steps and sentences.
let runSaying (work: (string -> unit) -> (string -> unit) -> 'T) : 'T =
    runReporting (fun telling -> work telling.Step telling.Say)

/// The same with a line that stands still until it changes.
let runStill (work: (string -> unit) -> (string -> unit) -> 'T) : 'T =
    display true (fun telling -> work telling.Step telling.Say)

/// The same for work that reports steps only.
let run (work: (string -> unit) -> 'T) : 'T =
    runReporting (fun telling -> work telling.Step)
