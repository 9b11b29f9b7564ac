// The two ways in which the lab ends in a sentence for the reader: it cannot do the request, or something broke in
// the run. Every layer may raise them; only the tool turns them into exit codes.
namespace Plait.Common

open System

/// The user's request cannot be done: an unknown name, a number out of range, a port that is taken. `Message` is one
/// sentence with the subject, the place, the reason and the remedy. The tool ends with exit code 2.
type BadInput(message: string) =
    inherit Exception(message)

/// A process that the lab started crashed, hung, or gave a wrong answer.
/// `Message` is one sentence; `Subject` is the id of the row (or the part of the lab) whose process it was.
type WorkerFailed(subject: string, message: string) =
    inherit Exception(message)
    /// Whose process failed.
    member _.Subject = subject

/// The run cannot go on although some of it is measured: the results have the figures so far. The tool ends with exit
/// code 1.
type RunFailed(message: string) =
    inherit Exception(message)
