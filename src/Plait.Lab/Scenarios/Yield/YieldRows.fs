// The rows of the scenario yield as data: their names, and the published figures of the same way of writing.
namespace Plait.Lab

open System.IO

open Plait.Common
open Plait.Report

/// A row of PooledAwait's table, on .NET Core 3.
type PublishedYield =
    {
        /// Its name in the table.
        Variant: string
        /// Time for an operation.
        Microseconds: float
        /// Bytes for an operation.
        Bytes: float
    }

/// One row: two yields, then a return.
type YieldRow =
    {
        /// Its name, and the argument of its process.
        Name: string
        /// How it is shown.
        Label: string
        Family: Family
        /// The library it is named after; None: the runtime's own.
        Library: string option
        /// The published figures of it, or of the like of another library.
        Published: PublishedYield option
    }

/// The rows of the scenario yield.
module YieldRows =
    let private row family library name label published : YieldRow =
        { Name = name; Label = label; Family = family; Library = library; Published = published }

    let private published variant microseconds bytes =
        Some { Variant = variant; Microseconds = microseconds; Bytes = bytes }

    let private csharp name label = row Family.CSharp None name label

    let private ours name label =
        row Family.Plait (Some "Plait") name label

    /// All of them: C# and the BCL, F# and its libraries, Plait in C#, Plait in F#.
    let all: YieldRow list =
        [
            row Family.Base None "csharp-task-t" "C# async Task<T>" (published ".NET Task<T>" 1.397 120.0)
            row Family.Control None "csharp-task-t-again" "C# async Task<T>, again" None
            csharp "csharp-task" "C# async Task" (published ".NET Task" 1.390 112.0)
            csharp "csharp-value-task-t" "C# async ValueTask<T>" (published ".NET ValueTask<T>" 1.405 128.0)
            csharp "csharp-value-task" "C# async ValueTask" (published ".NET ValueTask" 1.408 120.0)
            csharp "csharp-pooling-t" "C# ValueTask<T>, BCL pooling" None
            csharp "csharp-pooling" "C# ValueTask, BCL pooling" None
            row Family.FSharp (Some "FSharp.Core") "fsharp-task" "task { }" None
            row Family.FSharp (Some "FSharp.Core") "fsharp-async" "async { }" None
            ours "csharp-pooled-task-t" "C# async PooledTask<T>" (published "pooled Task<T>" 1.349 72.0)
            ours "csharp-pooled-task" "C# async PooledTask" (published "pooled Task" 1.361 72.0)
            ours
                "csharp-pooled-value-task-t"
                "C# async PooledValueTask<T>"
                (published "pooled ValueTask<T>" 1.374 0.0)
            ours
                "csharp-pooled-value-task"
                "C# async PooledValueTask"
                (published "pooled ValueTask" 1.366 0.0)
            ours "csharp-pooled-task-t-by-attribute" "C# Task<T>, pooled by attribute" None
            ours "csharp-pooled-task-by-attribute" "C# Task, pooled by attribute" None
            ours "csharp-pooled-value-task-t-by-attribute" "C# ValueTask<T>, by attribute" None
            ours "csharp-pooled-value-task-by-attribute" "C# ValueTask, by attribute" None
            ours "plait-task" "Tasks.task { }" None
            ours "plait-task-unit" "Tasks.taskUnit { }" None
            ours "pooled-task" "pooledTask { }" None
            ours "pooled-task-unit" "pooledTaskUnit { }" None
            ours "value-task" "valueTask { }" None
            ours "value-task-unit" "valueTaskUnit { }" None
            ours "pooled-value-task" "pooledValueTask { }" None
            ours "pooled-value-task-unit" "pooledValueTaskUnit { }" None
            ours "pooled-value-task-unsafe" "Unsafe.pooledValueTask { }" None
            ours "strand" "strand { }" None
            ours "strand-unsafe" "Unsafe.strand { }" None
            ours "strand-bare" "Unsafe.Bare.strand { }" None
            ours "strand-guarded" "Guarded.strand { }" None
        ]

    /// The rows as candidates whose program lies below `folder`, the folder of all candidates. Raises BadInput when it is
    /// not there.
    let candidates (folder: string) : Candidate list =
        let assembly = Path.Combine(Path.GetFullPath folder, "yields", "yields.dll")

        if not (File.Exists assembly) then
            raise (
                BadInput
                    $"there is no {assembly}, the program that holds the rows of this scenario; build it with 'make build', or name another folder with --candidates"
            )

        all
        |> List.mapi (fun order row ->
            {
                Name = row.Name
                Label = row.Label
                Family = row.Family
                Library = row.Library
                Factors = []
                Blocks = false
                Order = order
                Published = []
                Description = ""
                Assembly = assembly
                Arguments = [ row.Name ]
                Absence = None
            })
