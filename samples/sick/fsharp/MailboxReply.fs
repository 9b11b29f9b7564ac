// PostAndReply to an agent: every caller holds a thread until the agent, which needs one too, has come to its message. Ask with
// `let! reserved = agent.PostAndAsyncReply(...)`.
// doctor: STARVED mailbox
// function: Stock.reserve
module Sick.Stock

open System.Runtime.CompilerServices

type Request = Reserve of order: int * AsyncReplyChannel<bool>

let private keeper () =
    MailboxProcessor.Start(fun inbox ->
        async {
            while true do
                let! (Reserve(order, reply)) = inbox.Receive()
                do! Async.Sleep 50
                reply.Reply(order % 7 > 0)
        })

// the compiler would move a function as small as this into its caller, and its line with it
[<MethodImpl(MethodImplOptions.NoInlining)>]
let reserve (agent: MailboxProcessor<Request>) (order: int) =
    let reserved = agent.PostAndReply(fun reply -> Reserve(order, reply)) // blamed
    if reserved then "reserved" else "sold out"

/// The answer is bound.
let cured (agent: MailboxProcessor<Request>) (order: int) =
    async {
        let! reserved = agent.PostAndAsyncReply(fun reply -> Reserve(order, reply))
        return if reserved then "reserved" else "sold out"
    }

let start () =
    let agent = keeper ()
    Load.backlog (reserve agent >> ignore)
