// The cells and columns of a panel that is a table, as data. Names here are the names in results.json.
namespace Plait.Report

/// A cell of a table: a text or a number.
type Cell = { Text: string option; Number: float option }

/// A column of a table.
type Column =
    {
        Title: string
        /// Decimals of its numbers; None: texts.
        Digits: int option
        /// "better lower", "better higher" or "": whether the best of the column is marked.
        Better: string
    }

/// Making columns.
module Column =
    /// A column of texts.
    let words (title: string) : Column =
        { Title = title; Digits = None; Better = "" }

    /// A column of numbers with so many decimals.
    let figure (title: string) (digits: int) : Column =
        { Title = title; Digits = Some digits; Better = "" }

    /// The same, with the smallest marked as the best.
    let lessIsBetter (title: string) (digits: int) : Column =
        { figure title digits with Better = "better lower" }
