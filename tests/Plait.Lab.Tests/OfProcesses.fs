// Which tests are of programs alone. Those are the Release builds, whatever the tests are built as.
namespace Plait.Lab.Tests

open System
open System.Collections.Generic
open Xunit.v3

/// Marks a test, or all tests of a module, that only starts processes of the Release build. In a Debug build of the tests it
/// tests the same again; --filter-not-trait of=processes leaves it out.
[<AttributeUsage(AttributeTargets.Class ||| AttributeTargets.Method)>]
type OfProcessesAttribute() =
    inherit Attribute()

    interface ITraitAttribute with
        member _.GetTraits() = [| KeyValuePair("of", "processes") |]
