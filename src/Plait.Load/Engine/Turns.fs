// What is asked in turn: requests that are ready to be sent, and where each goes. For the one thread of the engine.
namespace Plait.Load


open System

/// The requests of a plan.
[<Sealed>]
type internal Turns(plan: Plan) =
    let asks = List.toArray plan.Asks

    let destinationOf (ask: Ask) =
        ask.Url.Scheme, ask.Url.DnsSafeHost, ask.Url.Port

    let keys = asks |> Array.map destinationOf |> Array.distinct

    let destinations =
        [|
            for key in keys do
                let ask = asks |> Array.find (fun ask -> destinationOf ask = key)

                {
                    EndPoint = Resolve.address ask.Url
                    Host = ask.Url.DnsSafeHost
                    IsTls = ask.Url.Scheme = Uri.UriSchemeHttps
                    Insecure = plan.Insecure
                }
        |]

    let prepared =
        asks |> Array.map (fun ask -> { Bytes = Resolve.bytes ask; IsHead = ask.Method = "HEAD" })

    let destinationOfAsk =
        asks |> Array.map (fun ask -> Array.IndexOf(keys, destinationOf ask))

    let mutable turn = 0

    /// Every destination, once.
    member _.Destinations = destinations

    /// Where the request that is next in turn goes, as an index.
    member _.Destination = destinationOfAsk[turn]

    /// Takes the request that is next in turn.
    member _.Take() : Prepared =
        let request = prepared[turn]
        turn <- if turn + 1 = prepared.Length then 0 else turn + 1
        request
