// All rules, in the order of their codes.
module Plait.Check.Rules

let internal rules: Rule list =
    [
        DoubleUse.rule
        ColdCapture.rule
        StoredValue.rule
        Blocking.rule
        CallsBlocking.rule
        RoundTrip.rule
        DroppedOperation.rule
        EarlyDispose.rule
        AsyncLocalLeak.rule
        UntypedStrand.rule
        NeedlessAwait.rule
        RuntimeAsyncAllocation.rule
    ]

/// The descriptions of the rules for users.
let all: RuleInfo list = rules |> List.map _.Info
