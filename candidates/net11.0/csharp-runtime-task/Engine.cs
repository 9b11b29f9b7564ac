// The evaluator as the host wants it.
using Plait.Lab.Host;
using Plait.Lab.Language;

namespace Plait.Candidate;

internal sealed class EvaluatorEngine(FunctionTable table) : Engine
{
    public override ValueTask<Dval> Start(Expr program) =>
        new(Evaluator.Eval(table.Functions, SymbolTableModule.empty, program));
}
