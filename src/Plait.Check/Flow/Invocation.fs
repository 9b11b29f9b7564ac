// A call that is interpreted, with values for its arguments and the object for its result.
namespace Plait.Check

open FSharp.Compiler.Text

type internal Invocation =
    {
        Code: Code
        Callee: Callee
        /// The effects of the callee, if the table or the awaitable pattern has them.
        Effects: Effect list
        Arguments: Value list
        Result: int
    }

    static member Of
        (session: Session, code: Code, callee: Callee, effects: Effect list, arguments: Value list)
        : Invocation =
        {
            Code = code
            Callee = callee
            Effects = effects
            Arguments = arguments
            Result = Operations.made session code arguments
        }

    member call.At: range = call.Code.At

    /// An argument by its number; Unknown for one that is not given.
    member call.Argument(index: int) : Value =
        List.tryItem index call.Arguments |> Option.defaultValue Unknown

    /// Whether an argument other than the first is given. A parameter that is not given is None.
    member call.HasOptions: bool =
        let isGiven (option: Value) =
            match option with
            | Case([], cases) -> cases |> List.exists (fst >> (<>) "None")
            | _ -> true

        match call.Arguments with
        | [] -> false
        | _ :: options -> List.exists isGiven options

    /// The argument of the first effect that `choose` accepts.
    member call.ArgumentOf(choose: Effect -> int option) : Value option =
        List.tryPick choose call.Effects |> Option.map call.Argument

    /// The use of its arguments, as a participle.
    member call.How: string = $"used by {call.Callee.Short}"
