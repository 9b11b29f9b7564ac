// The data of the library.
namespace Plait.Lab.CardAdapter

/// A card.
type Card =
    {
        /// Unique over all cards.
        Id: string
        /// The name that it is found by.
        Name: string
        /// The set that it belongs to.
        Set: string
        /// Its hit points.
        Hp: int
        /// "common", "uncommon" or "rare".
        Rarity: string
    }
