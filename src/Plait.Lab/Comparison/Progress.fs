// What a run tells about itself while it works.
namespace Plait.Lab.Scenarios

/// One message of a run. They come from one thread at a time.
type Progress =
    /// The run begins: how many steps it has.
    | Began of steps: int
    /// A step begins: the row, the launch (1, 2, ...; 0: none in particular) and what is being done.
    | Doing of row: string * launch: int * phase: string
    /// A step is done; the median of the ratios that it measured, if it measured any.
    | Did of row: string * launch: int * phase: string * ratio: float option
    /// Steps that will not be done after all.
    | Dropped of steps: int
    /// Something the reader must know.
    | Noticed of sentence: string
