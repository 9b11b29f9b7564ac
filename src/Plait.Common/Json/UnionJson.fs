// Unions in JSON: the one set of converters that every file of the lab is written and read with. A union without fields is
// a lower-case text; one with fields is an object with its case as "kind"; an option that is None is left out.
namespace Plait.Common

open System
open System.Collections.Concurrent
open System.Reflection
open System.Text.Encodings.Web
open System.Text.Json
open System.Text.Json.Serialization
open System.Text.Json.Serialization.Metadata
open System.Text.RegularExpressions
open Microsoft.FSharp.Reflection

/// The word of a case in JSON and in texts, where it is not its name in lower-case words.
[<AttributeUsage(AttributeTargets.All)>]
type WordAttribute(word: string) =
    inherit Attribute()
    /// The word.
    member _.Word = word

/// The words of unions without fields.
module Word =
    /// A name of several words in lower-case words.
    let ofName (name: string) : string =
        Regex.Replace(name, "(?<=.)([A-Z])", " $1").ToLowerInvariant()

    let internal ofInfo (case: UnionCaseInfo) : string =
        match case.GetCustomAttributes typeof<WordAttribute> |> Array.tryHead with
        | Some(:? WordAttribute as attribute) -> attribute.Word
        | _ -> ofName case.Name

    let private cases = ConcurrentDictionary<Type, (string * objnull) list>()

    let private casesOf (union: Type) =
        cases.GetOrAdd(
            union,
            fun union ->
                [
                    for case in FSharpType.GetUnionCases union do
                        if case.GetFields().Length = 0 then
                            ofInfo case, FSharpValue.MakeUnion(case, [||])
                ]
        )

    /// The word of a case.
    let ofCase (case: 'T) : string =
        casesOf typeof<'T> |> List.find (fun (_, other) -> Object.Equals(other, case)) |> fst

    /// All words of a union, in the order of its cases.
    let all<'T> () : string list = casesOf typeof<'T> |> List.map fst

    /// The case with that word.
    let tryFind<'T> (word: string) : 'T option =
        casesOf typeof<'T>
        |> List.tryFind (fun (other, _) -> other = word)
        |> Option.map (snd >> unbox<'T>)

/// A union: its cases without fields as texts, the others as objects with "kind".
type private UnionConverter<'T when 'T: not null>() =
    inherit JsonConverter<'T>()

    let cases = FSharpType.GetUnionCases typeof<'T>
    let words = cases |> Array.map Word.ofInfo

    let isOption (field: Type) =
        field.IsGenericType && field.GetGenericTypeDefinition() = typedefof<option<_>>

    let known () =
        words |> Array.map (fun word -> $"\"{word}\"") |> String.concat ", "

    let fieldsOf (case: UnionCaseInfo) =
        case.GetFields()
        |> Array.map (fun field -> JsonNamingPolicy.CamelCase.ConvertName field.Name, field.PropertyType)

    let readField
        (element: JsonElement)
        (options: JsonSerializerOptions)
        (name: string, field: Type)
        : objnull =
        match element.TryGetProperty name with
        | true, value ->
            try
                value.Deserialize(field, options)
            with :? JsonException as trouble ->
                JsonPlace.wrong $".{name}{JsonPlace.path trouble}" (JsonPlace.words trouble)
        | _ when isOption field -> null
        | _ -> JsonPlace.wrong "" $"the key '{name}' is missing"

    let readCase (element: JsonElement) (options: JsonSerializerOptions) : objnull =
        let kind =
            match element.TryGetProperty "kind" with
            | true, value when value.ValueKind = JsonValueKind.String -> string (value.GetString())
            | _ -> JsonPlace.wrong "" "the key 'kind' is missing"

        match Array.tryFindIndex ((=) kind) words with
        | None -> JsonPlace.wrong ".kind" $"'{kind}' is none of {known ()}"
        | Some index ->
            let fields = fieldsOf cases[index]

            for property in element.EnumerateObject() do
                if
                    property.Name <> "kind" && fields |> Array.forall (fun (name, _) -> name <> property.Name)
                then
                    JsonPlace.wrong $".{property.Name}" "this key is not known"

            FSharpValue.MakeUnion(cases[index], fields |> Array.map (readField element options))

    override _.HandleNull = true

    override _.Read(reader, _, options) =
        match reader.TokenType with
        | JsonTokenType.String ->
            let word = string (reader.GetString())

            match Word.tryFind<'T> word with
            | Some case -> case
            | None -> JsonPlace.wrong "" $"'{word}' is none of {known ()}"
        | JsonTokenType.StartObject ->
            let element = JsonElement.ParseValue &reader
            unbox<'T>(readCase element options)
        | other ->
            let found =
                match other with
                | JsonTokenType.Number -> "a number"
                | JsonTokenType.StartArray -> "a list"
                | JsonTokenType.Null -> "null"
                | _ -> "a truth value"

            JsonPlace.wrong "" $"expected one of {known ()}, found {found}"

    override _.Write(writer, value, options) =
        let case, values = FSharpValue.GetUnionFields(value, typeof<'T>)

        if values.Length = 0 then
            writer.WriteStringValue(Word.ofInfo case)
        else
            writer.WriteStartObject()
            writer.WriteString("kind", Word.ofInfo case)

            for (name, field), value in Array.zip (fieldsOf case) values do
                if not (isNull value) then
                    writer.WritePropertyName name
                    JsonSerializer.Serialize(writer, value, field, options)

            writer.WriteEndObject()

type private UnionConverters() =
    inherit JsonConverterFactory()

    override _.CanConvert kind =
        FSharpType.IsUnion kind
        && not (
            kind.IsGenericType
            && List.contains
                (kind.GetGenericTypeDefinition())
                [ typedefof<option<_>>; typedefof<list<_>>; typedefof<voption<_>> ]
        )

    override _.CreateConverter(kind, _) =
        // A case with fields is a type of its own, nested in that of the union.
        let union = (FSharpType.GetUnionCases kind |> Array.head).DeclaringType

        Activator.CreateInstance(typedefof<UnionConverter<_>>.MakeGenericType union) |> nonNull
        :?> JsonConverter

/// Writing and reading JSON by them.
module UnionJson =
    /// The deepest nesting of objects and lists. A frame of a flame graph takes two levels.
    [<Literal>]
    let Depth = 1024

    // The JSON of a record has its fields, and its computed properties with JsonInclude, which are written and not read. An option may
    // be missing, a field with JsonIgnore is left out, and all other fields are required.
    let private fieldsAlone (info: JsonTypeInfo) =
        if FSharpType.IsRecord info.Type then
            let fields = FSharpType.GetRecordFields info.Type |> Array.map _.Name

            let isField (property: JsonPropertyInfo) =
                match property.AttributeProvider with
                | :? MemberInfo as found ->
                    Array.contains found.Name fields || found.IsDefined typeof<JsonIncludeAttribute>
                | _ -> false

            for property in List.ofSeq info.Properties do
                if not (isField property) then
                    info.Properties.Remove property |> ignore

        for property in info.Properties do
            let kind = property.PropertyType

            let isIgnored = isNull property.Get

            if isIgnored || kind.IsGenericType && kind.GetGenericTypeDefinition() = typedefof<option<_>> then
                property.IsRequired <- false

    /// Options with these converters and `more` before them. `indented`: by two spaces; `forScript`: everything that HTML
    /// could misread is escaped, otherwise the text is for people, and "+" stays "+".
    let options (more: JsonConverter list) (indented: bool) (forScript: bool) : JsonSerializerOptions =
        let options =
            JsonSerializerOptions(
                PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
                WriteIndented = indented,
                MaxDepth = Depth,
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
                RespectRequiredConstructorParameters = true,
                UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
                TypeInfoResolver = DefaultJsonTypeInfoResolver().WithAddedModifier fieldsAlone,
                Encoder =
                    (if forScript then
                         JavaScriptEncoder.Default
                     else
                         JavaScriptEncoder.UnsafeRelaxedJsonEscaping)
            )

        for converter in more do
            options.Converters.Add converter

        options.Converters.Add(UnionConverters())
        options

    /// The error in a text that was read, with the path of the place: "rows[3].status: 'ok' is none of ...".
    let sentence (trouble: JsonException) : string =
        match (JsonPlace.path trouble).TrimStart '.' with
        | "" -> JsonPlace.words trouble
        | path -> $"{path}: {JsonPlace.words trouble}"
