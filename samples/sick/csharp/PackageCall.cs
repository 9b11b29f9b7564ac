// A package whose synchronous call waits for a task, as many a driver of a database does: the program's line that calls it is the one to
// change. Instead: the asynchronous form, `using (await Turn.LockAsync())`.
// doctor: STARVED task wait
// function: Books.Post
using System.Runtime.CompilerServices;
using Nito.AsyncEx;

namespace Sick;

static class Books
{
    static readonly AsyncLock Turn = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Post(int order)
    {
        using (Turn.Lock()) // blamed
            Console.Error.WriteLine(order);
    }

    public static void Start()
    {
        // an audit that takes its time
        _ = Turn.Lock();
        Load.Backlog(Post);
    }
}
