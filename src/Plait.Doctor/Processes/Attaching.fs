// Why a process cannot be looked at: one sentence each, with what to do. Every route ends in one of these.
namespace Plait.Doctor

/// The process could not be looked at. `Message` is one sentence: what, why, and what to do.
type CannotAttach(pid: int, message: string) =
    inherit System.Exception(message)
    member _.Pid = pid

/// It is there and may be looked at, but did not answer in the time it had.
type NoAnswer(pid: int, message: string) =
    inherit CannotAttach(pid, message)
