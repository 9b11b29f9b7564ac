// What worlds are made of: threads that do a few acts each, and every way to share a handful of acts between them.
module Plait.Explorer.Worlds

open System.Threading

let must (holds: bool) (message: string) =
    if not holds then
        raise (Broken message)

/// Stands in for a waiter's home: what is posted runs at once, so that nothing leaves the schedule.
[<Sealed>]
type Inline() =
    inherit SynchronizationContext()
    override _.Post(callback, state) = callback.Invoke state

let private home = Inline()

/// A thread whose waiters are called where it is.
let atHome (body: unit -> unit) () =
    SynchronizationContext.SetSynchronizationContext home
    body ()

/// A thread without a context: its waiters go through the thread pool of the world.
let homeless (body: unit -> unit) () =
    SynchronizationContext.SetSynchronizationContext null
    body ()

/// Every order of every choice of `length` acts, none more often than allowed.
let rec words (allowed: ('Act * int) list) (length: int) : 'Act list list =
    if length = 0 then
        [ [] ]
    else
        [
            for act, times in allowed do
                if times > 0 then
                    let left =
                        allowed
                        |> List.map (fun (other, times) -> other, (if other = act then times - 1 else times))

                    for rest in words left (length - 1) do
                        act :: rest
        ]

/// Every way to share up to `length` acts between two threads, each in an order of its own. Which thread is the first does
/// not matter.
let splits (allowed: ('Act * int) list) (length: int) : ('Act list * 'Act list) list =
    [
        for total in 2..length do
            for word in words allowed total do
                for cut in 1 .. total / 2 do
                    let first, second = List.splitAt cut word

                    if 2 * cut < total || first <= second then
                        first, second
    ]
