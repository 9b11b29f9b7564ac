// The card service's data, delays and failures: all of it comes from a seed, an index and the time.
module Plait.Lab.Tests.CardDecks

open System
open System.Text.Json
open Xunit

open Plait.Lab.Cards

[<Theory; InlineData 1; InlineData 2; InlineData 4711; InlineData 0>]
let ``a deck has 151 names, each with one to three cards`` (seed: int) =
    let names = [ for number in 0 .. Deck.size - 1 -> Deck.name seed number ]
    Assert.Equal(151, (List.distinct names).Length)

    for number in 0 .. Deck.size - 1 do
        let cards = Deck.cards seed number
        Assert.InRange(cards.Length, 1, 3)
        Assert.All(cards, (fun card -> Assert.Equal(Deck.name seed number, card.Name)))

    let ids =
        [
            for number in 0 .. Deck.size - 1 do
                for card in Deck.cards seed number -> card.Id
        ]

    Assert.Equal(ids.Length, (List.distinct ids).Length)

[<Fact>]
let ``the same seed makes the same deck, and another seed a different one`` () =
    let deck seed =
        [ for number in 0 .. Deck.size - 1 -> Deck.cards seed number ]

    Assert.Equal<StoredCard list list>(deck 3, deck 3)
    Assert.NotEqual<StoredCard list list>(deck 3, deck 4)

[<Theory; InlineData 1; InlineData 99>]
let ``the name that is asked for has three cards, and the service sends one too many`` (seed: int) =
    let number = Deck.subject seed
    let expected = Deck.expectedBody seed number
    use sent = JsonDocument.Parse(ReadOnlyMemory(Deck.upstreamBody seed number))
    use wanted = JsonDocument.Parse expected
    Assert.Equal(3, wanted.RootElement.GetArrayLength())
    Assert.Equal(4, sent.RootElement.GetProperty("cards").GetArrayLength())
    Assert.DoesNotContain("Prime", expected)

/// Texts, and the delays that they are.
let private readable =
    [
        "none", Immediate
        "constant:2.5ms", Constant 2.5
        "log-normal:2ms:0.5", LogNormal(2.0, 0.5)
        "stall:1000ms:10000ms", Stall(1000.0, 10000.0)
    ]

[<Fact>]
let ``the text of a delay parses back to the same delay`` () =
    for text, delay in readable do
        Assert.Equal(Some delay, Delay.parse text)
        Assert.Equal(text, Delay.show delay)

[<Theory>]
[<InlineData "">]
[<InlineData "constant">]
[<InlineData "constant:-1ms">]
[<InlineData "constant:2">]
[<InlineData "constant:2s">]
[<InlineData "constant:5001ms">]
[<InlineData "constant:1ms:2ms">]
[<InlineData "log-normal:2ms">]
[<InlineData "log-normal:2ms:9">]
[<InlineData "stall:100ms:100ms">]
[<InlineData "stall:100ms">]
[<InlineData "slow">]
let ``a text that is no delay does not parse`` (text: string) = Assert.Equal(None, Delay.parse text)

[<Fact>]
let ``a stall delays the requests that arrive during it, and no others`` () =
    let wait (milliseconds: float) =
        (Delay.wait (Stall(300.0, 1000.0)) 1 0L (TimeSpan.FromMilliseconds milliseconds)).TotalMilliseconds

    Assert.Equal(0.0, wait 0.0)
    Assert.Equal(0.0, wait 699.0)
    Assert.Equal(300.0, wait 700.0, 6)
    Assert.Equal(1.0, wait 999.0, 6)
    Assert.Equal(0.0, wait 1000.0)
    Assert.Equal(100.0, wait 2900.0, 6)

[<Fact>]
let ``log-normal delays have their median, their spread, and are drawn from the seed`` () =
    let drawn seed =
        [|
            for index in 0L .. 9999L ->
                (Delay.wait (LogNormal(2.0, 0.5)) seed index TimeSpan.Zero).TotalMilliseconds
        |]

    let sorted = Array.sort (drawn 1)
    Assert.InRange(sorted[5000], 1.9, 2.1)
    // one deviation of the logarithm up: 2 * e^0.5
    Assert.InRange(sorted[8413], 3.1, 3.5)
    Assert.Equal<float[]>(drawn 7, drawn 7)
    Assert.NotEqual<float[]>(drawn 7, drawn 8)

[<Fact>]
let ``failures have their share, and are drawn from the seed`` () =
    let drawn seed =
        [| for index in 0L .. 9999L -> Delay.fails 0.1 seed index |]

    Assert.InRange(drawn 1 |> Array.filter id |> Array.length, 900, 1100)
    Assert.Equal<bool[]>(drawn 5, drawn 5)
    Assert.NotEqual<bool[]>(drawn 5, drawn 6)
    Assert.DoesNotContain(true, [| for index in 0L .. 999L -> Delay.fails 0.0 1 index |])
