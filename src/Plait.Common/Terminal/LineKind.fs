// What a line for the terminal is, so that whoever prints it may colour it. Whoever makes lines knows no colours.
namespace Plait.Common

/// What a line is.
[<RequireQualifiedAccess>]
type LineKind =
    | Plain
    /// An answer, and headings.
    | Heading
    /// Something is better than it need be, or was mended.
    | Good
    /// Something is wrong.
    | Bad
    /// Something is perhaps wrong.
    | Doubtful
    /// What the reader may skip.
    | Faint
