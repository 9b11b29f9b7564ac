// Tests that must have the machine to themselves, as far as that lies with us: they run after all others, one by one.
namespace Plait.Lab.Tests

open Xunit

module Alone =
    /// Goes into the Collection attribute of such a module.
    [<Literal>]
    let Name = "alone"

[<CollectionDefinition(Alone.Name, DisableParallelization = true)>]
type AloneDefinition() = class end
