// The adapter library by itself, over a stand-in for the service: every way of writing it keeps the contract.
module Plait.Lab.Tests.CardAdapters

open System
open System.Collections.Generic
open System.Net
open System.Net.Http
open System.Reflection
open System.Text
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Lab.CardAdapter
open Plait.Lab.Cards
open Plait.Tests.Support

type private Answer = Result<IReadOnlyList<Card>, string>

/// A service that answers as it is told, and says whether its client was put away.
type private Service(answer: CancellationToken -> Task<HttpResponseMessage>) =
    inherit HttpMessageHandler()
    /// Whether it was disposed of with its client.
    member val IsDisposed = false with get, set
    override _.SendAsync(_, token) = answer token

    override this.Dispose(disposing) =
        this.IsDisposed <- true
        base.Dispose disposing

/// An adapter: a call of it, and its end.
type private Subject = { Get: string -> CancellationToken -> Task<Answer>; End: IDisposable }

let private byTask (make: HttpClient -> bool -> ICardAdapter) client owns =
    let adapter = make client owns
    { Get = (fun name token -> adapter.GetCards(name, token)); End = adapter }

let private byValueTask (make: HttpClient -> bool -> IValueCardAdapter) client owns =
    let adapter = make client owns
    { Get = (fun name token -> adapter.GetCards(name, token).AsTask()); End = adapter }

let private ways: (string * (HttpClient -> bool -> Subject)) list =
    [
        "async", byTask (fun client owns -> new AsyncAdapter(client, owns, Edge.StartAsTask))
        "async-immediate",
        byTask (fun client owns -> new AsyncAdapter(client, owns, Edge.StartImmediateAsTask))
        "task", byTask (fun client owns -> new TaskAdapter(client, owns))
        "strand", byTask (fun client owns -> new StrandAdapter(client, owns))
        "pooled-value-task", byValueTask (fun client owns -> new PooledAdapter(client, owns))
    ]

let names = TheoryData<string>(ways |> List.map fst)

let private over (answer: CancellationToken -> Task<HttpResponseMessage>) (name: string) =
    let service = new Service(answer)
    let client = new HttpClient(service, BaseAddress = Uri "http://cards.invalid/")
    service, client, (ways |> List.find (fun (other, _) -> other = name) |> snd) client

let private respond status (body: string) (_: CancellationToken) =
    Task.FromResult(
        new HttpResponseMessage(status, Content = new ByteArrayContent(Encoding.UTF8.GetBytes body))
    )

let private ask answer name =
    let _, _, make = over answer name
    Within.result name ((make false).Get (Deck.name 1 0) CancellationToken.None)

[<Theory; MemberData(nameof names)>]
let ``cards of exactly the name that was asked for are Ok`` (name: string) =
    let number = Deck.subject 1
    let body = Encoding.UTF8.GetString(Deck.upstreamBody 1 number)
    let _, _, make = over (respond HttpStatusCode.OK body) name

    match Within.result name ((make false).Get (Deck.name 1 number) CancellationToken.None) with
    | Ok cards ->
        Assert.Equal<(string * string * string * int * string) list>(
            [ for card in Deck.cards 1 number -> card.Id, card.Name, card.Set, card.Hp, card.Rarity ],
            [ for card in cards -> card.Id, card.Name, card.Set, card.Hp, card.Rarity ]
        )
    | Error sentence -> Assert.Fail sentence

/// What goes wrong, and the sentence for it.
let private troubles: (string * (CancellationToken -> Task<HttpResponseMessage>) * string) list =
    [
        "a status", respond HttpStatusCode.InternalServerError "", "the card service answered with status 500"
        "no JSON", respond HttpStatusCode.OK "<html>", "something else than cards"
        "other JSON", respond HttpStatusCode.OK """{"cats":[]}""", "something else than cards"
        "JSON of another shape",
        respond HttpStatusCode.OK """{"cards":[{"id":1}]}""",
        "something else than cards"
        "nobody there",
        (fun _ -> Task.FromException<HttpResponseMessage>(HttpRequestException "Connection refused")),
        "cannot be reached: Connection refused"
    ]

[<Theory; MemberData(nameof names)>]
let ``a failure is an Error with the same sentence in every way of waiting`` (name: string) =
    for what, answer, words in troubles do
        match ask answer name with
        | Error sentence -> Assert.Contains(words, sentence)
        | Ok _ -> Assert.Fail $"{what} was Ok."

[<Theory; MemberData(nameof names)>]
let ``a service that does not answer in time is an Error`` (name: string) =
    let never (token: CancellationToken) =
        task {
            do! Task.Delay(Timeout.Infinite, token)
            return new HttpResponseMessage()
        }

    let _, client, make = over never name
    client.Timeout <- TimeSpan.FromMilliseconds 30.

    match Within.result name ((make false).Get "any" CancellationToken.None) with
    | Error sentence -> Assert.Contains("did not answer in time", sentence)
    | Ok _ -> Assert.Fail "It was Ok."

[<Theory; MemberData(nameof names)>]
let ``cancelling cancels the task`` (name: string) =
    let reached = new TaskCompletionSource()

    let never (token: CancellationToken) =
        task {
            reached.TrySetResult() |> ignore
            do! Task.Delay(Timeout.Infinite, token)
            return new HttpResponseMessage()
        }

    let _, _, make = over never name
    use stop = new CancellationTokenSource()
    let running = (make false).Get "any" stop.Token
    Within.result "the request" (task { do! reached.Task })
    stop.Cancel()
    Within.comes "the end of the task" (fun () -> running.IsCompleted)
    Assert.True(running.IsCanceled, $"{running.Status}")

[<Theory; MemberData(nameof names)>]
let ``disposing an adapter disposes the client that it made`` (name: string) =
    for owns in [ true; false ] do
        let service, _, make = over (respond HttpStatusCode.OK "{}") name
        (make owns).End.Dispose()
        Assert.Equal(owns, service.IsDisposed)

[<Theory; InlineData(typeof<ICardAdapter>); InlineData(typeof<IValueCardAdapter>)>]
let ``to C# the token is optional and nothing is nullable`` (contract: Type) =
    let call = nonNull (contract.GetMethod "GetCards")
    let name, token = call.GetParameters()[0], call.GetParameters()[1]
    Assert.True token.IsOptional
    Assert.Equal(typeof<CancellationToken>, token.ParameterType)
    let nullability = NullabilityInfoContext()
    Assert.Equal(NullabilityState.NotNull, (nullability.Create name).ReadState)
    let result = nullability.Create(call.ReturnParameter)
    Assert.Equal(NullabilityState.NotNull, result.GenericTypeArguments[0].GenericTypeArguments[1].ReadState)
    Assert.Equal(typeof<Answer>, call.ReturnType.GetGenericArguments()[0])

[<Fact>]
let ``a result is taken apart by functions, by actions and by outs`` () =
    let ok: Result<int, string> = Ok 3
    let error: Result<int, string> = Error "no"

    let matched (result: Result<int, string>) =
        result.Match((fun value -> $"{value}"), (fun reason -> reason))

    Assert.Equal(("3", "no"), (matched ok, matched error))

    let switched (result: Result<int, string>) =
        let mutable seen = ""
        result.Switch((fun value -> seen <- $"{value}"), (fun reason -> seen <- reason))
        seen

    Assert.Equal(("3", "no"), (switched ok, switched error))
    let mutable value = 0
    let mutable reason = ""
    Assert.True(ok.TryGet(&value, &reason))
    Assert.Equal(3, value)
    Assert.False(error.TryGet(&value, &reason))
    Assert.Equal("no", reason)
