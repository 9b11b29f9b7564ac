// The evaluator as a process.
using Microsoft.FSharp.Core;
using Plait.Lab.Host;

namespace Plait.Candidate;

internal static class Start
{
    private static int Main(string[] arguments) =>
        Worker.run(
            FuncConvert.FromFunc((bool syncFn) => (Engine)new EvaluatorEngine(new FunctionTable(syncFn))),
            arguments);
}
