// The two ways in which the lab ends in a sentence for the reader: what was asked cannot be done, or something
// broke while it was done. Every layer may raise them; only the tool turns them into exit codes.
namespace Plait.Common

open System

/// What the user asked for cannot be done: an unknown name, a number out of range, a port that is taken.
/// `Message` is one sentence that says what, where, why and what to do. The tool ends with exit code 2.
type BadInput(message: string) =
    inherit Exception(message)

/// A process that the lab started crashed, hung, or answered something that is not an answer.
/// `Message` is one sentence; `Subject` is the id of the row (or the part of the lab) whose process it was.
type WorkerFailed(subject: string, message: string) =
    inherit Exception(message)
    /// Whose process failed.
    member _.Subject = subject

/// The run cannot go on although some of it is measured: what is measured so far is in the results.
/// The tool ends with exit code 1.
type RunFailed(message: string) =
    inherit Exception(message)
