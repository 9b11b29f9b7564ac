// What was written, read back: the results inside a page, the intervals of a log.
module Plait.Tests.Support.ReadBack

open System

open Plait.Load.Hlog

/// What stands before the results in a page.
let opening = """<script type="application/json" id="plait-results">"""

/// The results inside a page, as a browser would find them: up to the first end tag.
let page (page: string) : string =
    let start = page.IndexOf(opening, StringComparison.Ordinal) + opening.Length
    page.Substring(start, page.IndexOf("</script", start, StringComparison.OrdinalIgnoreCase) - start)

/// All intervals of a log.
let log (file: string) (unit: int64) (text: string) : Interval list * About =
    let intervals = ResizeArray<Interval>()
    let about = scan file unit text intervals.Add
    List.ofSeq intervals, about
