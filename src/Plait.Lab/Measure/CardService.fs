// The card service: the program that adapters and FizzBoom wait for. It answers with cards; its options set
// the delay and the share of failures.
namespace Plait.Lab

open System.Globalization
open System.IO

open Plait.Lab.Cards

/// How the card service behaves.
type CardServiceSettings =
    {
        /// The seed of the cards, of delays and of errors.
        Seed: int
        Delay: Delay
        /// The share of requests that it fails.
        ErrorRate: float
    }

/// Its process, and the programs that are built with it.
module CardService =
    /// The subject of its failures.
    let subject = "the card service"

    /// The assembly of one of the programs in candidates/adapter, below the folder of the built candidates. Raises BadInput
    /// when it is not there.
    let assembly (folder: string) (name: string) : string =
        BuiltProgram.assembly folder (Path.Combine("adapter", name)) name

    /// Starts it on `core`; returns it with its address. `folder`: that of the built candidates.
    let start
        (folder: string)
        (settings: CardServiceSettings)
        core
        (patience: int)
        : CandidateProcess * string =
        let arguments =
            [
                string settings.Seed
                Delay.show settings.Delay
                settings.ErrorRate.ToString CultureInfo.InvariantCulture
            ]

        let service =
            CandidateProcess.Start(
                subject,
                assembly folder "Plait.Lab.CardService",
                arguments,
                CandidateProcess.Variables,
                core,
                patience
            )

        Started.andThen service (fun () -> service, $"http://127.0.0.1:{service.Serve 0}/")
