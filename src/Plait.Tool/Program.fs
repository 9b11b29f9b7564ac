// The entry point: reads the command line and hands over to a verb.
module internal Plait.Tool.Program

open System.CommandLine
open System.CommandLine.Help
open System.CommandLine.Parsing

open Plait.Common

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

/// The error of a command line, as one sentence.
let private sentence (parsed: ParseResult) : string =
    let command = parsed.CommandResult.Command

    // An option that took the next one for its value has left that one's value unmatched.
    let wrongValue =
        parsed.Errors |> Seq.tryFind (fun error -> error.SymbolResult :? OptionResult)

    match wrongValue, List.ofSeq parsed.UnmatchedTokens with
    | None, token :: _ ->
        let known =
            [
                for verb in command.Subcommands do
                    if not verb.Hidden then
                        verb.Name

                for option in command.Options do
                    option.Name
            ]

        let withOption =
            command.Subcommands
            |> Seq.tryFind (fun verb -> verb.Options |> Seq.exists (fun option -> option.Name = $"--{token}"))

        // The option of another program may have been taken for the URL.
        let isElsewhere (token: Token) =
            command.Name = "attack" && Option.isSome (AttackWords.meant token.Value)

        let token, elsewhere =
            match parsed.Tokens |> Seq.tryFind isElsewhere with
            | Some other -> other.Value, AttackWords.meant other.Value
            | None -> token, None

        let hint =
            match withOption, elsewhere with
            | Some verb, _ -> $"it is an option: {verb.Name} --{token}"
            | None, Some words -> words
            | None, None -> NearestName.hint known "--help lists them all" token

        $"'{command.Name}' has no verb or option '{token}'; {hint}"
    | None, [] when command.Subcommands.Count > 0 ->
        let verbs =
            [
                for verb in command.Subcommands do
                    if not verb.Hidden then
                        verb.Name
            ]
            |> String.concat ", "

        $"'{command.Name}' needs a verb behind it: {verbs}; --help explains them"
    | _ ->
        let first = (defaultArg wrongValue parsed.Errors[0]).Message.TrimEnd '.'
        // The errors of our own options name the allowed values; those of the parser are short.
        if first.Contains ';' then first else $"{first}; --help shows the allowed values"

[<EntryPoint>]
let main arguments =
    Streams.begin' ()

    // An @ begins the name of a body's file, not that of a file of arguments.
    let parsed =
        root().Parse(arguments, ParserConfiguration(ResponseFileTokenReplacer = null))

    if parsed.Action :? HelpAction && parsed.CommandResult.Command.Name = "attack" then
        Streams.checkOutput ()

        Endings.guard (fun () ->
            AttackVerb.help ()
            Endings.success)
    elif parsed.Errors.Count > 0 then
        Endings.complain (sentence parsed)
        Endings.badInput
    else
        // Verbs handle signals themselves: the default would end the process two seconds after Ctrl-C.
        parsed.Invoke(InvocationConfiguration(ProcessTerminationTimeout = System.Nullable()))
