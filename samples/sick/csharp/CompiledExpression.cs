// Thread.Sleep in an expression that is compiled at run time: its code has no place in a source, so the line that calls it is blamed.
// Wait outside of it, without a thread.
// doctor: STARVED sleep
// function: Discounts.Apply
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
namespace Sick;

static class Discounts
{
    static readonly Func<int, int> Rule = Compile();

    static Func<int, int> Compile()
    {
        var order = Expression.Parameter(typeof(int));
        var sleep = typeof(Thread).GetMethod(nameof(Thread.Sleep), [typeof(int)])!;
        return Expression
            .Lambda<Func<int, int>>(Expression.Block(Expression.Call(sleep, Expression.Constant(400)), order), order)
            .Compile();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Apply(int order)
    {
        var price = Rule(order); // blamed
        return price + 1;
    }

    /// <summary>Waits without a thread.</summary>
    public static async Task<int> Cured(int order)
    {
        await Task.Delay(400);
        return order + 1;
    }

    public static void Start() => Load.Backlog(order => Apply(order));
}
