// Writes correct programs, and plants mistakes in them: a second use of a single-use value, or a call that blocks. All its
// choices come from a seed.
namespace Plait.Check.Tests

open System

module internal Planting =
    open Programs

    let builders =
        [ "task"; "async"; "valueTask"; "pooledValueTask"; "strand"; "backgroundTask" ]

    type Generator(builder: string, seed: int) =
        let random = Random seed
        let mutable last = 0
        let isAsync = builder = "async"

        let fresh () =
            last <- last + 1
            last

        let pick (items: 'T list) : 'T = items[random.Next items.Length]

        /// The operand of an await: a Task needs one more step in an async.
        let awaitable (task: string) =
            if isAsync then $"{task} |> Async.AwaitTask" else task

        let awaits (kind: Kind) (operand: string) =
            match kind with
            | PlainValueTask -> [ $"do! {operand}" ]
            | _ ->
                let name = $"x{fresh ()}"
                [ $"let! {name} = {operand}"; $"log.Add {name}" ]

        /// A use of the value by the name.
        let useBy (kind: Kind) (name: string) : string list =
            let ways =
                match kind, isAsync with
                | Configured, _ -> [ name ]
                | PlainValueTask, false -> [ name; $"{name}.AsTask()"; $"{name}.ConfigureAwait false" ]
                | ValueTaskOfInt, false ->
                    [
                        name
                        $"{name}.AsTask()"
                        $"{name}.ConfigureAwait false"
                        $"Work.plus {name} 1"
                        $"{name} |> Work.asTask"
                    ]
                | StrandOfInt, false -> [ name; $"{name}.AsTask()"; $"{name}.AsValueTask()" ]
                | PlainValueTask, true
                | StrandOfInt, true -> [ awaitable $"{name}.AsTask()" ]
                | ValueTaskOfInt, true ->
                    [
                        awaitable $"{name}.AsTask()"
                        awaitable $"Work.plus {name} 1"
                        awaitable $"{name} |> Work.asTask"
                    ]

            awaits kind (pick ways)

        /// A use that asks for the result at once: right only for a value that is complete.
        let readBy (kind: Kind) (name: string) : string list =
            match kind with
            | PlainValueTask -> [ $"{name}.GetAwaiter().GetResult()" ]
            | Configured -> [ $"log.Add({name}.GetAwaiter().GetResult())" ]
            | _ -> [ pick [ $"log.Add {name}.Result"; $"log.Add({name}.GetAwaiter().GetResult())" ] ]

        let useOf (value: Value) =
            Use(value, false, useBy value.Kind value.Name)

        let secondUse (value: Value) =
            Use(value, true, useBy value.Kind value.Name)

        let value () =
            let kinds =
                if isAsync then
                    [ ValueTaskOfInt; PlainValueTask; StrandOfInt ]
                else
                    [ ValueTaskOfInt; PlainValueTask; StrandOfInt; Configured ]

            { Name = $"v{fresh ()}"; Kind = pick kinds }

        let filler () =
            match random.Next 4 with
            | 0 -> Lines(false, [ $"log.Add(n + {random.Next 9})" ])
            | 1 ->
                let name = $"k{fresh ()}"
                Lines(false, [ $"let {name} = n * {random.Next 9}"; $"log.Add {name}" ])
            | 2 -> Lines(false, awaits ValueTaskOfInt (awaitable $"Work.job {random.Next 9}"))
            | _ -> Lines(false, [ "if n > 1000 then"; "    invalidOp \"too many\"" ])

        let ifElse ifTrue ifFalse =
            Choice([], [ $"if n > {random.Next 9} then", ifTrue; "else", ifFalse ])

        let arms first second third =
            Choice(
                [ $"match n %% {2 + random.Next 5} with" ],
                [ "| 0 ->", first; "| 1 ->", second; "| _ ->", third ]
            )

        let loop block =
            match random.Next 3 with
            | 0 -> Loop($"for i{fresh ()} in 1..n do", block)
            | 1 -> Loop("for _ in [ 1; 2; n ] do", block)
            | _ -> Loop("while log.Count < n do", block @ [ Lines(false, [ "log.Add n" ]) ])

        /// Code that looks like a mistake and is none.
        let nearMiss () : Statement list =
            match random.Next 6 with
            | 0 -> [ Lines(false, [ "do! " + awaitable "Task.Run(fun () -> Thread.Sleep 1)" ]) ]
            | 1 ->
                let job = $"j{fresh ()}"

                [
                    Lines(false, [ $"let {job} = Work.job n" ])
                    Lines(false, awaits ValueTaskOfInt (awaitable job))
                    Lines(false, [ $"log.Add {job}.Result" ])
                ]
            | 2 ->
                let left, right = $"j{fresh ()}", $"j{fresh ()}"
                let all = $"Task.WhenAll({left}, {right})"

                [
                    Lines(false, [ $"let {left} = Work.job 1"; $"let {right} = Work.job n" ])
                    Lines(
                        false,
                        [ $"let! a{fresh ()} = " + awaitable all; $"log.Add({left}.Result + {right}.Result)" ]
                    )
                ]
            | 3 ->
                let job = $"j{fresh ()}"

                [
                    Lines(false, [ $"let {job} = (Work.number n).AsTask()" ])
                    Lines(false, awaits ValueTaskOfInt (awaitable job))
                    filler ()
                    Lines(false, awaits ValueTaskOfInt (awaitable job))
                ]
            | 4 ->
                let job = $"j{fresh ()}"

                [
                    Lines(false, [ $"let {job} = Work.job n" ])
                    Choice(
                        [],
                        [
                            $"if {job}.IsCompleted then", [ Lines(false, [ $"log.Add {job}.Result" ]) ]
                            "else", [ Lines(false, awaits ValueTaskOfInt (awaitable job)) ]
                        ]
                    )
                ]
            | _ ->
                // the same name, and another value
                let value = value ()
                let again = { value with Name = value.Name }

                [
                    Declare value
                    useOf value
                    Lines(false, [ $"log.Add {fresh ()}" ])
                    Declare again
                    useOf again
                ]

        /// A value that is declared and used once on every path.
        let rec single (depth: int) : Statement list =
            let value = value ()
            let between = if random.Next 2 = 0 then block depth else []

            let used =
                match random.Next 5, value.Kind with
                | 0, _ -> [ ifElse [ useOf value ] [ filler (); useOf value ] ]
                | 1, _ -> [ arms [ useOf value ] [ useOf value; filler () ] [ useOf value ] ]
                | 2, (ValueTaskOfInt | PlainValueTask | StrandOfInt) ->
                    let isThere = $"if {value.Name}.IsCompletedSuccessfully then"
                    let read = Use(value, false, readBy value.Kind value.Name)
                    [ Choice([], [ isThere, [ read ]; "else", [ useOf value ] ]) ]
                | 3, _ when depth > 0 && not isAsync -> [ Inner(fresh (), [ useOf value ]) ]
                | _ -> [ useOf value ]

            [
                Declare value
                yield! between
                yield! used
                if random.Next 2 = 0 then
                    filler ()
            ]

        and block (depth: int) : Statement list =
            [
                for _ in 0 .. random.Next 2 do
                    match random.Next(if depth > 0 then 8 else 3) with
                    | 0 -> filler ()
                    | 1 -> yield! nearMiss ()
                    | 2
                    | 3 -> yield! single (depth - 1)
                    | 4 -> ifElse (block (depth - 1)) (block (depth - 1))
                    | 5 -> loop (block (depth - 1))
                    | 6 -> Try(block (depth - 1), [ Lines(false, [ "log.Add -1" ]) ])
                    | _ -> arms (block (depth - 1)) [ filler () ] (block (depth - 1))
            ]

        let rec wrap (depth: int) (inside: Statement list) : Statement list =
            if depth = 0 then
                inside
            else
                let wrapped =
                    // an async inside is cold: what it takes from outside is another rule's
                    match random.Next(if isAsync then 4 else 5) with
                    | 0 -> [ ifElse inside [ filler () ] ]
                    | 1 -> [ arms [ filler () ] inside [ filler () ] ]
                    | 2 -> [ loop inside ]
                    | 3 -> [ Try(inside, [ Lines(false, [ "log.Add -1" ]) ]) ]
                    | _ -> [ Inner(fresh (), inside) ]

                wrap (depth - 1) wrapped

        let behind (value: Value) (planted: Statement list) (program: Statement list) =
            match insertionsAfterUse value planted program with
            | [] -> None
            | places -> Some(pick places)

        /// The ways to use a value twice: a name, and the program with the second use; None where it does not apply.
        let doubleUses: (string * (Value -> Statement list -> (Statement list * bool) option)) list =
            let again depth (value: Value) =
                behind value (wrap depth [ secondUse value ])

            [
                "again", again 0
                "again, in one block more", again 1
                "again, in two blocks more", again 2
                "read afterwards",
                (fun value -> behind value [ Use(value, true, readBy value.Kind value.Name) ])
                "by an alias made afterwards",
                (fun value ->
                    let alias = { value with Name = $"w{fresh ()}" }
                    behind value [ Lines(false, [ $"let {alias.Name} = {value.Name}" ]); secondUse alias ])
                "by an alias made before",
                (fun value program ->
                    let alias = { value with Name = $"w{fresh ()}" }

                    behind value (wrap (random.Next 2) [ secondUse alias ]) program
                    |> Option.map (fun (program, surely) ->
                        let withAlias =
                            replace
                                (fun statement ->
                                    if statement = Declare value then
                                        Some
                                            [
                                                statement
                                                Lines(false, [ $"let {alias.Name} = {value.Name}" ])
                                            ]
                                    else
                                        None)
                                program

                        withAlias, surely))
                "at once, before its other uses",
                (fun value program ->
                    let marked =
                        replace
                            (function
                            | Use(used, _, lines) when used = value -> Some [ Use(value, true, lines) ]
                            | statement when statement = Declare value -> Some [ statement; useOf value ]
                            | _ -> None)
                            program

                    Some(marked, true))
                "in a loop",
                (fun value program ->
                    let looped =
                        replace
                            (function
                            | Use(used, _, lines) when used = value ->
                                Some [ loop [ Use(value, true, lines) ] ]
                            | _ -> None)
                            program

                    Some(looped, true))
                "again in the handler",
                (fun value program ->
                    let handled =
                        replace
                            (function
                            | Use(used, _, _) as statement when used = value ->
                                Some [ Try([ statement ], [ secondUse value ]) ]
                            | _ -> None)
                            program

                    Some(handled, false))
                "by a local function",
                (fun value program ->
                    if value.Kind = Configured then
                        None
                    else
                        let start = $"start{fresh ()}"

                        let planted =
                            [
                                Lines(true, [ $"let {start} () = {value.Name}.AsTask()" ])
                                Use(value, true, awaits value.Kind (awaitable $"{start} ()"))
                            ]

                        behind value planted program)
            ]

        let blockingCalls: (string * (unit -> Statement list)) list =
            let one text = fun () -> [ Lines(true, [ text ]) ]

            [
                "Thread.Sleep", one "Thread.Sleep 10"
                "Result", one "log.Add((Work.job n).Result)"
                "Result of a name",
                (fun () ->
                    let job = $"j{fresh ()}"
                    [ Lines(false, [ $"let {job} = Work.job n" ]); Lines(true, [ $"log.Add {job}.Result" ]) ])
                "Result in a pipe", one "log.Add(Work.job n |> _.Result)"
                "Wait", one "(Work.job n).Wait()"
                "GetResult", one "log.Add((Work.job n).GetAwaiter().GetResult())"
                "WaitAll", one "Task.WaitAll(Work.job n, Work.job 2)"
                "RunSynchronously", one "log.Add(Work.later n |> Async.RunSynchronously)"
                "WaitOne", one "Work.opened.WaitOne() |> ignore"
                "SemaphoreSlim", one "Work.slots.Wait()"
                "in a callback", one "[ 1; n ] |> List.iter (fun time -> Thread.Sleep time)"
                "in the value of a let",
                (fun () ->
                    let name = $"k{fresh ()}"

                    [
                        Lines(false, [ $"let {name} =" ])
                        Lines(true, [ "    Thread.Sleep 1" ])
                        Lines(false, [ "    n + 1"; $"log.Add {name}" ])
                    ])
            ]

        /// A correct program, not so long that checking hundreds of them takes long.
        member generator.Program() : Statement list =
            let program =
                [ filler (); yield! single 1; yield! block (random.Next 3); yield! nearMiss () ]

            if (render builder 0 program).Length > 40 then generator.Program() else program

        /// The program with a second use, of the way with this number or of the next one that applies.
        member _.DoubleUse (number: int) (program: Statement list) : string * Statement list * bool =
            // a name that is given again does not tell which of its values is meant
            let candidates =
                values program
                |> List.countBy id
                |> List.filter (fun (_, times) -> times = 1)
                |> List.map fst

            Seq.initInfinite (fun offset -> doubleUses[(number + offset) % doubleUses.Length])
            |> Seq.truncate doubleUses.Length
            |> Seq.pick (fun (name, plant) ->
                plant (pick candidates) program
                |> Option.map (fun (planted, surely) -> name, planted, surely))

        /// The program with a call that blocks, of the kind with this number.
        member _.Blocking (number: int) (program: Statement list) : string * Statement list =
            let name, make = blockingCalls[number % blockingCalls.Length]
            name, insertions (wrap (random.Next 3) (make ())) program |> pick
