// Under test: `Pool`, against a plain model, over random sequences of calls. What is rented was returned and is nobody
// else's; the count is the model's; the bound is kept; a boxed value comes out once.
module Plait.Tests.PoolModel

open System
open System.Collections.Generic
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait

[<PoolSize 6; AllowNullLiteral>]
type Item() =
    member val Resets = 0 with get, set

    interface IResettable with
        member item.Reset() = item.Resets <- item.Resets + 1

type Call =
    | Rent
    /// Gives back the n-th that is held; a new one where none is.
    | Return of int

let private must (holds: bool) (message: string) =
    if not holds then
        failwith message

let private law (calls: Call list) =
    while not (isNull (Pool.TryRent<Item>())) do
        ()

    let capacity = Pool.Capacity<Item>()
    let held = List<Item>()
    // returned and not rented since; the ones that were let go of are still in here
    let away = HashSet<Item>(HashIdentity.Reference)
    let mutable count = 0

    for call in calls do
        match call with
        | Rent ->
            let mutable item = null

            if Pool.TryRent<Item>(&item) then
                must (count > 0) "The pool was empty and has given an object."
                must (away.Remove item) "An object was rented that had not been returned."
                held.Add item
                count <- count - 1
            else
                must (isNull item) "Nothing was rented, and it is an object."
                must (count = 0) $"The pool has {count} objects and gave none."
        | Return n ->
            let item =
                if held.Count = 0 then
                    Item()
                else
                    let item = held[n % held.Count]
                    held.RemoveAt(n % held.Count)
                    item

            let resets = item.Resets
            Pool.Return item
            must (item.Resets = resets + 1) "The object was not reset once."
            away.Add item |> ignore
            let now = Pool.Count<Item>()
            // full for this thread: its core's slot and the stack, whatever other cores keep
            let mayDrop =
                count >= capacity - Environment.ProcessorCount + 1 || count >= capacity

            must (now = count + 1 || (now = count && mayDrop)) $"{count} were kept, then {now}."
            count <- now

        must (Pool.Count<Item>() = count) $"The pool counts {Pool.Count<Item>()}, and has {count}."
        must (count <= capacity) "More is kept than may be."

    true

let private calls =
    Gen.frequency [ 2, Gen.constant Rent; 3, Gen.choose (0, 9) |> Gen.map Return ]
    |> Gen.listOf
    |> Arb.fromGen

let private config = Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize 60

[<Fact>]
let ``a pool answers as its model does`` () =
    Check.One(config, Prop.forAll calls law)

type BoxCall =
    | Box of int
    /// Takes out the n-th of all that were ever boxed.
    | Unbox of int

// a type of its own, so that nobody else boxes it
[<Struct>]
type Boxed = { Number: int }

let private boxLaw (calls: BoxCall list) =
    let boxes = List<struct (obj * int * bool)>()

    let fullNow (subject: obj) =
        boxes
        |> Seq.exists (fun struct (boxed, _, full) -> full && obj.ReferenceEquals(boxed, subject))

    for call in calls do
        match call with
        | Box number ->
            let boxed = Pool.Box { Number = number }
            must (not (fullNow boxed)) "Two values are in one object."
            boxes.Add(struct (boxed, number, true))
        | Unbox n when boxes.Count > 0 ->
            let at = n % boxes.Count
            let struct (boxed, number, full) = boxes[at]

            if full then
                must ((Pool.UnboxAndReturn<Boxed> boxed).Number = number) "Another value came out."
                boxes[at] <- struct (boxed, number, false)
            elif not (fullNow boxed) then
                let error =
                    Assert.Throws<InvalidOperationException>(fun () ->
                        Pool.UnboxAndReturn<Boxed> boxed |> ignore)

                Assert.Contains("docs/errors/unboxed-twice.md", error.Message)
        | Unbox _ -> ()

    // leaves none behind
    for struct (boxed, _, full) in boxes do
        if full then
            Pool.UnboxAndReturn<Boxed> boxed |> ignore

    true

let private boxCalls =
    Gen.frequency [ 1, Gen.choose (0, 99) |> Gen.map Box; 1, Gen.choose (0, 30) |> Gen.map Unbox ]
    |> Gen.listOf
    |> Arb.fromGen

[<Fact>]
let ``a boxed value is taken once, unchanged`` () =
    Check.One(config, Prop.forAll boxCalls boxLaw)

[<Fact>]
let ``a value that was taken out of its box is refused, and the box is pooled once`` () =
    let boxed = Pool.Box(TimeSpan.FromDays 1.)
    Assert.Equal(TimeSpan.FromDays 1., Pool.UnboxAndReturn<TimeSpan> boxed)

    Assert.Throws<InvalidOperationException>(fun () -> Pool.UnboxAndReturn<TimeSpan> boxed |> ignore)
    |> ignore

    let first = Pool.Box(TimeSpan.FromDays 2.)
    let second = Pool.Box(TimeSpan.FromDays 3.)
    Assert.NotSame(first, second)
    Assert.Equal(TimeSpan.FromDays 2., Pool.UnboxAndReturn<TimeSpan> first)
    Assert.Equal(TimeSpan.FromDays 3., Pool.UnboxAndReturn<TimeSpan> second)

[<AllowNullLiteral>]
type Unwilling() =
    interface IResettable with
        member _.Reset() =
            raise (FormatException "It does not want to.")

[<Fact>]
let ``an object whose reset fails is not kept, and the caller gets the failure`` () =
    let error = Assert.Throws<FormatException>(fun () -> Pool.Return(Unwilling()))
    Assert.Equal("It does not want to.", error.Message)
    Assert.Equal(0, Pool.Count<Unwilling>())
    Assert.Null(Pool.TryRent<Unwilling>())
