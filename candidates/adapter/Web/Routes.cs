// The routes: the code between a request and its cards. A process serves one of them.
using Plait.Lab.CardAdapter;

namespace Plait.Lab.CardWeb;

/// <summary>Answers requests for the cards of a name.</summary>
internal abstract class Route(Options options)
{
    /// <summary>The options of the command line.</summary>
    protected Options Options { get; } = options;

    /// <summary>Answers one request.</summary>
    public abstract Task Handle(HttpContext context, string name);

    /// <summary>A client of the card service.</summary>
    protected HttpClient NewClient() => new() { BaseAddress = Options.Upstream };
}

/// <summary>The same work inline, without an adapter: the base of every other route.</summary>
internal sealed class BaseRoute : Route
{
    private readonly HttpClient shared;

    public BaseRoute(Options options) : base(options) => shared = NewClient();

    public override async Task Handle(HttpContext context, string name)
    {
        var client = Options.ClientPerRequest ? NewClient() : shared;
        string error;
        try
        {
            using var response = await client.GetAsync(CardReading.Path(name), context.RequestAborted);
            if (response.IsSuccessStatusCode)
            {
                var body = await response.Content.ReadAsByteArrayAsync(context.RequestAborted);
                Answer.Cards(context, CardReading.Cards(name, body), Options.Padding);
                return;
            }
            error = CardReading.Refused(response.StatusCode);
        }
        catch (Exception trouble) when (CardReading.Complaint(trouble, context.RequestAborted) is { } sentence)
        {
            error = sentence;
        }
        finally
        {
            if (Options.ClientPerRequest)
                client.Dispose();
        }
        await Answer.Error(context, error);
    }
}

/// <summary>An adapter behind the contract whose results are tasks.</summary>
internal class AdapterRoute : Route
{
    private readonly Func<HttpClient, bool, ICardAdapter> make;
    private readonly ICardAdapter shared;

    public AdapterRoute(Options options, Func<HttpClient, bool, ICardAdapter> make) : base(options)
    {
        this.make = make;
        shared = make(NewClient(), true);
    }

    protected ICardAdapter Rent() => Options.ClientPerRequest ? make(NewClient(), true) : shared;

    protected void Return(ICardAdapter adapter)
    {
        if (Options.ClientPerRequest)
            adapter.Dispose();
    }

    public override async Task Handle(HttpContext context, string name)
    {
        var adapter = Rent();
        try
        {
            var result = await adapter.GetCards(name, context.RequestAborted);
            if (result.TryGet(out var cards, out var error))
                Answer.Cards(context, cards, Options.Padding);
            else
                await Answer.Error(context, error);
        }
        finally
        {
            Return(adapter);
        }
    }
}

/// <summary>The same adapter with a thread that blocks, as a bad example.</summary>
internal sealed class BlockingRoute(Options options, Func<HttpClient, bool, ICardAdapter> make)
    : AdapterRoute(options, make)
{
    public override Task Handle(HttpContext context, string name)
    {
        var adapter = Rent();
        try
        {
            return adapter.GetCards(name).Result.Match(
                cards =>
                {
                    Answer.Cards(context, cards, Options.Padding);
                    return Task.CompletedTask;
                },
                error => Answer.Error(context, error));
        }
        finally
        {
            Return(adapter);
        }
    }
}

/// <summary>An adapter behind the contract whose results are awaited once.</summary>
internal sealed class ValueAdapterRoute : Route
{
    private readonly Func<HttpClient, bool, IValueCardAdapter> make;
    private readonly IValueCardAdapter shared;

    public ValueAdapterRoute(Options options, Func<HttpClient, bool, IValueCardAdapter> make) : base(options)
    {
        this.make = make;
        shared = make(NewClient(), true);
    }

    public override async Task Handle(HttpContext context, string name)
    {
        var adapter = Options.ClientPerRequest ? make(NewClient(), true) : shared;
        try
        {
            var result = await adapter.GetCards(name, context.RequestAborted);
            if (result.TryGet(out var cards, out var error))
                Answer.Cards(context, cards, Options.Padding);
            else
                await Answer.Error(context, error);
        }
        finally
        {
            if (Options.ClientPerRequest)
                adapter.Dispose();
        }
    }
}

internal static class Routes
{
    private static readonly Dictionary<string, Func<Options, Route>> all = new()
    {
        ["base"] = options => new BaseRoute(options),
        ["base-again"] = options => new BaseRoute(options),
        ["async"] = options => new AdapterRoute(options, (client, owns) => new AsyncAdapter(client, owns, Edge.StartAsTask)),
        ["async-immediate"] = options => new AdapterRoute(options, (client, owns) => new AsyncAdapter(client, owns, Edge.StartImmediateAsTask)),
        ["task"] = options => new AdapterRoute(options, (client, owns) => new TaskAdapter(client, owns)),
        ["strand"] = options => new AdapterRoute(options, (client, owns) => new StrandAdapter(client, owns)),
        ["pooled-value-task"] = options => new ValueAdapterRoute(options, (client, owns) => new PooledAdapter(client, owns)),
        ["csharp-async"] = options => new AdapterRoute(options, (client, owns) => new CSharpAdapter(client, owns)),
        ["sync-over-async"] = options => new BlockingRoute(options, (client, owns) => new TaskAdapter(client, owns)),
    };

    /// <summary>The names of all routes.</summary>
    public static IReadOnlyCollection<string> Names => all.Keys;

    /// <summary>The route that was asked for.</summary>
    public static Route Make(Options options) => all[options.Route](options);
}
