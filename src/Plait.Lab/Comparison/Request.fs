// What is asked of the runner, and how a run may end.
namespace Plait.Lab.Scenarios

/// Everything a run needs besides the scenario.
type Request =
    {
        /// How to measure.
        Settings: Settings
        /// What to measure: the base and the control among them.
        Rows: RowPlan list
        /// The executable and arguments that become the load generator.
        Generator: string list
        /// The command that the user gave, for the results.
        Command: string
        /// The folder whose SDK and commit are noted.
        Repository: string
    }

/// How a run ended.
type Ending =
    /// Every row was dealt with (some may have failed).
    | Completed
    /// It was told to stop.
    | Stopped
    /// It could not go on; why.
    | Broken of sentence: string
