// The surface of Ply, by plain closures: a struct that is awaited once, and its builder.
namespace Ply

open System
open System.Threading.Tasks

[<Struct; NoEquality; NoComparison>]
type Ply<'u> =
    val private source: ValueTask<'u>
    new(source: ValueTask<'u>) = { source = source }
    new(value: 'u) = { source = ValueTask<'u> value }
    member ply.IsCompletedSuccessfully = ply.source.IsCompletedSuccessfully
    member ply.Result = ply.source.Result
    member ply.AsTask() = ply.source.AsTask()

type UplyBuilder() =
    member _.Return(value: 'u) = Ply<'u>(value)
    member _.ReturnFrom(ply: Ply<'u>) = ply
    member _.Zero() = Ply<unit>(())
    member _.Delay(body: unit -> Ply<'u>) = body
    member _.Run(body: unit -> Ply<'u>) = body ()

    member _.Bind(ply: Ply<'a>, rest: 'a -> Ply<'b>) : Ply<'b> =
        let next =
            ply
                .AsTask()
                .ContinueWith(Func<Task<'a>, Task<'b>>(fun finished -> (rest finished.Result).AsTask()))

        Ply<'b>(ValueTask<'b>(next.Unwrap()))

    member _.Bind(job: Task<'a>, rest: 'a -> Ply<'b>) : Ply<'b> =
        let next =
            job.ContinueWith(Func<Task<'a>, Task<'b>>(fun finished -> (rest finished.Result).AsTask()))

        Ply<'b>(ValueTask<'b>(next.Unwrap()))

    member builder.Combine(first: Ply<unit>, rest: unit -> Ply<'b>) = builder.Bind(first, rest)

    member builder.While(condition: unit -> bool, body: unit -> Ply<unit>) : Ply<unit> =
        if condition () then
            builder.Bind(body (), fun () -> builder.While(condition, body))
        else
            builder.Zero()

    member builder.For(items: seq<'a>, body: 'a -> Ply<unit>) : Ply<unit> =
        let items = List.ofSeq items

        match items with
        | [] -> builder.Zero()
        | first :: others -> builder.Bind(body first, fun () -> builder.For(others, body))

    member _.TryWith(body: unit -> Ply<'u>, handler: exn -> Ply<'u>) =
        try
            body ()
        with error ->
            handler error

[<AutoOpen>]
module Builders =
    let uply = UplyBuilder()

module Ply =
    /// The value, where it is there already. Consumes nothing.
    let trySync (ply: Ply<'u>) =
        if ply.IsCompletedSuccessfully then ValueSome ply.Result else ValueNone
