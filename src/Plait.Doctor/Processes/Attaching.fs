// The exceptions for a process that the doctor cannot look at: one sentence each, with the remedy. Every route raises one of
// these.
namespace Plait.Doctor

/// The process could not be looked at. `Message` is one sentence: the process, the reason, and the remedy.
type CannotAttach(pid: int, message: string) =
    inherit System.Exception(message)
    member _.Pid = pid

/// The process exists and may be looked at, but did not answer in time.
type NoAnswer(pid: int, message: string) =
    inherit CannotAttach(pid, message)
