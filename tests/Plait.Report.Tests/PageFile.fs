// The page: results stand inside a script element, and nothing in them can end it or open a comment.
module Plait.Report.Tests.PageFile

open System
open Xunit

open Plait.Common
open Plait.Report
open Plait.Tests.Support

let private template =
    $"<!doctype html><body>{Page.marker}<script>page();</script></body>"

[<Fact>]
let ``with any texts the page has the results and no other change`` () =
    Laws.forEach 150 RandomResults.results (fun results ->
        let page = Page.fill template results
        let inside = ReadBack.page page

        ResultsJson.read "page" inside = RowPanels.addTo results
        && inside.IndexOfAny [| '<'; '>'; '&'; '\n'; '\u2028' |] < 0
        && page = template.Replace(Page.marker, $"{ReadBack.opening}{inside}</script>"))

[<Fact>]
let ``a name with the end of a script or the begin of a comment stays a name`` () =
    let hostile = "</script><script>alert(1)</script><!-- <script>"

    let results =
        { RandomResults.sample with Title = hostile; Base = hostile; Command = hostile }

    let page = Page.fill template results
    Assert.DoesNotContain("alert(1)</script>", page)
    Assert.DoesNotContain("<!--", page)
    Assert.Equal(hostile, (ResultsJson.read "page" (ReadBack.page page)).Title)

[<Fact>]
let ``a template without a marker is refused`` () =
    let trouble =
        Assert.Throws<RunFailed>(Action(fun () -> Page.fill "<html></html>" RandomResults.sample |> ignore))

    Assert.Contains(Page.marker, trouble.Message)

[<Fact>]
let ``the page that the tool holds has one marker`` () =
    match Page.template () with
    | None -> Assert.Fail "This build holds no page: build src/Plait.Report/web before it, with 'make web'."
    | Some template ->
        Assert.Equal(2, template.Split(Page.marker).Length)
        let page = Page.fill template RandomResults.sample
        Assert.Equal(RowPanels.addTo RandomResults.sample, ResultsJson.read "page" (ReadBack.page page))
