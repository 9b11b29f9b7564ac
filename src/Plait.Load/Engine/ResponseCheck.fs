// The status and the body that a plan expects of responses. For the one thread of the engine.
namespace Plait.Load

/// Judges the responses of slots.
type internal ResponseCheck(plan: Plan) =
    let isExpected =
        Array.init 1000 (fun status ->
            match plan.ExpectStatus with
            | [] -> status >= 200 && status <= 399
            | some -> List.contains status some)

    let expectedStatus =
        match plan.ExpectStatus with
        | [ only ] -> $" instead of {only}"
        | _ -> ""

    /// The result of a response that is whole.
    member _.Result(slot: RequestSlot) : RequestResult =
        if not isExpected[min slot.Status 999] then RequestResult.WrongStatus
        elif not slot.IsExpected then RequestResult.WrongBody
        else RequestResult.Right

    /// The sentence about a result of such a response, or null.
    member _.Complaint(slot: RequestSlot, result: RequestResult) : string | null =
        match result, plan.ExpectBody with
        | RequestResult.WrongStatus, _ -> $"the status was {slot.Status}{expectedStatus}"
        | RequestResult.WrongBody, Some right when slot.BodyLength <> int64 right.Length ->
            $"the body is of {slot.BodyLength} bytes instead of {right.Length}"
        | RequestResult.WrongBody, _ -> $"the body, of {slot.BodyLength} bytes, is not the expected one"
        | _ -> null
