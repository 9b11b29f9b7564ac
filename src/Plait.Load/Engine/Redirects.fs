// Redirections: the next request, and its server.
namespace Plait.Load

open System
open System.Collections.Generic

open Plait.Common

/// Makes the next request of a redirection. For the one thread of the engine.
type internal Redirects(plan: Plan, pool: ConnectionPool) =
    let most = plan.Connecting.Redirects
    // Destinations that were looked up. The engine waits while a host is looked up, so each is looked up once.
    let destinations = Dictionary<struct (string * string * int), int>()

    let isSameOrigin (one: Uri) (other: Uri) =
        one.Scheme = other.Scheme && one.Host = other.Host && one.Port = other.Port

    let destinationOf (slot: RequestSlot) (before: Uri) (url: Uri) : int =
        if isSameOrigin before url then
            slot.Destination
        else
            let key = struct (url.Scheme, url.Host, url.Port)

            match destinations.TryGetValue key with
            | true, destination -> destination
            | _ ->
                let destination = pool.DestinationOf(Resolve.destination plan.Connecting url)
                destinations[key] <- destination
                destination

    // The same server gets the name and the password of the URL again.
    let withUser (before: Uri) (url: Uri) : Uri =
        if isSameOrigin before url && url.UserInfo = "" && before.UserInfo <> "" then
            Uri(url.OriginalString.Trim().Insert(url.Scheme.Length + "://".Length, before.UserInfo + "@"))
        else
            url

    // RFC 9110, 15.4: 303 asks with GET; so do 301 and 302 after a POST, as browsers do.
    let next (status: int) (url: Uri) (request: HttpRequest) : HttpRequest =
        let becomesGet =
            match status with
            | 303 -> request.Method <> "HEAD"
            | 301
            | 302 -> request.Method = "POST"
            | _ -> false

        // Credentials for one server are not sent to another.
        let isFor (name: string, _) =
            isSameOrigin url request.Url
            || not (
                List.exists
                    (fun secret -> String.Equals(secret, name, StringComparison.OrdinalIgnoreCase))
                    [ "Authorization"; "Cookie"; "Host" ]
            )

        let ofBody (name: string, _) =
            name.StartsWith("Content-", StringComparison.OrdinalIgnoreCase)

        let headers = request.Headers |> List.filter isFor

        if becomesGet then
            {
                Method = "GET"
                Url = url
                Headers = headers |> List.filter (ofBody >> not)
                Body = [||]
            }
        else
            { request with Url = url; Headers = headers }

    /// The response of a slot redirects, and is to be followed.
    member _.IsRedirection(slot: RequestSlot) : bool =
        most > 0
        && (match slot.Status with
            | 301
            | 302
            | 303
            | 307
            | 308 -> not (isNull slot.Location)
            | _ -> false)

    /// The next request and the index of its destination; an error: a result and a sentence. The engine waits while an unknown host is
    /// looked up.
    member _.Next
        (slot: RequestSlot)
        : Result<struct (int * PreparedRequest), struct (RequestResult * string)> =
        let bad sentence =
            Error(struct (RequestResult.BadRedirect, sentence))

        match slot.Prepared with
        | null -> bad "its request is not known"
        | prepared when slot.Redirections >= most ->
            let often =
                $"{RequestUrl.shown prepared.Request.Url} was redirected more than {most} times, last to '{slot.Location}'"

            Error(struct (RequestResult.TooManyRedirects, often))
        | prepared ->
            match Uri.TryCreate(prepared.Request.Url, slot.Location) with
            | true, url when
                (nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps
                ->
                try
                    let url = withUser prepared.Request.Url (nonNull url)
                    let destination = destinationOf slot prepared.Request.Url url
                    let request = next slot.Status url prepared.Request
                    Ok(struct (destination, Resolve.prepared plan.Connecting prepared.Index request))
                with :? BadInput as trouble ->
                    bad $"it was redirected, and {trouble.Message}"
            | _ -> bad $"it was redirected to '{slot.Location}', which is not an HTTP URL"
