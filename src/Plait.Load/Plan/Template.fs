// Requests that differ from each other: what stands in double braces is another text in each of them.
namespace Plait.Load

open System
open System.Globalization
open System.Text.RegularExpressions

open Plait.Report

/// What stands in double braces.
type internal Variable =
    /// {{name}}: a column of the data, by its place.
    | Column of int
    /// {{uuid}}: a random one.
    | Uuid
    /// {{int A B}}: a whole number from A to B at random.
    | Between of least: int64 * most: int64
    /// {{seq}}: how many requests were before it.
    | Sequence
    /// {{time}}: milliseconds since 1970 when it is sent.
    | Time
    /// The length of the body.
    | BodyLength

/// A request in which marks of letters and digits stand for variables, so that it can be treated as any other.
type internal Template =
    {
        Request: HttpRequest
        /// By the number in their mark.
        Variables: Variable[]
    }

/// Making templates.
module internal Template =
    /// The marks of variables. Their length is that of a time in milliseconds.
    let mark (number: int) : string = $"Pl41tV4r{number:D4}Z"

    /// Finds marks.
    let marks = Regex(@"Pl41tV4r(\d{4})Z", RegexOptions.CultureInvariant)

    let private braces =
        Regex(@"\{\{\s*([^{}]*?)\s*\}\}", RegexOptions.CultureInvariant)

    let private whole (text: string) =
        match Int64.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) with
        | true, value -> value
        | _ -> raise (BadInput $"{{{{int A B}}}} takes two whole numbers, not '{text}'")

    /// The variable of a text in braces. Without data only the generator's own are meant: all else is text that happens to have
    /// braces.
    let private variable (columns: string list) (text: string) : Variable option =
        match List.ofArray (text.Split(' ', StringSplitOptions.RemoveEmptyEntries)) with
        | [ name ] when List.contains name columns -> Some(Column(List.findIndex ((=) name) columns))
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

        let marked (text: string) =
            braces.Replace(
                text,
                fun found ->
                    match variable columns found.Groups[1].Value with
                    | Some variable ->
                        variables.Add variable
                        mark (variables.Count - 1)
                    | None -> found.Value
            )

        let url = marked request.Url.OriginalString
        let headers = request.Headers |> List.map (fun (name, value) -> name, marked value)
        let before = variables.Count
        // Latin-1 keeps every byte.
        let latin = Text.Encoding.Latin1
        let body = latin.GetBytes(marked (latin.GetString request.Body))

        if variables.Count = 0 then
            None
        else
            let headers =
                if variables.Count > before then
                    variables.Add BodyLength

                    (headers
                     |> List.filter (fun (name, _) ->
                         not (String.Equals(name, "Content-Length", StringComparison.OrdinalIgnoreCase))))
                    @ [ "Content-Length", mark (variables.Count - 1) ]
                else
                    headers

            Some
                {
                    // A host has no braces in it, so that it has no mark either.
                    Request = { request with Url = Uri url; Headers = headers; Body = body }
                    Variables = variables.ToArray()
                }
