// Under test: the stress program, for five seconds. For longer: `make stress`.
namespace Plait.Tests

open System
open Xunit

[<Collection("alone")>]
type ShortStress() =

    [<Fact>]
    member _.``sixteen loops of operations of every kind lose, double and mix up nothing``() =
        let outcome = Plait.Stress.Stress.run (TimeSpan.FromSeconds 5.) ignore
        Assert.True(outcome.Errors.IsEmpty, String.concat Environment.NewLine outcome.Errors)

        Assert.All(
            outcome.ByKind,
            (fun (kind, operations) -> Assert.True(operations > 0L, $"No operation of {kind}."))
        )

        Assert.True(outcome.Operations > 1_000L, $"{outcome.Operations} operations in five seconds.")
