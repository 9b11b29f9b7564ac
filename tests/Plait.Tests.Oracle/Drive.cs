namespace Plait.Tests.Oracle;

/// <summary>Calls and awaits a program from an async method, and notes what the caller sees.</summary>
public static class Drive
{
    /// <summary>What the caller, who may have suppressed the flow of the context, sees before, behind the call, behind the await, and how it ends.</summary>
    public static async Task Observe(World caller, Exception expected, bool suppressed, Func<Task> start)
    {
        Ambient.Value = 1;
        caller.Read();

        try
        {
            AsyncFlowControl? flow = suppressed ? ExecutionContext.SuppressFlow() : null;
            Task operation;

            try
            {
                operation = start();
            }
            finally
            {
                flow?.Undo();
            }

            caller.Note(ExecutionContext.IsFlowSuppressed() ? "flow suppressed" : "flows");
            caller.Read();
            await operation;
            caller.Note("ended");
        }
        catch (Exception error)
        {
            caller.Note(ReferenceEquals(error, expected) ? "caught" : $"caught another: {error}");
        }

        caller.Read();
        await Task.Yield();
        caller.Read();
    }
}
