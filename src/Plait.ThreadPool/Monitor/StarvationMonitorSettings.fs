// Layer: monitor. The settings of the monitor of the thread pool.
namespace Plait

open System
open System.Collections.Generic
open System.IO

/// <summary>The settings of a <see cref="T:Plait.StarvationMonitor" />, which copies them when it is made.</summary>
[<Sealed>]
type StarvationMonitorSettings() =
    let mutable command = ""
    let mutable arguments: IReadOnlyList<string> = [||]
    let mutable folder = Path.GetTempPath()

    /// How often the pool is looked at. 100 ms unless set.
    member val Interval = TimeSpan.FromMilliseconds 100. with get, set

    /// The age of the waiting work item that is an alarm. 500 ms unless set: on a healthy pool an item waited 5 ms at most, on a
    /// starved one a second and more.
    member val Threshold = TimeSpan.FromMilliseconds 500. with get, set

    /// A command to run on an alarm, as `plait`; empty, which it is unless set: none.
    member _.Command
        with get () = command
        and set (value: string) =
            ArgumentNullException.ThrowIfNull(value, nameof value)
            command <- value

    /// Its arguments. In each, `{pid}` stands for the id of this process and `{file}` for the path of a new file.
    member _.Arguments
        with get () = arguments
        and set (value: IReadOnlyList<string>) =
            ArgumentNullException.ThrowIfNull(value, nameof value)
            arguments <- value

    /// Where the files are. The folder for temporary files unless set.
    member _.Folder
        with get () = folder
        and set (value: string) =
            ArgumentNullException.ThrowIfNull(value, nameof value)
            folder <- value

    /// The least time from one run of the command to the next. 5 minutes unless set.
    member val CoolDown = TimeSpan.FromMinutes 5. with get, set

    /// The time after which the command is stopped. A minute unless set.
    member val CommandLimit = TimeSpan.FromMinutes 1. with get, set
