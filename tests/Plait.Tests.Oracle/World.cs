namespace Plait.Tests.Oracle;

/// <summary>What an interpreted program can see and do; keeps the trace of what happened.</summary>
public sealed class World(SynchronizationContext? home = null)
{
    private readonly List<string> trace = [];

    /// <summary>The exception that all failing steps throw.</summary>
    public Exception Error { get; private init; } = new InvalidOperationException("thrown by the program");

    /// <summary>Whether writes of the ambient value leave their mark: off for forms that let them out.</summary>
    public bool WritesContext { get; init; } = true;

    /// <summary>What happened, in order.</summary>
    public string Trace
    {
        get
        {
            lock (trace) return string.Join("\n", trace);
        }
    }

    /// <summary>Notes something.</summary>
    public void Note(string what)
    {
        lock (trace) trace.Add(what);
    }

    /// <summary>Notes the ambient value, and whether this runs on the context the program was started on.</summary>
    public void Read() =>
        Note($"{Ambient.Value} {(SynchronizationContext.Current is null ? "nowhere" : SynchronizationContext.Current == home ? "home" : "away")}");

    /// <summary>Writes the ambient value.</summary>
    public void Write(int value)
    {
        if (WritesContext) Ambient.Value = value;
    }

    /// <summary>Does a step that needs no waiting; false: it needs some.</summary>
    public bool Did(Step step)
    {
        switch (step)
        {
            case Set set:
                Write(set.Value);
                return true;
            case Look:
                Read();
                return true;
            case Throw:
                Note("throw");
                throw Error;
            default:
                return false;
        }
    }

    /// <summary>Two items; each, the end, and the disposal come from a foreign thread.</summary>
    public IAsyncEnumerable<int> Items() => new ForeignItems(2, Note);

    /// <summary>How the awaited thing ends.</summary>
    public Ending EndingOf(Await step) => new(1, step.AtOnce, step.Fails ? Error : null);

    /// <summary>The awaited thing as a Task.</summary>
    public Task<int> TaskOf(Await step)
    {
        Exception? error = step.Fails ? Error : null;
        if (!step.AtOnce) return Foreign.Return(1, error);
        return error is null ? Task.FromResult(1) : Task.FromException<int>(error);
    }

    /// <summary>The awaited thing as a ValueTask over a source.</summary>
    public ValueTask<int> ValueTaskOf(Await step)
    {
        var source = new ManualSource();
        ValueTask<int> value = source.Next();

        void Complete()
        {
            if (step.Fails) source.Fail(Error);
            else source.Complete();
        }

        if (step.AtOnce) Complete();
        else Foreign.Run(Complete);
        return value;
    }

    /// <summary>Notes the error that a handler got, and whether it is the very one.</summary>
    public void Caught(Exception error) => Note(ReferenceEquals(error, Error) ? "caught" : $"caught another: {error}");

    /// <summary>Something to dispose.</summary>
    public Resource Open(Using step) => new(this, step);

    /// <summary>A world whose trace is put into this one later.</summary>
    public World Fork() => new(home) { WritesContext = WritesContext, Shared = this };

    /// <summary>Takes the trace of a fork.</summary>
    public void Join(World fork) => Note("{" + fork.Trace.Replace("\n", ", ") + "}");

    /// <summary>The world this one was forked from; a fork throws its exception.</summary>
    private World Shared
    {
        init => Error = value.Error;
    }
}

/// <summary>Something to dispose, at once or on a foreign thread, well or not.</summary>
public sealed class Resource(World world, Using step) : IAsyncDisposable
{
    /// <inheritdoc />
    public ValueTask DisposeAsync()
    {
        world.Note("dispose");
        world.Write(step.Written);
        Exception? error = step.Fails ? world.Error : null;
        if (step.Pending) return new ValueTask(Foreign.Return(1, error));
        if (error is not null) throw error;
        return default;
    }
}
