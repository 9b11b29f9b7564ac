// The wrapped evaluator in C#: every node, call, function and step of a list is an async method.
using Microsoft.FSharp.Collections;
using Plait.Lab.Language;

namespace Plait.Candidate;

using Functions = FSharpMap<FnId, BuiltIn>;
using SymbolTable = FSharpMap<string, Dval>;

internal static class Evaluator
{
    /// <summary>Evaluates <paramref name="expr"/> with the names in <paramref name="table"/>.</summary>
    public static async ValueTask<Dval> Eval(Functions functions, SymbolTable table, Expr expr)
    {
        switch (expr.Tag)
        {
            case Expr.Tags.EInt:
                return Dval.NewDInt(((Expr.EInt)expr).Item);
            case Expr.Tags.EString:
                return Dval.NewDString(((Expr.EString)expr).Item);
            case Expr.Tags.ELet:
            {
                var let = (Expr.ELet)expr;
                var value = await Eval(functions, table, let.rhs);
                return await Eval(functions, table.Add(let.name, value), let.body);
            }
            case Expr.Tags.EVariable:
                return SymbolTableModule.get(((Expr.EVariable)expr).name, table);
            case Expr.Tags.ECall:
            {
                var node = (Expr.ECall)expr;
                if (functions.TryFind(node.id) is not { } found)
                    return Dval.NewDError(RuntimeError.NewNotAFunction(node.id));
                return await Call(found.Value, await EvalList(functions, table, node.arguments));
            }
            case Expr.Tags.EBinary:
            {
                var node = (Expr.EBinary)expr;
                if (functions.TryFind(node.id) is not { } found)
                    return Dval.NewDError(RuntimeError.NewNotAFunction(node.id));
                var left = await Eval(functions, table, node.left);
                var right = await Eval(functions, table, node.right);
                return await Call(found.Value, Prepend(left, Prepend(right, FSharpList<Dval>.Empty)));
            }
            case Expr.Tags.ELambda:
            {
                var lambda = (Expr.ELambda)expr;
                return Dval.NewDLambda(table, lambda.parameters, lambda.body);
            }
            default:
            {
                var node = (Expr.EIf)expr;
                var condition = await Eval(functions, table, node.condition);
                if (condition is Dval.DBool flag)
                    return await Eval(functions, table, flag.Item ? node.thenBranch : node.elseBranch);
                return Dval.NewDError(RuntimeError.NewConditionNotABool(condition));
            }
        }
    }

    /// <summary>Applies a function value of one parameter to the items, one after the other.</summary>
    public static async ValueTask<FSharpList<Dval>> MapItems(
        Functions functions, SymbolTable table, string parameter, Expr body, FSharpList<Dval> items)
    {
        if (items.IsEmpty)
            return items;
        var value = await Apply(functions, table, parameter, body, items.HeadOrDefault);
        var values = await MapItems(functions, table, parameter, body, items.TailOrNull);
        return Prepend(value, values);
    }

    // The first error among the arguments is the result.
    private static async ValueTask<Dval> Call(BuiltIn fn, FSharpList<Dval> arguments)
    {
        var error = DvalModule.firstError(arguments);
        if (error.IsSome)
            return error.Value;
        var result = fn is SyncBuiltIn plain
            ? plain.Run.Invoke(arguments)
            : await ((AsyncBuiltIn)fn).Run(arguments);
        return result.IsOk
            ? result.ResultValue
            : Dval.NewDError(RuntimeError.NewWrongTypes(fn.Signature.Id, arguments, fn.Signature.Parameters));
    }

    private static async ValueTask<FSharpList<Dval>> EvalList(
        Functions functions, SymbolTable table, FSharpList<Expr> exprs)
    {
        if (exprs.IsEmpty)
            return FSharpList<Dval>.Empty;
        var value = await Eval(functions, table, exprs.HeadOrDefault);
        var values = await EvalList(functions, table, exprs.TailOrNull);
        return Prepend(value, values);
    }

    // One application of a function value.
    private static async ValueTask<Dval> Apply(
        Functions functions, SymbolTable table, string parameter, Expr body, Dval argument) =>
        await Eval(functions, table.Add(parameter, argument), body);

    private static FSharpList<Dval> Prepend(Dval head, FSharpList<Dval> tail) =>
        FSharpList<Dval>.Cons(head, tail);
}
