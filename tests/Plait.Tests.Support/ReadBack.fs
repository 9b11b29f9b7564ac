// The results inside a page, read back.
module Plait.Tests.Support.ReadBack

open System

/// The tag before the results in a page.
let opening = """<script type="application/json" id="plait-results">"""

/// The results inside a page, as a browser would find them: up to the first end tag.
let page (page: string) : string =
    let start = page.IndexOf(opening, StringComparison.Ordinal) + opening.Length
    page.Substring(start, page.IndexOf("</script", start, StringComparison.OrdinalIgnoreCase) - start)
