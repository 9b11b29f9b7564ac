// All rules, in the order of their codes.
module Plait.Check.Rules

let internal rules: Rule list =
    [
        DoubleUse.rule
        ColdCapture.rule
        KeptValue.rule
        Blocking.rule
        CallsBlocking.rule
        RoundTrip.rule
        DroppedWork.rule
        EarlyDispose.rule
        LeakingLocal.rule
        StrangeStrand.rule
        NeedlessAwait.rule
        BeforeBraces.rule
    ]

/// The descriptions of the rules for users.
let all: RuleInfo list = rules |> List.map _.Info
