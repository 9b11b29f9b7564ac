// Under test: the stress program, for two seconds. For longer: `make stress`.
// ConsumeOnce, StaleToken, FinallyOnce, FaultFidelity.
namespace Plait.Tests

open System
open Xunit

[<Collection("alone")>]
type ShortStress() =

    [<Fact>]
    member _.``sixteen loops of nested frames lose, double and mix up nothing``() =
        let outcome = Plait.Stress.Stress.run (TimeSpan.FromSeconds 2.)
        Assert.True(outcome.Errors.IsEmpty, String.concat Environment.NewLine outcome.Errors)
        Assert.True(outcome.Operations > 1_000L, $"{outcome.Operations} operations in two seconds.")
