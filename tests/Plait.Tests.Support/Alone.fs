// Tests that must have the machine to themselves, as far as that lies with us: they run after all others, one by one.
namespace Plait.Tests.Support

open Xunit

/// Its type goes into the Collection attribute of such a module.
[<CollectionDefinition(DisableParallelization = true)>]
type Alone() = class end
