// The page: one HTML file that works offline. Its template is built from TypeScript and embedded in this assembly;
// the results are put inside it, with the panels of their rows.
module Plait.Report.Page

open System.IO
open System.Reflection
open Plait.Common

/// The text of the template that the results replace.
let marker = "<!--PLAIT-RESULTS-->"

/// The template with the results inside, as a script element of type application/json with the id plait-results.
/// Nothing in the results can end that element or open a comment. Raises RunFailed when the template has no marker.
let fill (template: string) (results: Results) : string =
    if not (template.Contains marker) then
        raise (RunFailed $"the page's template has no {marker}, so the page was not written; build it again")

    template.Replace(
        marker,
        $"""<script type="application/json" id="plait-results">{ResultsJson.writeForScript (RowPanels.addTo results)}</script>"""
    )

/// The embedded template; None in a build that was made without it.
let template () : string option =
    match Assembly.GetExecutingAssembly().GetManifestResourceStream "page.html" with
    | null -> None
    | stream ->
        use reader = new StreamReader(stream)
        Some(reader.ReadToEnd())

/// Writes the page to `file`. Raises RunFailed in a build that has no template.
let write (file: string) (results: Results) : unit =
    match template () with
    | Some template -> Files.put file (fill template results)
    | None ->
        raise (
            RunFailed
                "this build of the tool holds no page (src/Plait.Report/web was not built before it), so page.html was not written; run 'make build'"
        )
