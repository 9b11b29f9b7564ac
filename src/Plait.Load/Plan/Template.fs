// Requests that differ from each other: a name in double braces becomes another text in each of them.
namespace Plait.Load

open System
open System.Globalization
open System.Text.RegularExpressions

open Plait.Common

/// A name or a function in double braces.
type internal Variable =
    /// {{name}}: a column of the data, by its place.
    | Column of int
    /// {{uuid}}: a random one.
    | Uuid
    /// {{int A B}}: a whole number from A to B at random.
    | Between of least: int64 * most: int64
    /// {{seq}}: the number of requests before it.
    | Sequence
    /// {{time}}: milliseconds since 1970 when it is sent.
    | Time
    /// The length of the body.
    | BodyLength

/// A request with marks of letters and digits in place of variables, so that code for requests without variables can handle it.
type internal Template =
    {
        Request: HttpRequest
        /// By the number in their mark.
        Variables: Variable[]
        /// Finds the marks, with their numbers.
        Marks: Regex
        /// Some: the body is sent in chunks; true: its text is written in chunks. None: it is not sent in chunks.
        InChunks: bool option
    }

/// Making templates.
module internal Template =
    /// The beginning of marks: a text that the request does not contain, in its written form or in its sent form, so that no text
    /// of the request is read as a mark. P is its first letter only, so that the end of a text and a mark cannot form another one.
    let private beginning (request: HttpRequest) (body: string) : string =
        let url = request.Url.OriginalString

        let texts =
            [
                request.Method
                url
                Uri.UnescapeDataString url
                Convert.ToBase64String(RequestUrl.credentials request.Url)
                body

                for name, value in request.Headers do
                    name
                    value
            ]

        Seq.initInfinite (fun number -> $"Pl41t{number:D3}")
        |> Seq.find (fun beginning ->
            not (texts |> List.exists _.Contains(beginning, StringComparison.Ordinal)))

    let private braces =
        Regex(@"\{\{\s*([^{}]*?)\s*\}\}", RegexOptions.CultureInvariant)

    let private whole (text: string) =
        match Int64.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) with
        | true, value -> value
        | _ ->
            raise (
                BadInput
                    $"{{{{int A B}}}} takes two whole numbers, not '{text}'; they go from {Int64.MinValue} to {Int64.MaxValue}"
            )

    /// The variable of a text in braces. Without data only the generator's own variables have a meaning: other braces are text.
    let private variable (columns: string list) (text: string) : Variable option =
        match List.ofArray (text.Split(' ', StringSplitOptions.RemoveEmptyEntries)) with
        | _ when List.contains text columns -> Some(Column(List.findIndex ((=) text) columns))
        | [ "uuid" ] -> Some Uuid
        | [ "seq" ] -> Some Sequence
        | [ "time" ] -> Some Time
        | [ "int"; least; most ] ->
            let least, most = whole least, whole most

            if least > most then
                raise (BadInput $"{{{{int {least} {most}}}}} has no number: the first is above the second")

            Some(Between(least, most))
        | "int" :: _ ->
            raise (BadInput $"'{{{{{text}}}}}' is not one of our variables; write {{{{int 1 1000}}}}")
        | _ when columns.IsEmpty -> None
        | _ ->
            let known = columns @ [ "uuid"; "int A B"; "seq"; "time" ] |> String.concat ", "
            raise (BadInput $"'{{{{{text}}}}}' is no column of the data; there are {known}")

    /// The template of a request; None: it has no variable. Raises BadInput for a variable that there is not.
    let ofRequest (columns: string list) (request: HttpRequest) : Template option =
        let variables = ResizeArray<Variable>()
        // Latin-1 keeps every byte.
        let latin = Text.Encoding.Latin1
        let content = latin.GetString request.Body
        let beginning = lazy (beginning request content)
        let mark (number: int) = $"{beginning.Value}{number:D4}Z"

        let markedWith (read: string -> string) (text: string) =
            braces.Replace(
                text,
                fun found ->
                    match variable columns (read found.Groups[1].Value) with
                    | Some variable ->
                        variables.Add variable
                        mark (variables.Count - 1)
                    | None -> found.Value
            )

        let marked = markedWith id
        let url = Uri(marked request.Url.OriginalString)

        // A host has no braces in it, so that it has no mark either.
        if variables.Count > 0 && url.UserInfo.Contains(beginning.Value, StringComparison.Ordinal) then
            raise (
                BadInput
                    $"the name and the password in the URL {RequestUrl.shown request.Url} are the same in every request; put a part that varies into a header, like 'Authorization: Bearer {{{{name}}}}'"
            )

        let headers = request.Headers |> List.map (fun (name, value) -> name, marked value)
        let before = variables.Count

        let body =
            content |> markedWith (latin.GetBytes >> Text.Encoding.UTF8.GetString) |> latin.GetBytes

        if variables.Count = 0 then
            None
        else
            let headers =
                // A body in chunks has no length (RFC 9112, 6.2).
                if variables.Count > before && not (ChunkedBody.isChunked headers) then
                    variables.Add BodyLength

                    (headers
                     |> List.filter (fun (name, _) ->
                         not (String.Equals(name, "Content-Length", StringComparison.OrdinalIgnoreCase))))
                    @ [ "Content-Length", mark (variables.Count - 1) ]
                else
                    headers

            let marks = Regex($@"{beginning.Value}(\d{{4,}})Z", RegexOptions.CultureInvariant)

            Some
                {
                    Request = { request with Url = url; Headers = headers; Body = body }
                    Variables = variables.ToArray()
                    Marks = marks
                    InChunks =
                        if ChunkedBody.isChunked headers then
                            // A variable may stand for a size.
                            let text = marks.Replace(latin.GetString body, "1") |> latin.GetBytes
                            Some(ChunkedBody.seemsInChunks (ReadOnlySpan text))
                        else
                            None
                }
