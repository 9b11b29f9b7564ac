// Layer: functions. Functions as values that runtime-async code calls without a Task. The JIT calls an async method behind an
// abstract member of a class; behind an F# function value, whose result is a type variable, it cannot.
namespace Plait.RuntimeAsync

open System.Threading.Tasks

/// <summary>An asynchronous function of one argument, as a value. Awaiting <c>f.Invoke x</c> in runtime-async code costs about
/// 2 ns more than a direct call; through an F# function value four times that, and a Task where the function returns one.</summary>
[<AbstractClass>]
type AsyncFunc<'A, 'T>() =
    /// Calls the function.
    abstract Invoke: 'A -> ValueTask<'T>

/// An asynchronous function of two arguments, as a value.
[<AbstractClass>]
type AsyncFunc<'A, 'B, 'T>() =
    /// Calls the function.
    abstract Invoke: 'A * 'B -> ValueTask<'T>

/// An asynchronous function of three arguments, as a value.
[<AbstractClass>]
type AsyncFunc<'A, 'B, 'C, 'T>() =
    /// Calls the function.
    abstract Invoke: 'A * 'B * 'C -> ValueTask<'T>

/// <summary>Makes AsyncFuncs of functions, and functions of AsyncFuncs.</summary>
/// <remarks>Give <c>ofFun</c> a lambda that calls a named function: <c>AsyncFunc.ofFun (fun x -> run x)</c>, where <c>run</c> is a
/// function of a module, a member or a local function. F# makes a method of that, and a closure of a lambda that has the code
/// itself, which allocates 24 bytes a call.</remarks>
[<RequireQualifiedAccess>]
module AsyncFunc =

    /// A function that returns a ValueTask.
    let inline ofFun ([<InlineIfLambda>] f: 'A -> ValueTask<'T>) : AsyncFunc<'A, 'T> =
        { new AsyncFunc<'A, 'T>() with
            member _.Invoke a = f a
        }

    /// A function of two arguments that returns a ValueTask.
    let inline ofFun2 ([<InlineIfLambda>] f: 'A -> 'B -> ValueTask<'T>) : AsyncFunc<'A, 'B, 'T> =
        { new AsyncFunc<'A, 'B, 'T>() with
            member _.Invoke(a, b) = f a b
        }

    /// A function of three arguments that returns a ValueTask.
    let inline ofFun3 ([<InlineIfLambda>] f: 'A -> 'B -> 'C -> ValueTask<'T>) : AsyncFunc<'A, 'B, 'C, 'T> =
        { new AsyncFunc<'A, 'B, 'C, 'T>() with
            member _.Invoke(a, b, c) = f a b c
        }

    /// A function that returns a Task, which each call makes.
    let inline ofTaskFun ([<InlineIfLambda>] f: 'A -> Task<'T>) : AsyncFunc<'A, 'T> =
        { new AsyncFunc<'A, 'T>() with
            member _.Invoke a = ValueTask<'T>(f a)
        }

    /// A function of two arguments that returns a Task, which each call makes.
    let inline ofTaskFun2 ([<InlineIfLambda>] f: 'A -> 'B -> Task<'T>) : AsyncFunc<'A, 'B, 'T> =
        { new AsyncFunc<'A, 'B, 'T>() with
            member _.Invoke(a, b) = ValueTask<'T>(f a b)
        }

    /// A function of three arguments that returns a Task, which each call makes.
    let inline ofTaskFun3 ([<InlineIfLambda>] f: 'A -> 'B -> 'C -> Task<'T>) : AsyncFunc<'A, 'B, 'C, 'T> =
        { new AsyncFunc<'A, 'B, 'C, 'T>() with
            member _.Invoke(a, b, c) = ValueTask<'T>(f a b c)
        }

    /// The function as an F# function that returns a ValueTask.
    let toFun (f: AsyncFunc<'A, 'T>) : 'A -> ValueTask<'T> = f.Invoke

    /// The function of two arguments as an F# function that returns a ValueTask.
    let toFun2 (f: AsyncFunc<'A, 'B, 'T>) : 'A -> 'B -> ValueTask<'T> = fun a b -> f.Invoke(a, b)

    /// The function of three arguments as an F# function that returns a ValueTask.
    let toFun3 (f: AsyncFunc<'A, 'B, 'C, 'T>) : 'A -> 'B -> 'C -> ValueTask<'T> =
        fun a b c -> f.Invoke(a, b, c)

    /// The function as an F# function that returns a Task.
    let toTaskFun (f: AsyncFunc<'A, 'T>) : 'A -> Task<'T> = fun a -> f.Invoke(a).AsTask()

    /// The function of two arguments as an F# function that returns a Task.
    let toTaskFun2 (f: AsyncFunc<'A, 'B, 'T>) : 'A -> 'B -> Task<'T> = fun a b -> f.Invoke(a, b).AsTask()

    /// The function of three arguments as an F# function that returns a Task.
    let toTaskFun3 (f: AsyncFunc<'A, 'B, 'C, 'T>) : 'A -> 'B -> 'C -> Task<'T> =
        fun a b c -> f.Invoke(a, b, c).AsTask()

    /// The results of the function for each item, in order, with at most `limit` calls under way. After an error nothing more is
    /// started; the calls under way are awaited, then the first error in order is the result.
    let mapThrottled (limit: int) (f: AsyncFunc<'A, 'T>) (items: seq<'A>) : Task<'T[]> =
        items |> Plait.Task.mapThrottled limit (fun item -> f.Invoke(item).AsTask())
