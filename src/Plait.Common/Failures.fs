// The errors that end a verb with a sentence: the request cannot be done, a child process failed, or the run cannot go on. Every
// layer may raise them; only the tool turns them into exit codes.
namespace Plait.Common

open System

/// The user's request cannot be done: an unknown name, a number out of range, a port that is taken. `Message` is one
/// sentence with the subject, the place, the reason and the remedy. The tool ends with exit code 2.
type BadInput(message: string) =
    inherit Exception(message)

/// A process that this program started crashed, hung, or gave a wrong answer. `Message` is one sentence.
type WorkerFailed(subject: string, message: string) =
    inherit Exception(message)
    /// Whose process failed: the id of a row, or a part of this program.
    member _.Subject = subject

/// The run cannot go on although some of it is measured: the results have the figures so far. The tool ends with exit
/// code 1.
type RunFailed(message: string) =
    inherit Exception(message)
