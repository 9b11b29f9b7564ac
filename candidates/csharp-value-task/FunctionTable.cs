// The table of functions: those that evaluate or wait, and those that only compute, which the factor sync-fn calls
// without a wrapper.
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Plait.Lab.Host;
using Plait.Lab.Language;

namespace Plait.Candidate;

using Outcome = FSharpResult<Dval, Unit>;

internal sealed class FunctionTable
{
    private static readonly Outcome NotTheseArguments = Outcome.NewError(null!);

    /// <summary>All functions by name.</summary>
    public FSharpMap<FnId, BuiltIn> Functions { get; }

    /// <summary>With <paramref name="syncFn"/> functions that only compute are called without a wrapper.</summary>
    public FunctionTable(bool syncFn)
    {
        var all = new List<BuiltIn>
        {
            new AsyncBuiltIn(Library.listMap, ListMap),
            new AsyncBuiltIn(Library.httpGet, HttpGet),
        };
        foreach (var (signature, run) in Traced.pureFunctions())
            all.Add(syncFn ? new SyncBuiltIn(signature, run) : new AsyncBuiltIn(signature, Wrap(run)));
        Functions = new(all.Select(fn => Tuple.Create(fn.Signature.Id, fn)));
    }

    private async ValueTask<Outcome> ListMap(FSharpList<Dval> arguments)
    {
        if (arguments.Length == 2
            && arguments[0] is Dval.DList list
            && arguments[1] is Dval.DLambda { parameters.Length: 1 } lambda)
        {
            var values = await Evaluator.MapItems(
                Functions, lambda.table, lambda.parameters.Head, lambda.body, list.Item);
            return Outcome.NewOk(DvalModule.ofList(values));
        }
        return NotTheseArguments;
    }

    private static async ValueTask<Outcome> HttpGet(FSharpList<Dval> arguments) =>
        arguments.Length == 1 && arguments[0] is Dval.DString url
            ? Outcome.NewOk(Dval.NewDString(await Upstream.get(url.Item)))
            : NotTheseArguments;

    // An async method without an await is the wrapper that is measured.
#pragma warning disable CS1998
    private static Func<FSharpList<Dval>, ValueTask<Outcome>> Wrap(FSharpFunc<FSharpList<Dval>, Outcome> run) =>
        async arguments => run.Invoke(arguments);
#pragma warning restore CS1998
}
