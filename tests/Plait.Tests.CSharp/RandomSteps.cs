using Plait.Tests.Oracle;

namespace Plait.Tests.CSharp;

/// <summary>Random programs for the interpreters, the same for the same seed.</summary>
public static class RandomSteps
{
    /// <summary>A program.</summary>
    public static Step[] Of(int seed) => Some(new Random(seed), 3);

    private static Step[] Some(Random random, int depth) =>
        [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => One(random, depth))];

    private static Step One(Random random, int depth) => random.Next(depth == 0 ? 7 : 15) switch
    {
        0 => new Set(random.Next(2, 100)),
        1 => new Look(),
        2 => new Pause(),
        3 when random.Next(3) == 0 => new Throw(),
        < 7 => new Await((Awaited)random.Next(4), random.Next(2) == 0, random.Next(6) == 0),
        7 => new Call(Some(random, depth - 1)),
        8 => new CallThenRead(Some(random, depth - 1)),
        9 => new Tail(Some(random, depth - 1)),
        10 => new Try(Some(random, depth - 1), Some(random, depth - 1)),
        11 => new Finally(Some(random, depth - 1), random.Next(2, 100)),
        12 => new Using(random.Next(2) == 0, random.Next(5) == 0, random.Next(2, 100), Some(random, depth - 1)),
        13 => new Loop(random.Next(3), Some(random, depth - 1)),
        _ => new Both(Some(random, depth - 1), Some(random, depth - 1)),
    };
}
