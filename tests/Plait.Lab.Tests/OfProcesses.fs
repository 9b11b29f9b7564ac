// Which tests are of programs alone. Those are the Release builds, whatever the tests are built as.
namespace Plait.Lab.Tests

open System
open System.Collections.Generic
open Xunit.v3

/// Marks a test, or all tests of a module: what is under test are processes of the Release build, so a Debug build of the
/// tests would test the same a second time. build/test.sh leaves these out there, by the trait.
[<AttributeUsage(AttributeTargets.Class ||| AttributeTargets.Method)>]
type OfProcessesAttribute() =
    inherit Attribute()

    interface ITraitAttribute with
        member _.GetTraits() = [| KeyValuePair("of", "processes") |]
