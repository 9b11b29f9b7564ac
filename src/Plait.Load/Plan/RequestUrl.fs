// The parts of its URL that a request sends: the host, and path and query to the letter, so that a test can try how a server reads
// them.
module internal Plait.Load.RequestUrl

open System
open System.Text

open Plait.Common

/// The text behind the host of a URL, as it was written, with the braces of variables: "/a/../b?c={{d}}#e".
let written (url: Uri) : string =
    let text = url.OriginalString.Trim()

    match text.IndexOfAny([| '/'; '?'; '#' |], url.Scheme.Length + "://".Length) with
    | -1 -> ""
    | at -> text.Substring at

/// The URL as it is shown to others: as it was written, without its password.
let shown (url: Uri) : string =
    Secrets.withoutPasswords url.OriginalString

let private isAllowed (letter: char) =
    letter > ' ' && letter < '\127' && not ("\"<>\\^`{|}".Contains letter)

/// Bytes as text; a byte that is no allowed letter is percent-encoded.
let escaped (isAllowed: char -> bool) (bytes: ReadOnlySpan<byte>) : string =
    let text = StringBuilder()

    for unit in bytes do
        if isAllowed (char unit) then
            text.Append(char unit) |> ignore
        else
            text.Append $"%%{unit:X2}" |> ignore

    string text

/// Path and query as they go out: as written, except that characters that no URL may hold are escaped (RFC 3986, 2):
/// spaces, letters beyond ASCII and some signs.
let target (url: Uri) : string =
    let target = (written url).Split('#')[0]
    let target = if target.StartsWith '/' then target else "/" + target

    escaped isAllowed (ReadOnlySpan(Encoding.UTF8.GetBytes target))

/// The host as it goes out: a name in ASCII (RFC 5891), and the port where it is not the scheme's own.
let authority (url: Uri) : string =
    // an IPv6 address stands in brackets there
    let host = if url.HostNameType = UriHostNameType.IPv6 then url.Host else url.IdnHost

    if url.IsDefaultPort then host else $"{host}:{url.Port}"

/// The host for a look-up. An IPv6 address has its zone behind a %, which a URL writes as %25 (RFC 6874).
let host (url: Uri) : string =
    if url.HostNameType = UriHostNameType.IPv6 then
        url.DnsSafeHost.Replace("%25", "%", StringComparison.Ordinal)
    else
        url.IdnHost

/// The name and the password of a URL for basic authorization (RFC 7617), with a colon between them, also behind a name alone.
let credentials (url: Uri) : byte[] =
    let secret = Uri.UnescapeDataString url.UserInfo

    Encoding.UTF8.GetBytes(if url.UserInfo.Contains ':' then secret else secret + ":")
