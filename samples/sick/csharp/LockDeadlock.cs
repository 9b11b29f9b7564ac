// Two workers take two locks, each in another order: each has the one that the other waits for. Instead: the same order everywhere.
// doctor: HUNG
using System.Runtime.CompilerServices;

namespace Sick;

sealed class Account;

static class Transfers
{
    static readonly Account Mine = new(), Yours = new();
    static readonly CountdownEvent BothHold = new(2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Move(Account from, Account to)
    {
        lock (from)
        {
            BothHold.Signal();
            BothHold.Wait();
            lock (to) // hangs
                Console.Error.WriteLine("moved");
        }
    }

    public static void Start()
    {
        Task.Run(() => Move(Mine, Yours));
        Task.Run(() => Move(Yours, Mine));
    }
}
