// Small asynchronous programs as trees, for the mutation test: statements can be put into every block, and behind every use of
// a value. A program knows which of its lines are planted.
namespace Plait.Check.Tests

open System

module internal Programs =

    /// What is awaited once in a program.
    type Kind =
        | ValueTaskOfInt
        | PlainValueTask
        | StrandOfInt
        | Configured

    type Value = { Name: string; Kind: Kind }

    type Statement =
        /// Lines of code; if they are planted, a finding is expected on one of them.
        | Lines of planted: bool * string list
        | Declare of Value
        | Use of Value * planted: bool * string list
        /// An if or a match: the line before the branches, and each branch by its head.
        | Choice of before: string list * (string * Statement list) list
        | Loop of head: string * Statement list
        | Try of Statement list * handler: Statement list
        /// A computation inside, awaited where it stands.
        | Inner of number: int * Statement list

    /// The blocks directly inside, and how each is put back.
    let children (statement: Statement) : (Statement list * (Statement list -> Statement)) list =
        match statement with
        | Lines _
        | Declare _
        | Use _ -> []
        | Choice(before, branches) ->
            [
                for index, (head, block) in List.indexed branches do
                    block, (fun block -> Choice(before, List.updateAt index (head, block) branches))
            ]
        | Loop(head, block) -> [ block, (fun block -> Loop(head, block)) ]
        | Try(body, handler) ->
            [ body, (fun body -> Try(body, handler)); handler, (fun handler -> Try(body, handler)) ]
        | Inner(number, block) -> [ block, (fun block -> Inner(number, block)) ]

    let rec private contains (wanted: Statement -> bool) (statement: Statement) : bool =
        wanted statement
        || children statement |> List.exists (fst >> List.exists (contains wanted))

    let uses (value: Value) : Statement -> bool =
        contains (function
            | Use(used, _, _) -> used = value
            | _ -> false)

    /// Whether every way through the statement uses the value.
    let rec usesSurely (value: Value) (statement: Statement) : bool =
        match statement with
        | Use(used, _, _) -> used = value
        | Choice(_, branches) -> branches |> List.forall (snd >> List.exists (usesSurely value))
        | Inner(_, block) -> List.exists (usesSurely value) block
        | Lines _
        | Declare _
        | Loop _
        | Try _ -> false

    let private declares (value: Value) (block: Statement list) = List.contains (Declare value) block

    /// Every block of the program with the statements put in at one place.
    let rec insertions (planted: Statement list) (block: Statement list) : Statement list list =
        [
            for index in 0 .. block.Length do
                List.insertManyAt index planted block

            for index, statement in List.indexed block do
                for inner, rebuild in children statement do
                    for changed in insertions planted inner do
                        List.updateAt index (rebuild changed) block
        ]

    /// The program with the statements put in at every place behind a use of the value; and whether every way to that
    /// place has used it.
    let insertionsAfterUse (value: Value) (planted: Statement list) (program: Statement list) =
        let rec go (inScope: bool) (block: Statement list) : (Statement list * bool) list =
            let inScope = inScope || declares value block

            [
                if inScope then
                    for index in 0 .. block.Length - 1 do
                        let before = block |> List.take (index + 1)

                        if List.exists (uses value) before then
                            List.insertManyAt (index + 1) planted block, List.exists (usesSurely value) before

                for index, statement in List.indexed block do
                    for inner, rebuild in children statement do
                        for changed, surely in go inScope inner do
                            List.updateAt index (rebuild changed) block, surely
            ]

        go false program

    /// The program with other statements in place of each statement for which there are some.
    let rec replace (by: Statement -> Statement list option) (block: Statement list) : Statement list =
        [
            for statement in block do
                match by statement with
                | Some others -> yield! others
                | None ->
                    List.fold
                        (fun changed index ->
                            let inner, rebuild = (children changed)[index]
                            rebuild (replace by inner))
                        statement
                        [ 0 .. (children statement).Length - 1 ]
        ]

    let rec values (block: Statement list) : Value list =
        [
            for statement in block do
                match statement with
                | Declare value -> value
                | _ -> yield! children statement |> List.collect (fst >> values)
        ]

    /// The lines of a block, and which of them are planted.
    let rec render (builder: string) (depth: int) (block: Statement list) : (string * bool) list =
        let indent = String(' ', 4 * depth)
        let line text = indent + text, false

        [
            if block.IsEmpty then
                line "()"

            for statement in block do
                match statement with
                | Lines(planted, lines) -> yield! [ for text in lines -> indent + text, planted ]
                | Use(_, planted, lines) ->
                    // the operand is on the first line
                    yield! [ for index, text in List.indexed lines -> indent + text, planted && index = 0 ]
                | Declare value ->
                    let made =
                        match value.Kind with
                        | ValueTaskOfInt -> "Work.number n"
                        | PlainValueTask -> "Work.signal n"
                        | StrandOfInt -> "Work.spun n"
                        | Configured -> "(Work.number n).ConfigureAwait false"

                    line $"let {value.Name} = {made}"
                | Choice(before, branches) ->
                    yield! List.map line before

                    for head, inner in branches do
                        line head
                        yield! render builder (depth + 1) inner
                | Loop(head, inner) ->
                    line head
                    yield! render builder (depth + 1) inner
                | Try(body, handler) ->
                    line "try"
                    yield! render builder (depth + 1) body
                    line "with _ ->"
                    yield! render builder (depth + 1) handler
                | Inner(number, inner) ->
                    line $"let! y{number} ="
                    line $"    %s{builder} {{"
                    yield! render builder (depth + 2) inner
                    line "        return log.Count"
                    line "    }"
                    line $"log.Add y{number}"
        ]
