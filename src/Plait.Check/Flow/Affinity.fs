// Code that is bound to its thread, and functions that a call runs on a thread of their own. Fixes need both: code
// after an await may run on another thread.
module internal Plait.Check.Affinity

open System.Collections.Generic
open System.Text.RegularExpressions

open FSharp.Compiler.Text

/// Code that is bound to its thread. `Subject`: its words in a sentence, as in "a pointer".
type ThreadBound = { At: range; Subject: string }

/// The last part of a member's name, without the interface of an explicit implementation.
let lastPart (name: string) : string =
    Symbol.lastPart (name.Substring(name.LastIndexOf '-' + 1))

// functions of the operating system that programs declare
let private native =
    Regex(
        @"^(GetCurrentThread\w*|SetThread\w*|CoInitialize\w*|OleInitialize|Impersonate\w*|RevertToSelf|\w*MakeCurrent|pthread_\w+|gettid)$",
        RegexOptions.Compiled
    )

// calls that format a text for people: the thread's number in it decides nothing
let private text =
    Regex(
        @"PrintfFormat|\.(\w*printf\w*|print(line)?|write(line)?|append(line)?|format|concat|failwith|log\w*|(trace|debug|info|warn|error|fatal|critical|verbose)\w*)$",
        RegexOptions.Compiled ||| RegexOptions.IgnoreCase
    )

let private isText (callee: Callee) = text.IsMatch callee.Name

/// Whether the callee converts or formats its arguments: its result names the thread if an argument does.
let private isForm (callee: Callee) =
    match lastPart callee.Name with
    | "ToString"
    | "Box"
    | "op_Addition"
    | "ToInt64" -> true
    | _ -> false

/// Whether the callee flows with the execution context: the code after an await has the same one.
let private flows (callee: Callee) =
    match lastPart callee.Name with
    | "get_CurrentCulture"
    | "get_CurrentUICulture"
    | "get_ExecutionContext" -> true
    | _ -> false

let private has (effect: Effect) (callee: Callee) =
    callee.Effects |> Option.exists (List.contains effect)

/// Whether the code is the thread, its number or its name. `names`: the variables with one of these.
let rec private isName (names: Set<int>) (code: Code) : bool =
    match code.Is with
    | Call(callee, _) when has NamesThread callee -> true
    | Read variable -> names.Contains variable.Id
    | Call(callee, [ object ]) when callee.IsProperty && callee.HasObject ->
        not (flows callee) && isName names object
    | Call(callee, parts) when isForm callee -> List.exists (isName names) parts
    | AsObject inner -> isName names inner
    | Parts parts
    | Tuple parts
    | Construct(parts, _, _) -> List.exists (isName names) parts
    | Let(variable, value, body) when variable.IsGenerated ->
        isName (if isName names value then names.Add variable.Id else names) body
    | _ -> false

/// Whether the code makes a text. `makers`: variables with functions that do; the compiler binds a printf to one.
let rec private makesText (makers: Set<int>) (code: Code) : bool =
    match code.Is with
    | Call(callee, _) -> isText callee
    | Apply(f, _) -> makesText makers f
    | Read variable -> makers.Contains variable.Id
    | _ -> false

let rec private find (names: Set<int>) (makers: Set<int>) (code: Code) : ThreadBound list =
    let inside = List.collect (find names makers)

    match code.Is with
    | Let(variable, value, body) when isName names value -> find (names.Add variable.Id) makers body
    | Let(variable, value, body) when makesText makers value ->
        find names makers value @ find names (makers.Add variable.Id) body
    | Call(callee, [ object ]) when flows callee && isName names object -> []
    | Call _
    | Apply _ when makesText makers code -> Code.children code |> List.filter (isName names >> not) |> inside
    | _ when isName names code -> [ { At = code.At; Subject = "the number or the state of the thread" } ]
    | Call(callee, parts) when has Binds callee || native.IsMatch(lastPart callee.Name) ->
        { At = code.At; Subject = callee.Short } :: inside parts
    | _ -> inside (Code.children code)

/// The parts of a declaration that are bound to its thread; pointers are among them.
let threadBound (declaration: Declaration) : ThreadBound list =
    [
        for at in Option.toList declaration.OnStack do
            { At = at; Subject = "a pointer or a value on the stack" }

        yield! find Set.empty Set.empty declaration.Body
    ]

/// The names of the functions that code calls or mentions, and whether each may be overridden.
let callees (code: Code) : Set<string * bool> =
    let found = HashSet<string * bool>()

    Code.exists
        (fun code ->
            match code.Is with
            | Call(callee, _) -> found.Add(callee.Name, callee.IsOpen) |> ignore
            | Global(name, _) -> found.Add(name, false) |> ignore
            | _ -> ()

            false)
        code
    |> ignore

    Set.ofSeq found

/// Code that the call of `Starter` runs on a thread of its own.
type ThreadStart = { Starter: Callee; At: range; Code: Code }

/// The functions of a declaration that get a thread of their own, with the local functions that they call.
let started (declaration: Declaration) : ThreadStart list =
    let calls = List<Callee * range * Code>()
    let bound = Dictionary<int, Code>()

    let collect (code: Code) =
        match code.Is with
        | Call(callee, arguments) ->
            for effect in Option.defaultValue [] callee.Effects do
                match effect with
                | OnThread index when index < arguments.Length ->
                    calls.Add(callee, code.At, List.item index arguments)
                | _ -> ()
        | Let(variable, value, _) -> bound[variable.Id] <- value
        | LetRec(bindings, _) ->
            for variable, value in bindings do
                bound[variable.Id] <- value
        | _ -> ()

        false

    Code.exists collect declaration.Body |> ignore

    let rec withLocals (seen: HashSet<int>) (code: Code) : Code list =
        [
            code

            for variable in Code.free code do
                match bound.TryGetValue variable with
                | true, value when seen.Add variable -> yield! withLocals seen value
                | _ -> ()
        ]

    [
        for callee, at, code in calls do
            for code in withLocals (HashSet()) code do
                { Starter = callee; At = at; Code = code }
    ]
