// Why a process cannot be looked at: one sentence each, with the remedy. Every route ends in one of these.
namespace Plait.Doctor

/// The process could not be looked at. `Message` is one sentence: the process, the reason, and the remedy.
type CannotAttach(pid: int, message: string) =
    inherit System.Exception(message)
    member _.Pid = pid

/// It is there and may be looked at, but did not answer in the time it had.
type NoAnswer(pid: int, message: string) =
    inherit CannotAttach(pid, message)
