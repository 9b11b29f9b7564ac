// The kind of a line for the terminal, by which the printer chooses its colour. The code that makes lines has no
// colours.
namespace Plait.Common

/// The kind of a line.
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
    /// A line that the reader may skip.
    | Faint
