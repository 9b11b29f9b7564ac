// Edits that fix findings, made of the source text: the text around an expression decides whether an await can stand
// there. A fix is applied only if the code type-checks with it, so a proposal may be wrong.
namespace Plait.Check

open System.Text.RegularExpressions

open FSharp.Compiler.Text

/// Proposes fixes for expressions at ranges of the sources. `files`: all files of the check.
type internal FixProposals(sources: Sources, files: string list) =
    let place (at: range) (fromColumn: int) (toColumn: int) : Location =
        { Location.ofRange at with Column = fromColumn + 1; EndColumn = toColumn + 1 }

    let isOneLine (at: range) = at.StartLine = at.EndLine

    /// The line's text before, in and after a range of one line.
    let split (at: range) : (string * string * string) option =
        let line = sources.Line(at.FileName, at.StartLine)

        if isOneLine at && at.EndColumn <= line.Length && at.StartColumn < at.EndColumn then
            Some(
                line.Substring(0, at.StartColumn),
                line.Substring(at.StartColumn, at.EndColumn - at.StartColumn),
                line.Substring at.EndColumn
            )
        else
            None

    // A call with arguments in parentheses may be the object of a member instead of an argument.
    let inParentheses (text: string) =
        if Regex.IsMatch(text, @"^[\w.']+(\([^()]*\))?$") then text else $"({text})"

    let fix (says: string) (edits: Edit list) : Fix option = Some { Says = says; Edits = edits }

    // Nothing of the statement is after the expression.
    let isEnd (behind: string) =
        Regex.IsMatch(behind, @"^\s*(\}.*|//.*)?$")

    /// The last line above that is not empty: its number and its text.
    let rec above (file: string) (line: int) : int * string =
        match sources.Line(file, line - 1) with
        | text when line > 1 && text.Trim() = "" -> above file (line - 1)
        | text -> line - 1, text

    /// `let NAME =`, up to the end of the word.
    let letOf (text: string) : int option =
        let found =
            Regex.Match(text, @"^(.*\blet)\s+(?!mutable\b|rec\b|inline\b)[^=]*=\s*$")

        if found.Success then Some found.Groups[1].Length else None

    /// The code above continues on a line of its own.
    let isNewStatement (line: string) =
        not (Regex.IsMatch(line, @"(=|\(|\[|,|<-|\|>|<\||>>|&&|\|\||[-+*/:]|\bfinally|\bfun\b[^>]*->)\s*$"))

    /// Replaces the text from `start` to the end of `at` by an awaited operation.
    let awaited (at: range) (start: int) (operation: string) (behind: string) : Fix option =
        let line = sources.Line(at.FileName, at.StartLine)
        let before = line.Substring(0, start)

        let replacing (from: int) text =
            { Location = place at from at.EndColumn; Text = text }

        let replaced = replacing start

        let bang (number: int) (column: int) =
            {
                Location =
                    {
                        File = at.FileName
                        Line = number
                        Column = column + 1
                        EndLine = number
                        EndColumn = column + 1
                    }
                Text = "!"
            }

        let number, previous = above at.FileName at.StartLine
        let isAlone = before.Trim() = ""
        let returned = Regex.Match(before, @"^(.*\breturn)\s+$")
        let matched = Regex.Match(before, @"^(.*\bmatch)\s+$")
        let done' = Regex.Match(before, @"^\s*do\s+$")

        let isStatement =
            if isAlone then
                isNewStatement previous
            else
                Regex.IsMatch(before, @"(\{|->|\bthen|\belse|\bdo|;)\s*$")
                && not (Regex.IsMatch(before, @"\bfun\b[^>]*->\s*$"))

        // the branch for true of a condition on one line
        let isBranch =
            Regex.IsMatch(before, @"\bthen\s*$") && Regex.IsMatch(behind, @"^\s+(else|elif)\b")

        let statement = "do! " + operation

        match (if isAlone then letOf previous else None), letOf before with
        | _ when matched.Success && Regex.IsMatch(behind, @"^\s+with\b") ->
            fix "await it with match!" [ bang at.StartLine matched.Groups[1].Length; replaced operation ]
        | _ when isBranch -> fix "await it" [ replaced statement ]
        | _ when not (isEnd behind) -> None
        | Some column, _ -> fix "await it with let!" [ bang number column; replaced operation ]
        | None, Some column -> fix "await it with let!" [ bang at.StartLine column; replaced operation ]
        | _ when returned.Success ->
            fix "await it with return!" [ bang at.StartLine returned.Groups[1].Length; replaced operation ]
        | _ when done'.Success -> fix "await it" [ replacing (before.IndexOf "do") statement ]
        | _ when isStatement -> fix "await it" [ replaced statement ]
        | _ -> None

    /// The text without the parentheses around all of it.
    let rec bare (text: string) : string =
        let depths =
            text
            |> Seq.scan
                (fun depth letter ->
                    depth
                    + (if letter = '(' then 1
                       elif letter = ')' then -1
                       else 0))
                0
            |> List.ofSeq

        let isWhole =
            text.StartsWith '('
            && text.EndsWith ')'
            && depths
               |> List.skip 1
               |> List.take (text.Length - 1)
               |> List.forall (fun depth -> depth > 0)

        if isWhole then bare (text.Substring(1, text.Length - 2)) else text

    // Code after an await may run on another thread, and a property of another file may hide that it is bound to one.
    let stateOfThreads =
        lazy
            (files
             |> Seq.collect (fun file ->
                 (sources.Text file).Split '\n'
                 |> Seq.mapi (fun index line ->
                     let found =
                         Regex.Match(
                             Regex.Replace(line, @"//.*", ""),
                             @"\b(ThreadStatic|ThreadStaticAttribute|ThreadLocal|STAThread|STAThreadAttribute|SetApartmentState|TrySetApartmentState)\b"
                         )

                     if found.Success then
                         let name = System.IO.Path.GetFileName file

                         Some
                             $"{found.Value} ({name}, line {index + 1}) binds code to its thread, and the code after an await may run on another"
                     else
                         None)
                 |> Seq.choose id)
             |> Seq.tryHead)

    /// The reason against awaiting any call of the check, if there is one: half a sentence.
    member _.StateOfThreads: string option = stateOfThreads.Value

    /// For a call that blocks in the body of a hot builder: an await with the same result and the same exceptions.
    /// `Result` and `Wait` wrap exceptions, so there is none for them.
    member _.Blocking(at: range) : Fix option =
        match split at with
        | None -> None
        | Some(before, text, behind) ->
            let slept =
                Regex.Match(text, @"^(?:System\.Threading\.|Threading\.)?Thread\.Sleep(.+)$")

            let waited = Regex.Match(text, @"^(.*?)\.GetAwaiter\(\)\.GetResult\(\)$")
            let run = Regex.Match(text, @"^Async\.RunSynchronously\s*(.+)$")

            let piped =
                Regex.Match(before, @"^(\s*(?:let\s+[^=]+=\s*|return\s+)?)(\S.*?)\s*\|>\s*$")

            if slept.Success then
                let delay =
                    if (sources.Text at.FileName).Contains "open System.Threading.Tasks" then
                        "Task.Delay"
                    else
                        "System.Threading.Tasks.Task.Delay"

                awaited at at.StartColumn (delay + slept.Groups[1].Value) behind
            // the body would continue in the context that the awaiter was configured for
            elif waited.Success && text.Contains "ConfigureAwait" then
                None
            elif waited.Success then
                awaited at at.StartColumn (bare waited.Groups[1].Value) behind
            // a limit of time, or a token, would be lost
            elif run.Success && Regex.IsMatch(run.Groups[1].Value, @"\btimeout\b|^\(.*,[^()]*\)$") then
                None
            elif run.Success then
                awaited at at.StartColumn (bare run.Groups[1].Value) behind
            elif text = "Async.RunSynchronously" && piped.Success then
                awaited at piped.Groups[1].Length piped.Groups[2].Value behind
            else
                None

    /// For an operation that is used twice: AsTask() where it is made.
    member _.Shared(at: range) : Fix option =
        match split at with
        | Some(_, text, _) ->
            fix "use its Task" [ { Location = Location.ofRange at; Text = inParentheses text + ".AsTask()" } ]
        | None -> None
