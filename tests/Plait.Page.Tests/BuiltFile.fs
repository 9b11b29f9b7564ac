// Under test: the built file itself, before any browser sees it. Its size, its marker, and that it names nothing to load.
module Plait.Page.Tests.BuiltFile

open System.IO
open System.Text
open System.Text.RegularExpressions
open Xunit

let private count (pattern: string) =
    Regex.Matches(Files.page (), pattern, RegexOptions.IgnoreCase).Count

[<Fact>]
let ``the marker for the results is in the page exactly once`` () =
    Assert.Equal(1, count (Regex.Escape Files.marker))

[<Fact>]
let ``the page is smaller than 500 kB`` () =
    Assert.InRange(Encoding.UTF8.GetByteCount(Files.page ()), 50_000, 499_999)

[<Theory>]
[<InlineData(@"\b(src|href|srcset|action|poster)\s*=\s*[""']?(https?:)?//")>]
[<InlineData(@"@import|url\(\s*[""']?(https?:)?//")>]
[<InlineData(@"<link(?![^>]*href=""data:)")>]
[<InlineData(@"<script[^>]+src")>]
let ``the page loads nothing from elsewhere`` (pattern: string) = Assert.Equal(0, count pattern)

[<Fact>]
let ``the page forbids all loading, and all scripts except its own`` () =
    Assert.Matches(@"default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]+';", Files.page ())

[<Fact>]
let ``the licences of the packages inside go with them`` () =
    let page = Files.page ()
    Assert.Contains("Observable", page)
    Assert.Contains("Permission to use, copy, modify", page)

[<Fact>]
let ``the lock file holds no download address`` () =
    let lock = File.ReadAllText(Path.Combine(Files.webFolder, "package-lock.json"))
    Assert.DoesNotContain("\"resolved\"", lock)
    Assert.DoesNotContain("http", lock)
