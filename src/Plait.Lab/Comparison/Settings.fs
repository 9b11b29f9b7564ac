// How a run measures: the numbers that a user may set, their ranges, and the presets.
namespace Plait.Lab

/// How long a process is warmed before it is timed.
type WarmUp =
    {
        /// It is not timed before it has spent this much CPU time.
        FloorMilliseconds: int
        /// If it is not flat by then, on the wall, it is timed all the same, with a warning. It gets its floor first, even if
        /// that takes up to three times as long.
        LimitMilliseconds: int
    }

/// How a run measures.
type Settings =
    {
        /// Seeds every random choice: order of rows, order of slices, the bootstrap.
        Seed: int
        /// Fresh processes of every row, and of the base; with a width, the least of them.
        Launches: int
        /// How wide intervals may be, as a share of the median: further launches are made until each is as narrow. None:
        /// exactly as many launches as Launches says.
        Width: float option
        /// Pairs of slices in a launch, in process and again over HTTP.
        Pairs: int
        /// Length of one slice.
        SliceMilliseconds: int
        /// How long processes are warmed in process.
        WarmUp: WarmUp
        /// How long servers are warmed: a server has more code to compile again.
        HttpWarmUp: WarmUp
        /// Keep-alive connections of the closed loop.
        Connections: int
        /// Whether to measure in process.
        InProcess: bool
        /// Whether to measure over HTTP.
        Http: bool
        /// Milliseconds that a process may take to answer, beyond the time it was asked to work.
        PatienceMilliseconds: int
        /// The difference that counts.
        Margin: float
        /// Seconds that the run should end in, if it should. With a width, no launch begins that would end later; without
        /// one, rows are warmed shorter and measured in fewer pairs when it is late.
        BudgetSeconds: float option
        /// Whether the load generator runs on the server's core.
        SharedCore: bool
        /// The share of the server's core that the hypervisor may take from a pair of slices; a pair that lost more is
        /// dropped and taken again.
        StealLimit: float
        /// Whether bytes are all that is measured: nothing is timed.
        BytesOnly: bool
    }

/// The presets, and the ranges of the settings.
module Settings =
    /// Whether a row is measured over HTTP.
    let isLoaded (settings: Settings) (row: RowPlan) : bool =
        settings.Http && not (row.SkipsHttp && settings.InProcess)

    /// Launches after which a run ends, however wide its intervals are.
    let mostLaunches = 50

    /// Half an hour for twenty rows, less where the machine is quiet.
    let full =
        {
            Seed = 1
            Launches = 5
            Width = Some 0.05
            Pairs = 20
            SliceMilliseconds = 120
            WarmUp = { FloorMilliseconds = 1200; LimitMilliseconds = 4000 }
            HttpWarmUp = { FloorMilliseconds = 2500; LimitMilliseconds = 6000 }
            Connections = 32
            InProcess = true
            Http = true
            PatienceMilliseconds = 60000
            Margin = 0.03
            SharedCore = false
            BudgetSeconds = Some 1800.0
            StealLimit = 0.05
            BytesOnly = false
        }

    /// Two minutes for nine rows, three of them over HTTP as well: 26 s for each of four launches, and time for another one of
    /// the measure whose control misses. A process is warm after 0.6 s of CPU in process, and its server after as much more;
    /// an earlier slice measures the compiler. A short run therefore has few pairs, and the full warm-up. Launches that differ
    /// by 3 % give intervals as narrow with four as with five, because a median of an even number is a mean of two; with six
    /// they are an eighth narrower.
    let quick =
        { full with
            Launches = 4
            Width = None
            Pairs = 7
            SliceMilliseconds = 40
            WarmUp = { FloorMilliseconds = 600; LimitMilliseconds = 1600 }
            HttpWarmUp = { FloorMilliseconds = 600; LimitMilliseconds = 1400 }
            BudgetSeconds = Some 125.0
        }

    /// For more rows than that: three launches, and so wider intervals.
    let quickOfMany = { quick with Launches = 3; BudgetSeconds = Some 170.0 }

    /// A warm-up with a given CPU time: half as long again on the wall at most, if it is not flat.
    let warmedFor (milliseconds: int) : WarmUp =
        { FloorMilliseconds = milliseconds; LimitMilliseconds = 3 * milliseconds / 2 }

    /// Smallest and largest value of each number that may be set.
    let ranges =
        {|
            Seed = (0, System.Int32.MaxValue)
            Launches = (1, 50)
            Width = (0.005, 1.0)
            Margin = (0.001, 0.5)
            Pairs = (1, 1000)
            SliceMilliseconds = (10, 60000)
            WarmUpMilliseconds = (100, 60000)
            Connections = (1, 1024)
            PatienceMilliseconds = (100, 600000)
        |}
