// Thread.Sleep in the handler of an exception, before the next try: the runtime shows the handler's frame at the statement that threw.
// `await Task.Delay(...)` waits without a thread.
// doctor: STARVED sleep
// function: Backups.Append
using System.Runtime.CompilerServices;

namespace Sick;

static class Backups
{
    static readonly string Name = Path.Combine(Path.GetTempPath(), $"plait-sick-{Environment.ProcessId}", "none");

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Append(int order)
    {
        for (var tries = 1; tries <= 10; tries++)
        {
            try
            {
                using var file = new FileStream(Name, FileMode.Open);
                file.WriteByte(1);
            }
            catch (IOException)
            {
                Thread.Sleep(300); // blamed
            }
        }
    }

    public static void Start() => Load.Backlog(Append);
}
