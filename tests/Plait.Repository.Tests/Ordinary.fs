// What users write, with nothing annotated that could be left out. `co {` stands for the
// builder, `BUILDER` for it as a value.
module Plait.Repository.Tests.Ordinary

/// Code that ends in a value.
let valued =
    [
        "a source of no type", "let f p = co { let! x = p in return x }"

        "a source of no type in a lambda", "let f = fun p -> co { let! x = p in return x }"

        "a value of unknown type", "let f () = co { let! x = Unchecked.defaultof<_> in return x + 1 }"

        "a result of no type",
        "let f p = co { return! p }\nlet g p q = co { let! x = p in let! y = q x in return y }"

        "a function of no type",
        "let f g = co { let! x = g () in return x }\nlet h g x = co { let! y = g x in return struct (x, y) }"

        "a condition with an await and no else",
        """let f c (t: Task) (v: ValueTask) (u: Task<unit>) (w: ValueTask<unit>) (a: Async<unit>) (s: Strand<unit>) = co {
    if c then do! t
    if c then do! v
    if c then do! u
    if c then do! w
    if c then do! a
    if c then do! s
    if c then do! Task.Yield()
    if c then do! t.ConfigureAwait false
    return 1
}"""

        "every kind of do!",
        """let f (t: Task) (v: ValueTask) (u: Task<unit>) (w: ValueTask<unit>) (a: Async<unit>) (s: Strand<unit>) = co {
    do! t
    do! v
    do! u
    do! w
    do! a
    do! s
    do! Task.Delay 1
    do! Async.Sleep 1
    do! t.ConfigureAwait false
    do! v.ConfigureAwait false
    do! u.ConfigureAwait ConfigureAwaitOptions.None
    do! task { return () }
    do! async { return () }
    do! strand { return () }
    do! (fun () -> u)
}"""

        "every kind of return!",
        """let a (x: Task<int>) = co { return! x }
let b (x: ValueTask<int>) = co { return! x }
let c (x: Async<int>) = co { return! x }
let d (x: Strand<int>) = co { return! x }
let e (x: Task) = co { return! x }
let f (x: ValueTask) = co { return! x }
let g (x: Task<int>) = co { return! x.ConfigureAwait false }
let h (x: unit -> Task<int>) = co { return! x }
let i (x: StructAwaitable<int>) = co { return! x }
let j (x: PlainAwaitable<int>) = co { return! x }"""

        "return! in every position",
        """let f c (t: Task<int>) (v: ValueTask<int>) = co {
    if c then
        return! t
    else
        match! v with
        | 0 -> return! v
        | 1 ->
            try
                return! t
            with _ ->
                return! v
        | 2 ->
            try
                return! v
            finally
                ignore c
        | 3 ->
            use _d = new Resource()
            return! t
        | _ ->
            let! a = t
            do! Task.Yield()
            return! co { return a }
}"""

        "null of no type under use", "let f () = co { use x = null in return 1 }"

        "nullable disposables under use",
        """let f (a: IDisposable | null) (b: IAsyncDisposable | null) = co {
    use _a = a
    use _b = b
    do! Task.Yield()
}"""

        "types with both dispose interfaces under use",
        """let f (stream: IO.Stream) (timer: Threading.Timer) (own: BothResource) = co {
    use _a = stream
    use _b = timer
    use _c = own
    do! Task.Yield()
}"""

        "structs under use",
        """let f (xs: ResizeArray<int>) (t: Threading.CancellationTokenRegistration) = co {
    use e = xs.GetEnumerator()
    use _t = t
    do! Task.Yield()
    return e.Current
}"""

        "use! of every kind",
        """let f (a: Task<Resource>) (b: ValueTask<AsyncResource>) (c: Async<BothResource>) (d: Strand<Resource>) = co {
    use! a = a
    use! b = b
    use! _c = c
    use! d = d
    do! Task.Yield()
    return a.Size + b.Size + d.Size
}
let g p = co {
    use! r = p
    return (r: Resource).Size
}"""

        "generic results of functions",
        """let f (x: 'a) (g: 'a -> Task<'b>) = co { let! y = g x in return struct (x, y) }
let h (xs: 'a list) (g: 'a -> ValueTask<'b>) = co {
    let ys = ResizeArray()
    for x in xs do
        let! y = g x
        ys.Add y
    return ys
}
let k (x: 'a) = co { return x }
let l () = co { let! x = k 1 in let! y = k "" in return x + y.Length }
let inline m x = co { let! y = k x in return y + LanguagePrimitives.GenericOne }
let n () = co { let! x = m 1 in let! y = m 1.0 in return float x + y }"""

        "members and classes",
        """type Store<'k, 'v when 'k: equality and 'k: not null>(load: 'k -> Task<'v>) =
    let known = Dictionary<'k, 'v>()
    member _.Get key = co {
        match known.TryGetValue key with
        | true, value -> return value
        | false, _ ->
            let! value = load key
            known[key] <- value
            return value
    }
    member this.Both first second = co {
        let! a = this.Get first
        let! b = this.Get second
        return a, b
    }
    static member Make() = co { return Store<'k, 'v>(fun _ -> Task.FromResult Unchecked.defaultof<'v>) }"""

        "a let rec around",
        """let f n =
    let rec down n = co {
        if n = 0 then
            return 0
        else
            let! below = down (n - 1)
            return below + 1
    }
    down n
let rec even n = co { if n = 0 then return true else return! odd (n - 1) }
and odd n = co { if n = 0 then return false else return! even (n - 1) }"""

        "loops over everything",
        """let f (a: int[]) (l: int list) (r: ResizeArray<int>) (s: seq<int>) (d: Dictionary<int, int>) (t: IAsyncEnumerable<int>) (m: Map<int, int>) (w: Set<int>) = co {
    for x in a do do! Task.Delay x
    for x in l do do! Task.Delay x
    for x in r do do! Task.Delay x
    for x in s do do! Task.Delay x
    for KeyValue(k, v) in d do do! Task.Delay(k + v)
    for KeyValue(k, v) in m do do! Task.Delay(k + v)
    for x in w do do! Task.Delay x
    for x in t do do! Task.Delay x
    for x in Range(1, 4) do do! Task.Delay x
    for x in 1..3 do do! Task.Delay x
    for x in 10 .. -2 .. 0 do do! Task.Delay x
    for x in [ 1; 2 ] do do! Task.Delay x
    for x in [| for i in 1..3 -> i |] do do! Task.Delay x
    for x in seq { 1..3 } do do! Task.Delay x
    for x in Seq.map (fun x -> x + 1) l do do! Task.Delay x
    for x = 1 to 3 do do! Task.Delay x
    for x = 3 downto 1 do do! Task.Delay x
    while Environment.HasShutdownStarted do do! Task.Yield()
}"""

        "while! and match!",
        """let f (t: unit -> Task<bool>) (v: unit -> ValueTask<bool>) (s: unit -> Strand<int option>) (a: Async<Result<int, string>>) = co {
    let mutable n = 0
    while! t () do
        n <- n + 1
    while! v () do
        do! Task.Yield()
    match! s () with
    | Some 1 -> return "one"
    | Some n when n > 5 -> return string n
    | _ ->
        match! a with
        | Ok n -> return string n
        | Error e -> return e
}"""

        "and! of two to six of mixed kinds",
        """let f (t: Task<int>) (v: ValueTask<int>) (s: Strand<int>) (a: Async<int>) (u: Task) (w: ValueTask) = co {
    let! a1 = t
    and! a2 = v
    let! b1 = s
    and! b2 = t
    and! b3 = a
    let! c1 = v
    and! c2 = t
    and! () = u
    and! c4 = s
    let! d1 = t
    and! d2 = t
    and! () = w
    and! d4 = a
    and! d5 = v
    let! e1 = a
    and! e2 = v
    and! e3 = s
    and! () = u
    and! () = w
    and! e6 = t.ConfigureAwait false
    return a1 + a2 + b1 + b2 + b3 + c1 + c2 + c4 + d1 + d2 + d4 + d5 + e1 + e2 + e3 + e6
}"""

        "patterns in and!",
        """let f (t: Task<int * string>) (v: ValueTask<struct (int * int)>) = co {
    let! a, b = t
    and! struct (c, _) = v
    return a + b.Length + c
}"""

        "nested try, with and finally",
        """let f (t: Task<int option>) (u: Task) = co {
    try
        try
            match! t with
            | Some 1 -> return "one"
            | Some n -> return string n
            | None -> return! co { return "none" }
        with
        | :? ArgumentException as e -> return e.Message
        | e when e.Message = "" -> return "empty"
        | e ->
            do! u
            return! co { return e.Message }
    finally
        ignore t
}
let g (u: Task) = co {
    try
        try
            do! u
        finally
            ignore u
    with _ ->
        try
            do! u
        with
        | Failure text -> do! Task.Delay text.Length
        | _ -> raise (InvalidOperationException())
}"""

        "exceptions raised",
        """let f c = co {
    if c then failwith "no"
    if c then invalidArg "c" "no"
    return 1
}
let g () = co { return raise (NotSupportedException()) }
let h () = co { do! failwith "no" }
let k c = co { if c then return 1 else return failwith "no" }"""

        "big records over awaits",
        """type Big = { A: int; B: string; C: decimal; D: DateTime; E: Guid; F: int64; G: Big option; H: Map<int, string>; I: float; J: byte[] }
let f (t: Task<Big>) (pairs: (int * string) list) = co {
    let mutable sum = 0
    let! big = t
    for number, text in pairs do
        let! n = Task.FromResult number
        sum <- sum + n + text.Length + big.A
    let a, b = sum, { big with B = ""; G = Some big }
    do! Task.Yield()
    let { A = c; B = d; G = e } = b
    let! other = t
    return { other with A = a + c; B = d + b.B; G = e }
}
let g (t: Task<string>) = co {
    let! b = t
    let! j = Task.FromResult [| 1uy |]
    return { A = 1; B = b; C = 1m; D = DateTime.Now; E = Guid.Empty; F = 1L; G = None; H = Map.empty; I = 1.; J = j }
}"""

        "tuple patterns in for",
        """let f (xs: (int * string) list) (ys: struct (int * int)[]) (zs: seq<int * (string * int)>) = co {
    for a, b in xs do do! Task.Delay(a + b.Length)
    for struct (a, b) in ys do do! Task.Delay(a + b)
    for a, (b, c) in zs do do! Task.Delay(a + b.Length + c)
    for a, _ in xs do
        for _, (b, _) in zs do
            let! _ = Task.FromResult(a, b)
            ()
    for i, (a, b) in List.indexed xs do do! Task.Delay(i + a + b.Length)
}"""

        "a nested match",
        """type Shape = Dot | Line of int | Box of int * int
let f (a: Shape) (b: Shape option) (t: Task<Shape>) = co {
    match a, b with
    | Dot, None -> return 0
    | Line n, Some(Line m) when n = m ->
        match! t with
        | Dot -> return 1
        | Line k ->
            match k, n with
            | 0, _ | _, 0 ->
                let! x = t
                match x with
                | Box(w, h) -> return w * h
                | _ -> return 2
            | _ -> return! co { return k }
        | Box _ -> return 3
    | _, Some(Box(w, _) | Line w) ->
        do! Task.Delay w
        return w
    | _ -> return -1
}
let g (xs: int list) (t: Task<int>) = co {
    match xs with
    | [] -> return 0
    | [ x ] -> return x
    | x :: (y :: _ as rest) ->
        let! n = t
        return x + y + n + rest.Length
}
let h (t: Task) = co {
    let x =
        match Environment.ProcessId with
        | 1 -> "a"
        | _ -> "b"
    if x = "a" then
        do! t
    elif x = "b" then
        do! Task.Yield()
    match x with
    | "a" -> do! t
    | _ -> ()
}"""

        "active patterns and functions as match",
        """let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd
let (|Short|_|) (s: string) = if s.Length < 3 then Some s.Length else None
let f = function
    | Even -> co { return 1 }
    | Odd -> co { return 2 }
let g (t: Task<string>) = co {
    match! t with
    | Short n -> return n
    | text -> return text.Length
}"""

        "a builder handed on by let",
        """let mine = BUILDER
let f p = mine { let! x = p in return x }
let g (t: Task<int>) = mine {
    let! x = t
    and! y = ValueTask<int> 1
    for z in [ x; y ] do do! Task.Delay z
    return x
}"""

        "values of a module",
        """let done' = co { return 1 }
let waits = co {
    let! x = Task.FromResult 1
    for y in [ x; 2 ] do do! Task.Delay y
    return x
}
let pair = co { return 1 }, co { return "" }"""

        "nested expressions and lambdas",
        """let f (xs: int list) = co {
    let each x = co {
        do! Task.Yield()
        return x + 1
    }
    let! a = each 1
    let work = xs |> List.map (fun x -> co { let! y = each x in return x * y })
    for one in work do
        let! _ = one
        ()
    let! b = co {
        let! c = co { return a }
        return c + 1
    }
    return a + b
}
let g (run: (unit -> _) -> int) = run (fun () -> co { return "" })"""

        "mutable locals and closures over bound values",
        """let f (t: Task<int>) = co {
    let mutable total = 0
    let! a = t
    total <- total + a
    let add = fun x -> x + a
    let! b = Task.FromResult(add 1)
    total <- total + b
    let cell = ref 0
    cell.Value <- total
    do! Task.Yield()
    return cell.Value + add total
}"""

        "anonymous records, options and units of measure",
        """[<Measure>] type m
let f (t: Task<{| Name: string; Length: int<m> |}>) (v: ValueTask<int voption>) = co {
    let! r = t
    match! v with
    | ValueSome n -> return {| r with Count = n |}
    | ValueNone -> return {| r with Count = int r.Length |}
}"""

        "strings, nulls and nullable values",
        """let f (t: Task<string | null>) (v: ValueTask<Nullable<int>>) = co {
    match! t with
    | null -> return 0
    | text ->
        let! n = v
        return if n.HasValue then text.Length + n.Value else 0
}"""

        "nothing at all",
        """let a () = co { () }
let b () = co { return () }
let c x = co { ignore x }
let d () = co { let x = 1 in printf "%d" x }
let e (log: string -> unit) = co { log "" }"""
    ]

/// Code that ends in nothing.
let unvalued =
    [
        "a source of no type", "let f p = co { do! p }\nlet g p = co { return! p }"

        "a function of no type", "let f g = co { do! g () }\nlet h g x = co { do! g x }"

        "every kind of do!", (valued |> List.find (fun (name, _) -> name = "every kind of do!") |> snd)

        "every kind of return!",
        """let a (x: Task<unit>) = co { return! x }
let b (x: ValueTask<unit>) = co { return! x }
let c (x: Async<unit>) = co { return! x }
let d (x: Strand<unit>) = co { return! x }
let e (x: Task) = co { return! x }
let f (x: ValueTask) = co { return! x }
let g (x: Task) = co { return! x.ConfigureAwait false }
let h (x: unit -> Task<unit>) = co { return! x }"""

        "a condition with an await and no else",
        """let f c (t: Task) (v: ValueTask) (u: Task<unit>) (a: Async<unit>) (s: Strand<unit>) = co {
    if c then do! t
    if c then do! v
    if c then do! u
    if c then do! a
    if c then do! s
    if c then return! t
}"""

        "null of no type under use", "let f () = co { use x = null in return () }"

        "loops over everything",
        (valued |> List.find (fun (name, _) -> name = "loops over everything") |> snd)

        "tuple patterns in for",
        (valued |> List.find (fun (name, _) -> name = "tuple patterns in for") |> snd)

        "and! of mixed kinds",
        """let f (t: Task<int>) (v: ValueTask) (s: Strand<int>) (a: Async<unit>) (u: Task) = co {
    let! x = t
    and! () = v
    and! y = s
    and! () = a
    and! () = u
    do! Task.Delay(x + y)
}"""

        "nested try, with and finally",
        """let f (u: Task) (d: unit -> IAsyncDisposable) = co {
    try
        use _d = d ()
        try
            do! u
        with :? ArgumentException ->
            do! Task.Yield()
    finally
        ignore u
}"""

        "a let rec around",
        """let f n =
    let rec down n = co { if n > 0 then do! down (n - 1) }
    down n"""

        "match! and while!",
        """let f (t: unit -> Task<bool>) (o: Strand<int option>) = co {
    while! t () do
        do! Task.Yield()
    match! o with
    | Some n -> do! Task.Delay n
    | None -> ()
}"""

        "nothing at all",
        "let a () = co { () }\nlet b () = co { return () }\nlet c x = co { ignore x }\nlet value = co { do! Task.Yield() }"
    ]
