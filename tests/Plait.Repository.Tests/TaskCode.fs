// Code as it is written for FSharp.Core's `task`, and the types that its functions come to have: a builder of the same name that
// is opened in its place gives the same types.
module Plait.Repository.Tests.TaskCode

open Mono.Cecil

/// Code as it is written for FSharp.Core's `task`.
let snippets =
    [
        "a sequence of no type",
        """let f xs = co { for x in xs do do! Task.Delay(x: int) }
let g xs g = co { for x in xs do do! g x }
let h xs = co {
    let mutable sum = 0
    for x in xs do
        let! y = Task.FromResult x
        sum <- sum + y
    return sum
}
let i xss = co { for xs in xss do for x in xs do printf "%d" x }
let k xs = co { for a, b in xs do do! Task.Delay(a + b + 1) }
let l map = co { for KeyValue(k, v) in map do do! Task.Delay(k + v + 1) }"""

        "a tuple out of a task",
        """let f t = co { let! (a, b) = t in return a + b }
let g t = co { let! struct (a, b) = t in return a + b }
let h t = co { let! a, (b, _) = t in return a - b }
let i (t: Task<int * string>) = co { let! a, b = t in return b.Length + a }"""

        "a source of no type",
        """let f p = co { let! x = p in return x }
let g p = co { return! p }
let h p = co { do! p }
let i g = co { do! g () }
let j g x = co { let! y = g x in return! g y }
let k p = co { match! p with Some x -> return x | None -> return 0 }
let l p = co { while! p () do () }
let m p = co { use! x = p in return (x: Resource).Size }
let n p q = co { if p then do! q }
let o p = co { let! _ = p in () }
let q () = co { let! x = Unchecked.defaultof<_> in return x + 1 }"""

        "asyncs",
        """let f (a: Async<int>) = co { let! x = a in return x }
let g (a: Async<int>) = co { return! a }
let h (a: Async<unit>) = co { do! a }
let i () = co { do! Async.Sleep 1 }
let j (a: Async<int option>) = co { match! a with Some x -> return x | None -> return 0 }
let k () = co { let! x = async { return 1 } in return x + 1 }
let l (a: Async<int>) = co { let! x = Async.StartAsTask a in return x }
let m (a: Async<Resource>) = co { use! r = a in return r.Size }"""

        "awaitables by shape",
        """let a (x: ValueTask<int>) = co { let! y = x in return y }
let b (x: ValueTask) = co { do! x }
let c (x: Task<int>) = co { let! y = x.ConfigureAwait false in return y }
let d (x: Task) = co { do! x.ConfigureAwait false }
let e (x: ValueTask<int>) = co { return! x.ConfigureAwait false }
let f () = co { do! Task.Yield() }
let g (x: StructAwaitable<int>) = co { let! y = x in return y }
let h (x: ClassAwaitable<string>) = co { return! x }
let i (x: Task<Task<int>>) = co { let! y = x in return! y }
let j (x: Task<int>) = co { let! y = x.ConfigureAwait ConfigureAwaitOptions.ForceYielding in return y }
let inline k (x: ^t) = co { let! y = (^t: (member Get: unit -> Task<int>) x) in return y }"""

        "and! of every pair",
        """let a (x: Task<int>) (y: Task<string>) = co {
    let! x = x
    and! y = y
    return x + y.Length
}
let b (x: Task<int>) (y: ValueTask<string>) = co {
    let! x = x
    and! y = y
    return x + y.Length
}
let c (x: Async<int>) (y: Task<string>) = co {
    let! x = x
    and! y = y
    return x + y.Length
}
let d (x: Async<int>) (y: Async<int>) (z: Async<int>) = co {
    let! x = x
    and! y = y
    and! z = z
    return x + y + z
}
let e (x: Task<int>) (y: Task<int>) (z: Task<int>) (w: Task<int>) = co {
    let! x = x
    and! y = y
    and! z = z
    and! w = w
    return x + y + z + w
}"""

        "every statement",
        """let a c = co { if c then return 1 else return 2 }
let b (t: Task) = co {
    try
        do! t
        return 1
    with
    | :? ArgumentException -> return 2
    | e when e.Message = "" -> return 3
}
let c (t: Task) = co {
    try
        do! t
    finally
        printf "end"
}
let d (r: Resource) (s: IO.Stream) (t: AsyncResource) = co {
    use r = r
    use _ = s
    use t = t
    do! Task.Yield()
    return r.Size + t.Size
}
let f (xs: int[]) (ys: int list) (zs: ResizeArray<int>) (d: Dictionary<int, int>) = co {
    for x in xs do do! Task.Delay x
    for y in ys do do! Task.Delay y
    for z in zs do do! Task.Delay z
    for pair in d do do! Task.Delay pair.Key
    for i in 1..3 do do! Task.Delay i
    for i = 3 downto 1 do do! Task.Delay i
}
let g () = co { return () }
let h () = co { () }
let i () = co { failwith "no" }
let j () = co { return failwith "no" }
let k (g: unit -> bool) (t: Task) = co { while g () do do! t }
let l t = co { return! co { return! co { return! t } } }
let m (x: obj) = co {
    match x with
    | :? string as s -> return s
    | :? int as i -> return string i
    | _ -> return! Task.FromResult ""
}
let n (c: Threading.CancellationToken) = co { do! Task.Delay(1, c) }
let o = fun (x: int) -> co { return x }
let p = co { return 1 }"""

        "sources that take their type from around",
        """let a c (t: Task<int>) (u: Task<int>) = co { let! x = if c then t else u in return x }
let b c (t: Task) = co { do! (if c then t else Task.CompletedTask) }
let c () = co { let! x = failwith "no" in return x + 1 }
let d () = co { return! failwith "no" }
let e (ts: Task<int> list) = co { let! xs = Task.WhenAll ts in return Array.sum xs }
let f (ts: Task[]) = co { do! Task.WhenAll ts }
let g (t: Task<int>) (u: Task) = co { let! first = Task.WhenAny(t, u) in return! first }
let h (t: Task<int>) = co { let! (x: int) = t in return x }
let i (t: Task<int>) = co { let! x: int = t in return x }
let j () = co { return! Task.FromException<_>(exn "no") }
let k (t: Task<int>) = co { return! t |> Async.AwaitTask }
let l t = co { let! x = t |> Async.AwaitTask in return x + 1 }
let m (t: Lazy<Task<int>>) = co { return! t.Value }
let n (g: unit -> Task) = co { do! g () }
let o (t: obj) = co { let! x = t :?> Task<int> in return x }
let p (s: IO.Stream) (bytes: byte[]) = co { let! n = s.ReadAsync(bytes, 0, 1) in return n }
let q (s: IO.Stream) (bytes: byte[]) = co { let! n = s.ReadAsync(bytes.AsMemory()) in return n }
let r (w: IO.TextWriter) = co { do! w.WriteLineAsync "" }
let s (l: Threading.SemaphoreSlim) = co {
    do! l.WaitAsync()
    try
        return 1
    finally
        l.Release() |> ignore
}
let t (c: Threading.Channels.ChannelReader<int>) = co {
    let mutable more = true
    while more do
        let! ready = c.WaitToReadAsync()
        more <- ready
}
let u (c: TaskCompletionSource<int>) = co { return! c.Task }"""

        "sequences and resources that are several things",
        """type Both() =
    interface seq<int> with
        member _.GetEnumerator() : IEnumerator<int> = (Seq.empty<int>).GetEnumerator()
        member _.GetEnumerator() : Collections.IEnumerator = (Seq.empty<int> :> Collections.IEnumerable).GetEnumerator()
    interface IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator _ = Unchecked.defaultof<IAsyncEnumerator<int>>
let a (xs: Both) = co { for x in xs do do! Task.Delay x }
let b (text: string) (xs: HashSet<int>) (ys: IReadOnlyList<int>) = co {
    for c in text do do! Task.Delay(int c)
    for x in xs do do! Task.Delay x
    for y in ys do do! Task.Delay y
}
let c (xs: ResizeArray<int>) (t: Threading.CancellationTokenRegistration) (b: BothResource) = co {
    use e = xs.GetEnumerator()
    use _t = t
    use _b = b
    do! Task.Yield()
    return e.Current
}
let d (pairs: (int * Task<int>) list) = co {
    for key, t in pairs do
        let! value = t
        printf "%d" (key + value)
}"""

        "results that take their type from around",
        """let a () : Task<obj> = co { return "" }
let b () : Task<int64> = co { return 1 }
let c () : Task<seq<int>> = co { return [ 1 ] }
let d () : Task<int option> = co { return None }
let e (t: Task<int>) : Task<int> = co { return! t }
type Runner =
    static member Run(run: Func<Task<int>>) = run.Invoke()
let g () = Runner.Run(fun () -> co { return 1 })
let h () : Task = co { return () }
let i () : Task<IDisposable> = co { return new Resource() }
let k () = Task.Run<int>(fun () -> co { return 1 })
let l () = Task.Run(fun () -> co { do! Task.Yield() } : Task)
let m (ts: Task<int> list) = ts |> List.map (fun t -> co { let! x = t in return x + 1 }) |> Task.WhenAll
let n () = (co { return 1 }).Result
let q (xs: int list) = co { return xs |> List.sum } |> Async.AwaitTask
type I =
    abstract Get: int -> Task<string>
    abstract Do: unit -> Task
let r (t: Task<string>) =
    { new I with
        member _.Get n = co { let! x = t in return x + string n }
        member _.Do() = co { do! Task.Yield() } }"""

        "generic code",
        """let a (x: 'a) (g: 'a -> Task<'b>) = co { let! y = g x in return y }
let b (g: 'a -> Task<'b>) (xs: 'a list) = co {
    let out = ResizeArray()
    for x in xs do
        let! y = g x
        out.Add y
    return List.ofSeq out
}
let c f t = co { let! x = t in return f x }
let d f t = co { let! x = t in return! f x }
let rec e n = co { if n = 0 then return 0 else return! e (n - 1) }
let rec f g xs = co {
    match xs with
    | [] -> return []
    | x :: rest ->
        let! y = g x
        let! ys = f g rest
        return y :: ys
}
let lift t f = co {
    match! t with
    | Ok x ->
        let! y = f x
        return Ok y
    | Error e -> return Error e
}"""
    ]

/// Every function of the snippets with its type.
let functions (assembly: AssemblyDefinition) =
    [
        for kind in assembly.MainModule.GetType("Snippet").NestedTypes do
            if kind.Name.StartsWith "M_" then
                // not what the compiler lifted out of them
                for one in kind.Methods |> Seq.filter (fun one -> not (one.Name.Contains '@')) do
                    let type' = Names.arguments one + ": " + Names.show one.ReturnType
                    $"{kind.Name}.{one.Name}{Names.parameters one}{type'}"
    ]

/// Compares the functions of the snippets, compiled with FSharp.Core's `task` and with another.
let sameTypes (theirs: string list) (ours: string list) =
    Repository.none
        "The types differ; FSharp.Core's, then ours:"
        (List.except ours theirs @ List.except theirs ours)
