// Layer: strand. What a node knows of itself, in one byte that only its own steps write.
namespace Plait.Kernel

module internal NodeFlags =
    /// Its result is that of the node it follows: its own waiter may wait for that one instead.
    [<Literal>]
    let Forward = 1uy

    /// It waits for a strand that it has bound, not for a part of its own.
    [<Literal>]
    let Bound = 2uy

    /// It has not suspended so far: if it is done now, it was done on its starter's thread.
    [<Literal>]
    let Inline = 4uy
