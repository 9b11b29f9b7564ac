// The cases that tests run over, as data, and what a program did, as text: two programs that did the same have the same
// text.
namespace Plait.Tests

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Tests.Programs

module Trace =
    /// Starts a program. A builder that lets synchronous exceptions out may do so.
    let start (promise: Promise) (program: unit -> Task) : Task =
        try
            program ()
        with error when not promise.Captures ->
            Task.FromException error

    /// Starts a program and tells what it did: its log, and how it ended. A builder that lets synchronous exceptions out
    /// may do so; of the others that is part of the trace.
    let run (promise: Promise) (manner: Manner) (program: Given -> Task) : string =
        let given = Given manner

        let started = start promise (fun () -> program given)

        Within.ended $"The program ({manner})" started

        let ending =
            if started.IsCompletedSuccessfully then
                "succeeded"
            else
                let error = Within.error "It" started

                let cancelled =
                    started.IsCanceled || (not promise.Captures && error :? OperationCanceledException)

                let kind = if cancelled then "cancelled" else "faulted"

                let which =
                    match error with
                    // a cancelled Task makes a new exception: the same token, not the same instance
                    | :? OperationCanceledException as error when manner.Cancels ->
                        if error.CancellationToken = given.Token then
                            "with its token"
                        else
                            "with another token"
                    | error when obj.ReferenceEquals(error, given.Error) -> "by the source"
                    | error -> $"{error.GetType().Name}: {error.Message}"

                $"{kind}, {which}"

        String.Join("\n", given.Entries @ [ ending ])

/// The turns of a loop: the third one cancels, and a loop that goes on fails.
type Turns(source: CancellationTokenSource) =
    let mutable count = 0

    member _.Count = count

    member _.Next() =
        count <- count + 1

        if count = 3 then
            source.Cancel()
        elif count > 40 then
            failwith "The loop goes on."

module Cases =
    /// A case of a builder, with what else it is about. Its trait is what the tests of the other builders are found by
    /// (`Others` in Directory.Build.props): nothing else is run with them.
    let row (promise: Promise) (about: obj list) : TheoryDataRow =
        let row = TheoryDataRow(Array.ofList (box promise.Name :: about))
        row.Traits["over"] <- HashSet [ "builders" ]
        row

    let private named (name: string) (all: 'a seq) =
        all
        |> Seq.tryFind (fun one -> string (box one) = name)
        |> Option.defaultWith (fun () -> failwith $"There is no {name}.")

    /// By name, so that a test case can be named and found.
    let subject (name: string) : Subject = named name Catalogue.subjects

    let result (name: string) : ResultSubject = named name Catalogue.results

    let kinds (name: string) : Manner list =
        Manner.kinds |> List.find (fst >> (=) name) |> snd

    /// Whether to start on a context of the caller's, where what a program sees is to be as in C#: not that of a builder
    /// which leaves it.
    let homes (promise: Promise) =
        if promise.Affine then [ false; true ] else [ false ]

    /// Every builder.
    let builders = [| for subject in Catalogue.subjects -> row subject.Promise [] |]

    /// Every builder with a result.
    let resultBuilders =
        [| for subject in Catalogue.results -> row subject.Promise [] |]

    /// Every builder and every kind of completion.
    let buildersByKind =
        [|
            for subject in Catalogue.subjects do
                for kind, _ in Manner.kinds -> row subject.Promise [ kind ]
        |]

    /// Every builder, every program of a group, every kind of completion.
    let programsByKind (programs: Subject -> (string * (Given -> Task)) list) =
        [|
            for subject in Catalogue.subjects do
                for name, _ in programs subject do
                    for kind, _ in Manner.kinds -> row subject.Promise [ name; kind ]
        |]

    /// What is expected of each case in each manner, found out once: the programs of every builder are compared with it.
    let oracle (trace: 'Case -> Manner -> string) : 'Case -> Manner -> string =
        let traces = ConcurrentDictionary<struct ('Case * string), string>()
        fun case manner -> traces.GetOrAdd(struct (case, manner.Name), (fun _ -> trace case manner))

    /// Runs a program in every manner of a kind, and compares with what is expected in that manner.
    let compare (promise: Promise) (kind: string) (program: Given -> Task) (expected: Manner -> string) =
        for manner in kinds kind do
            Assert.Equal($"{manner}\n{expected manner}", $"{manner}\n{Trace.run promise manner program}")
