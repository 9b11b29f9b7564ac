// A plan as JSON and back, exactly: how a load run is ordered from another process.
module Plait.Load.PlanJson


open System
open System.Text.Json
open System.Text.Json.Nodes

let private textOf (value: JsonElement) (name: string) : string =
    match value.GetProperty(name).GetString() with
    | null -> raise (FormatException $"{name} is null")
    | text -> text

let private ask (ask: Ask) : JsonNode =
    let headers =
        [|
            for name, value in ask.Headers ->
                JsonArray(JsonValue.Create name, JsonValue.Create value) :> JsonNode
        |]

    let node = JsonObject()
    node["method"] <- JsonValue.Create ask.Method
    node["url"] <- JsonValue.Create ask.Url.OriginalString
    node["headers"] <- JsonArray headers
    node["body"] <- JsonValue.Create(Convert.ToBase64String ask.Body)
    node

let private askOf (value: JsonElement) : Ask =
    {
        Method = textOf value "method"
        Url = Uri(textOf value "url")
        Headers =
            [
                for pair in value.GetProperty("headers").EnumerateArray() ->
                    string (pair[0].GetString()), string (pair[1].GetString())
            ]
        Body = value.GetProperty("body").GetBytesFromBase64()
    }

let private model (model: Model) : JsonNode =
    let node = JsonObject()

    let rate (name: string) (value: float) = node[name] <- JsonValue.Create value

    let kind, connections =
        match model with
        | Closed connections -> "closed", connections
        | Open(Constant perSecond, connections) ->
            rate "perSecond" perSecond
            "constant", connections
        | Open(Poisson perSecond, connections) ->
            rate "perSecond" perSecond
            "poisson", connections
        | Open(Ramp(from, until), connections) ->
            rate "from" from
            rate "until" until
            "ramp", connections

    node["kind"] <- JsonValue.Create kind
    node["connections"] <- JsonValue.Create connections
    node

let private modelOf (value: JsonElement) : Model =
    let rate (name: string) = value.GetProperty(name).GetDouble()
    let connections = value.GetProperty("connections").GetInt32()

    match textOf value "kind" with
    | "closed" -> Closed connections
    | "constant" -> Open(Constant(rate "perSecond"), connections)
    | "poisson" -> Open(Poisson(rate "perSecond"), connections)
    | "ramp" -> Open(Ramp(rate "from", rate "until"), connections)
    | other -> raise (FormatException $"the model is '{other}'; it must be closed, constant, poisson or ramp")

/// The plan as JSON.
let write (plan: Plan) : JsonObject =
    let node = JsonObject()
    node["asks"] <- JsonArray(plan.Asks |> List.map ask |> Array.ofList)
    node["model"] <- model plan.Model
    node["durationTicks"] <- JsonValue.Create plan.Duration.Ticks
    node["warmUpTicks"] <- JsonValue.Create plan.WarmUp.Ticks
    node["timeoutTicks"] <- JsonValue.Create plan.Timeout.Ticks

    node["expectStatus"] <-
        JsonArray [| for status in plan.ExpectStatus -> JsonValue.Create status :> JsonNode |]

    node["expectBody"] <-
        match plan.ExpectBody with
        | None -> null
        | Some body -> JsonValue.Create(Convert.ToBase64String body)

    node["seed"] <- JsonValue.Create plan.Seed
    node["insecure"] <- JsonValue.Create plan.Insecure
    node

/// The plan that JSON tells. Raises what System.Text.Json raises, or FormatException, when it is none.
let read (value: JsonElement) : Plan =
    let time (name: string) =
        TimeSpan.FromTicks(value.GetProperty(name).GetInt64())

    let expectBody = value.GetProperty "expectBody"

    {
        Asks = [ for one in value.GetProperty("asks").EnumerateArray() -> askOf one ]
        Model = modelOf (value.GetProperty "model")
        Duration = time "durationTicks"
        WarmUp = time "warmUpTicks"
        Timeout = time "timeoutTicks"
        ExpectStatus =
            [ for status in value.GetProperty("expectStatus").EnumerateArray() -> status.GetInt32() ]
        ExpectBody =
            if expectBody.ValueKind = JsonValueKind.Null then
                None
            else
                Some(expectBody.GetBytesFromBase64())
        Seed = value.GetProperty("seed").GetInt32()
        Insecure = value.GetProperty("insecure").GetBoolean()
    }
