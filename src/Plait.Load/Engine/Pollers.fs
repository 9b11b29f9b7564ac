// Which poller this machine has.
module internal Plait.Load.Pollers


open System

/// The best there is here.
let create () : Poller =
    if OperatingSystem.IsLinux() then new EpollPoller() else new SelectPoller()
