// Layer: frames. The phases of a pooled operation, as the low bits of its state; the rest counts its uses. See
// `PooledSource`.
namespace Plait.Kernel

module internal Phase =
    [<Literal>]
    let Open = 0

    [<Literal>]
    let Claimed = 1

    [<Literal>]
    let Done = 2

    [<Literal>]
    let Mask = 3

    [<Literal>]
    let NextGeneration = 4
