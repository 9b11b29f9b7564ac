// A rule: its description, and its finding from an event. Only the rules' files have the texts of findings.
namespace Plait.Check

open FSharp.Compiler.Text

/// A rule: `Judge` gets each event.
type internal Rule = { Info: RuleInfo; Judge: FixProposals -> Event -> Finding option }

module internal Rule =
    /// A finding of a rule, without a path and a fix.
    let finding
        (info: RuleInfo)
        (severity: Severity)
        (at: range)
        (message: string)
        (advice: string)
        : Finding =
        {
            Rule = info.Code
            Severity = severity
            Location = Location.ofRange at
            Message = message
            Path = []
            Advice = advice
            Fix = None
        }

    /// The words for a value in a sentence: its name, or its type.
    let nameOf (value: Instance) : string =
        match value.Name, value.Kind with
        | "", Kind.SingleUse name -> $"this {name}"
        | "", Kind.Task -> "this Task"
        | "", _ -> "this operation"
        | name, _ -> $"'{name}'"

    /// The code that awaits an operation in a body of this builder.
    let awaiting (builder: Builder) (value: Instance) : string =
        let word = if value.HasResult then "let! _ =" else "do!"

        match builder.BindsTasks, value.Kind with
        | false, Kind.Task -> $"{word} Async.AwaitTask(…)"
        | false, Kind.SingleUse _ -> $"{word} Async.AwaitTask((…).AsTask())"
        | _ -> $"{word} …"
