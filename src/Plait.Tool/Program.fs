// The entry point: reads the command line and hands over to a verb.
module internal Plait.Tool.Program

open System.CommandLine
open System.CommandLine.Help
open System.CommandLine.Parsing

open Plait.Common
open Plait.Load

let private lab () : Command =
    Verb.group
        (Command("lab", "Run experiments on the cost of async, and write tables, data and a page of them."))
        [
            LabFizzBuzzVerb.command ()
            LabAdapterVerb.command ()
            LabYieldVerb.command ()
            LabBlockingVerb.command ()
            LabCandidateVerbs.list ()
            LabRunVerb.command ()
            LabCheckVerb.command ()
            LabCompareVerb.command ()
            LabExportVerb.command ()
            LabCandidateVerbs.newCandidate ()
        ]

let private root () : Command =
    Verb.group
        (RootCommand(
            "Find misuse of async code in F#, find the cause when a live .NET process starves, measure the cost of async code, and load servers over HTTP."
        ))
        [
            CheckVerb.command ()
            DoctorVerb.command ()
            lab ()
            AttackVerb.command ()
            ReportVerb.command ()
            MergeVerb.command ()
            WorkerVerbs.attackWorker ()
            WorkerVerbs.nullServer ()
            CheckVerb.worker ()
        ]

let private isOption (token: string) = token.Length > 1 && token[0] = '-'

/// The tokens that are no option of the verb: its arguments, and tokens that it does not take.
let private loose (parsed: ParseResult) : string list =
    [
        for part in parsed.CommandResult.Children do
            match part with
            | :? ArgumentResult as argument ->
                for token in argument.Tokens do
                    token.Value
            | _ -> ()

        yield! parsed.UnmatchedTokens
    ]

// Verbs whose arguments are a URL or files. Another verb may start a program with options of its own.
let private withoutOtherPrograms = [ "attack"; "merge"; "report"; "export" ]

/// The parser took an unknown option for the URL or a file.
let private isArgumentAnOption (parsed: ParseResult) =
    List.contains parsed.CommandResult.Command.Name withoutOtherPrograms
    && List.exists isOption (loose parsed)

/// Makes the parser's help as wide as other output, and leaves out the arguments of the verb above: `doctor run` takes no process.
let private fit (help: HelpAction) (command: Command) : unit =
    help.MaxWidth <- Wrap.width ()

    for above in Seq.choose tryUnbox<Command> command.Parents do
        for argument in above.Arguments do
            argument.Hidden <- true

/// The error of a command line, as one sentence.
let private sentence (parsed: ParseResult) : string =
    let command = parsed.CommandResult.Command

    // If an option took the next option for its value, the value of the next one is unmatched.
    let wrongValue =
        parsed.Errors |> Seq.tryFind (fun error -> error.SymbolResult :? OptionResult)

    let unknown =
        match loose parsed |> List.tryFind isOption with
        | Some token when not (Seq.isEmpty parsed.UnmatchedTokens) || isArgumentAnOption parsed -> Some token
        | _ -> Seq.tryHead parsed.UnmatchedTokens

    match wrongValue, unknown with
    | None, Some token ->
        let known =
            [
                for verb in command.Subcommands do
                    if not verb.Hidden then
                        verb.Name

                for option in command.Options do
                    option.Name
            ]

        // A value of an option, as in --to kubernetes.
        let withValue =
            command.Options
            |> Seq.tryFind (fun option ->
                token.StartsWith "--"
                && (string option.HelpName).Split '|' |> Array.contains (token.Substring 2))

        let withOption =
            command.Subcommands
            |> Seq.tryFind (fun verb -> verb.Options |> Seq.exists (fun option -> option.Name = $"--{token}"))

        let elsewhere = if command.Name = "attack" then ForeignOptions.hint token else None

        let name = (token.Split '=')[0]

        let hint =
            match withOption, elsewhere with
            | Some verb, _ -> $"it is an option: {verb.Name} --{token}"
            | None, _ when withValue.IsSome -> $"it is a value: {withValue.Value.Name} {token.Substring 2}"
            | None, _ when List.contains ("-" + name) known -> $"it has two dashes: -{name}"
            | None, Some words -> words
            | None, None when command.Name = "attack" && token.Contains "://" ->
                $"the URL is '{List.head (loose parsed)}' already; --targets FILE holds the requests of several"
            | None, None -> NearestName.hint known "--help lists them all" name

        $"'{command.Name}' has no verb or option '{token}'; {hint}"
    | None, None when command.Subcommands.Count > 0 ->
        let verbs =
            [
                for verb in command.Subcommands do
                    if not verb.Hidden then
                        verb.Name
            ]
            |> String.concat ", "

        $"'{command.Name}' needs a verb: {verbs}; --help explains them"
    | _ ->
        let first = (defaultArg wrongValue parsed.Errors[0]).Message.TrimEnd '.'
        // Errors of our own options name the allowed values. Errors of the parser do not.
        if first.Contains ';' then first else $"{first}; --help shows the allowed values"

/// .NET fails in the middle of a verb if it may open fewer files.
let private fewestFiles = 120

/// Runs the verb of a command line, or prints the error of the command line. Returns the exit code.
let private run (arguments: string[]) : int =
    // An @ begins the name of a body's file, not that of a file of arguments.
    let parsed =
        root().Parse(arguments, ParserConfiguration(ResponseFileTokenReplacer = null))

    let helpNames = [ "-h"; "--help"; "-?"; "/h"; "/?" ]

    // The parser reads -h2 and -host as -h and further letters.
    let mistaken =
        if
            parsed.Action :? HelpAction
            && not (arguments |> Array.exists (fun one -> List.contains one helpNames))
        then
            arguments |> Array.tryFind _.StartsWith("-h")
        else
            None

    if mistaken.IsSome then
        let token = mistaken.Value

        let hint = ForeignOptions.hint token |> Option.defaultValue "--help lists them all"

        Endings.complain $"'{parsed.CommandResult.Command.Name}' has no option '{token}'; {hint}"
        Endings.badInput
    elif parsed.Action :? HelpAction && parsed.CommandResult.Command.Name = "attack" then
        Streams.checkOutput ()
        AttackVerb.help ()
        Endings.success
    elif parsed.Errors.Count > 0 || isArgumentAnOption parsed then
        Endings.complain (sentence parsed)
        Endings.badInput
    else
        match parsed.Action with
        | :? HelpAction as help -> fit help parsed.CommandResult.Command
        | _ -> ()

        // The help and the version need no more files.
        let isVerb = obj.ReferenceEquals(parsed.Action, parsed.CommandResult.Command.Action)

        match MachineLimits.descriptors () with
        | Some limit when isVerb && limit < fewestFiles ->
            Endings.complain
                $"this process may open {limit} files, and needs {fewestFiles} at least; raise the limit, as by 'ulimit -n 1024'"

            Endings.badInput
        | _ ->
            // Verbs handle signals themselves: the default would end the process two seconds after Ctrl-C. The default handler of
            // exceptions would print a stack trace.
            parsed.Invoke(
                InvocationConfiguration(
                    ProcessTerminationTimeout = System.Nullable(),
                    EnableDefaultExceptionHandler = false
                )
            )

[<EntryPoint>]
let main arguments =
    Streams.begin' ()
    Endings.guard (fun () -> run arguments)
