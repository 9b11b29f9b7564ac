// The cards: 151 invented names with one to three cards each, all drawn from a seed.
namespace Plait.Lab.Cards

open System.Buffers
open System.Text
open System.Text.Json

/// A card as the service stores it.
type StoredCard =
    {
        /// Unique: the number of the name and of the card.
        Id: string
        Name: string
        Set: string
        Hp: int
        Rarity: string
    }

/// The cards of a seed.
module Deck =
    let private heads =
        [|
            "Bram"
            "Celu"
            "Dori"
            "Fenn"
            "Glim"
            "Hask"
            "Ivor"
            "Jolt"
            "Kell"
            "Lumi"
            "Mosk"
            "Nero"
            "Orba"
        |]

    let private tails =
        [| "bat"; "crest"; "drake"; "fin"; "gale"; "horn"; "kit"; "leaf"; "mite"; "puff"; "shell"; "wing" |]

    let private sets = [| "Base"; "Coast"; "Ember"; "Grove"; "Storm" |]
    let private rarities = [| "common"; "uncommon"; "rare" |]

    /// How many names there are.
    let size = 151

    /// The name with a number from 0, unique in its deck. Which name has which number is drawn from the seed.
    let name (seed: int) (number: int) : string =
        let count = heads.Length * tails.Length
        // 7 and the 156 combinations have no common divisor, so no two numbers meet
        let combination = (7 * number + Draw.whole count seed 1 0L) % count
        heads[combination % heads.Length] + tails[combination / heads.Length]

    /// The cards of the name with a number: one to three.
    let cards (seed: int) (number: int) : StoredCard list =
        [
            for index in 0 .. Draw.whole 3 seed 2 (int64 number) do
                let draw part limit =
                    Draw.whole limit seed part (int64 (4 * number + index))

                {
                    Id = $"{number + 1}-{index + 1}"
                    Name = name seed number
                    Set = sets[draw 3 sets.Length]
                    Hp = 30 + 10 * draw 4 12
                    Rarity = rarities[draw 5 rarities.Length]
                }
        ]

    /// The number of the name that runs ask for: the first one with three cards.
    let subject (seed: int) : int =
        seq { 0 .. size - 1 }
        |> Seq.tryFind (fun number -> (cards seed number).Length = 3)
        |> Option.defaultValue 0

    let private writeCard (writer: Utf8JsonWriter) (card: StoredCard) =
        writer.WriteStartObject()
        writer.WriteString("id", card.Id)
        writer.WriteString("name", card.Name)
        writer.WriteString("set", card.Set)
        writer.WriteNumber("hp", card.Hp)
        writer.WriteString("rarity", card.Rarity)
        writer.WriteEndObject()

    let private json (write: Utf8JsonWriter -> unit) : byte[] =
        let buffer = ArrayBufferWriter<byte>()
        use writer = new Utf8JsonWriter(buffer)
        write writer
        writer.Flush()
        buffer.WrittenSpan.ToArray()

    /// The answer of the service for a name: its cards, and one more whose name only begins like it, which the caller
    /// has to leave out.
    let upstreamBody (seed: int) (number: int) : byte[] =
        let own = cards seed number

        let other =
            { own.Head with Id = $"{number + 1}-0"; Name = own.Head.Name + " Prime" }

        json (fun writer ->
            writer.WriteStartObject()
            writer.WriteStartArray "cards"
            List.iter (writeCard writer) (own @ [ other ])
            writer.WriteEndArray()
            writer.WriteEndObject())

    /// The answer of a route for a name, byte for byte: its cards alone.
    let expectedBody (seed: int) (number: int) : string =
        json (fun writer ->
            writer.WriteStartArray()
            List.iter (writeCard writer) (cards seed number)
            writer.WriteEndArray())
        |> Encoding.UTF8.GetString
