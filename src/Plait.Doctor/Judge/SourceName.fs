// The source names of methods: closures, state machines, local functions and lambdas get the name of the function around them.
module Plait.Doctor.SourceName

open System
open System.Text.RegularExpressions

/// The suffixes of the compilers behind the name of a function: "work@10-1", "viaTask@12".
let private closure =
    Regex(@"^(?<name>.+?)@(\d+(-\d+)*\w*)?$", RegexOptions.Compiled)

/// The names that F# makes for closures that no name in the source stands for.
let private isNameless (name: string) =
    name = "clo" || name.StartsWith("Pipe #", StringComparison.Ordinal)

/// The names that C# makes of a method: "<Main>d__0" (its state machine), "<Main>b__0_1" (a lambda in it),
/// "<Main>g__Load|0_0" (a local function in it), "<Main>$" (statements of the top level).
let private lambda =
    Regex(
        @"^<(?<outer>[^<>]*|<[^<>]*>\$)>(?<kind>[a-z]__|\$)(?<inner>[A-Za-z_][\w]*)?(\|.*|\d.*)?$",
        RegexOptions.Compiled
    )

/// The classes that C# keeps lambdas and their captured variables in: "<>c", "<>c__DisplayClass0_0".
let private isKeeper (part: string) =
    part.StartsWith("<>c", StringComparison.Ordinal)

/// The file's own hidden class of an F# program: "<StartupCode$app>".
let private isStartup (part: string) =
    part.StartsWith("<StartupCode$", StringComparison.Ordinal)

/// The methods of compiler-made classes, whose names are not those of the function.
let private made =
    set
        [
            "Invoke"
            "MoveNext"
            "InvokeFast"
            "Specialize"
            "GenerateNext"
            "DirectInvoke"
            "Resume"
            "ResumeDynamic"
            "SetStateMachine"
            "Signal"
            "Run"
        ]

let private withoutArity (part: string) =
    match part.IndexOf '`' with
    | -1 -> part
    | at -> part.Substring(0, at)

/// The state machine of an async lambda: "<<Main>b__0_1>d", which is a lambda within.
let private machineOfLambda =
    Regex(@"^<(?<inner><.+)>d(__\d+)?(`\d+)?$", RegexOptions.Compiled)

/// The name of a method: that of a constructor is ".ctor", or "-ctor" in the name of a class.
let private written (name: string) =
    if name.StartsWith '-' then "." + name.Substring 1 else name

/// A part of a name in the source, and whether a compiler made it.
let rec private part (text: string) : string list * bool =
    let closed = closure.Match text
    let made = lambda.Match text

    let machine = machineOfLambda.Match text

    if machine.Success then
        part machine.Groups["inner"].Value
    elif isKeeper text || isStartup text then
        [], true
    elif made.Success then
        let outer = written made.Groups["outer"].Value

        [
            // statements of the top level have no function
            if not (outer.StartsWith '<') then
                outer
            if made.Groups["inner"].Success && made.Groups["kind"].Value = "g__" then
                made.Groups["inner"].Value
        ],
        true
    elif closed.Success then
        // the function is named before the first @: "work@10-1@12" is within it
        let name = closed.Groups["name"].Value
        (if isNameless name then [] else [ written name ]), true
    else
        // the class of a file's start-up code is "$Program"
        [ (withoutArity text).TrimStart '$' ], false

/// The name parts of the type, nested ones by plus or slash, and of the method.
let private split (name: string) : string list =
    // a dot within angle brackets belongs to the part: "<StartupCode$My.App>"
    let parts = ResizeArray<string>()
    let current = Text.StringBuilder()
    let mutable depth = 0

    for letter in name do
        match letter with
        | '<' -> depth <- depth + 1
        | '>' -> depth <- depth - 1
        | _ -> ()

        // the second dot of "Orders..ctor" begins the name
        let isFirst = current.Length = 0 && letter = '.' && parts.Count > 0

        if depth = 0 && not isFirst && (letter = '.' || letter = '+' || letter = '/') then
            parts.Add(current.ToString())
            current.Clear() |> ignore
        else
            current.Append letter |> ignore

    parts.Add(current.ToString())
    parts |> Seq.filter (fun part -> part <> "") |> List.ofSeq

/// The function of a method, with the type or module before it: "Program+Orders+work@10.Invoke" is "Orders.work". A local function
/// has the method around it before its name, a constructor is called as in stack traces: "Orders.Handle.Load", "Orders..ctor".
let ofMethod (method': string) : string =
    let parts = split method' |> List.map part
    let names = parts |> List.map fst
    let fromCompiler = parts |> List.exists snd

    let kept =
        match List.rev parts with
        // the method of a class that a compiler made; "<Run>b__0" is a lambda in a method of the user with such a name
        | ([ last ], false) :: rest when
            fromCompiler && made.Contains last && not (rest |> List.collect fst |> List.isEmpty)
            ->
            rest |> List.rev |> List.map fst
        | _ -> names

    let words =
        List.concat kept
        // a function within itself, as recursion in a closure gives
        |> List.fold (fun found word -> if List.tryHead found = Some word then found else word :: found) []

    let isLocal =
        match List.tryLast kept with
        | Some [ outer; local ] -> outer <> local
        | _ -> false

    match words with
    | [] -> method'
    | [ only ] -> only
    | last :: outer :: owner :: _ when isLocal -> $"{owner}.{outer}.{last}"
    | last :: owner :: _ -> $"{owner}.{last}"
