// The evaluator as a process.
using Microsoft.FSharp.Core;
using Plait.Lab.Host;
using Plait.Lab.Language;

namespace Plait.Candidate;

internal sealed class ValueTaskEngine(FunctionTable table) : Engine
{
    public override ValueTask<Dval> Start(Expr program) =>
        Evaluator.Eval(table.Functions, SymbolTableModule.empty, program);
}

internal static class Start
{
    private static int Main(string[] arguments) =>
        Worker.run(
            FuncConvert.FromFunc((bool syncFn) => (Engine)new ValueTaskEngine(new FunctionTable(syncFn))),
            arguments);
}
