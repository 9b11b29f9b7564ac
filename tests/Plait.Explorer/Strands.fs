// Worlds of strand nodes. Owns what must hold of them: whoever waits is resumed once, behind the end of what it waits for,
// with its value; a second waiter is resumed once too, and finds out.
module Plait.Explorer.Strands

open System
open System.Collections.Generic

open Plait.Kernel
open Plait.Explorer.Worlds

/// A part of a strand: when the child has come, it ends with the child's value and one more.
[<Sealed; AllowNullLiteral>]
type internal Part() =
    inherit Node<int>()
    member val Steps = 0 with get, set

    override part.Step() =
        part.Steps <- part.Steps + 1

        try
            part.Complete(part.TakeChild<int>().Get() + 1)
        with error ->
            part.Finish error

/// What waits from outside.
[<Sealed; AllowNullLiteral>]
type internal Watcher(look: unit -> unit) =
    inherit Frame()
    member val Resumed = 0 with get, set
    override watcher.Action = Action(watcher.Resume)

    override watcher.Resume() =
        watcher.Resumed <- watcher.Resumed + 1
        look ()

/// What a thread does to a node: end it, wait for it, wait where it has its context, have a node follow it, read it.
type Act =
    | End
    | Attach
    | Notify
    | Follow
    | Read

/// `closed`: the node is a whole strand. `context`: threads have one to go back to.
let node (closed: bool) (context: bool) (threads: Act list list) () : World =
    let node = Part()

    if closed then
        node.Close()

    let watchers = List<Watcher>()
    let parents = List<struct (Part * Watcher)>()


    let read () =
        try
            must (node.Get() = 7) "The node had another value."
            true
        with :? InvalidOperationException ->
            false

    let act (what: Act) =
        match what with
        | End -> node.Complete 7
        | Read ->
            let ended = node.IsDone
            must (read () || not ended) "A node that is done was not to be read."
        | Follow ->
            let parent = Part()
            let watcher = Watcher ignore
            parents.Add(struct (parent, watcher))
            parent.Attach watcher
            parent.Follow node
        | Attach
        | Notify ->
            let watcher = Watcher(read >> ignore)
            watchers.Add watcher

            if what = Attach then node.Attach watcher else node.Notify watcher

    let waits =
        threads
        |> List.concat
        |> List.filter (fun act -> act <> End && act <> Read)
        |> List.length

    let check () =
        must (read ()) "The node has no value."

        for watcher in watchers do
            must (watcher.Resumed = 1) $"A waiter was resumed {watcher.Resumed} times."

        for struct (parent, watcher) in parents do
            must (parent.Steps = 1 && watcher.Resumed = 1) "A node that followed was not resumed once."
            must parent.IsDone "A node that followed is not done."

            // a second waiter may be told so
            must
                (waits > 1 && not (isNull parent.Error) || parent.Get() = 8)
                "A node that followed has another value."

    let home = if context then atHome else homeless

    {
        Threads = [| for acts in threads -> home (fun () -> List.iter act acts) |]
        Core = id
        HasPool = true
        Check = check
    }
