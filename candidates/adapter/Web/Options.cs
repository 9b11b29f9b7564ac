// The command line of a process.
using System.Globalization;

namespace Plait.Lab.CardWeb;

/// <summary>The route that is served, and how.</summary>
internal sealed record Options(
    string Route,
    Uri Upstream,
    string Card,
    bool ClientPerRequest,
    bool ConsoleLogging,
    int Padding)
{
    public const string Usage =
        "The card web service takes --route NAME, --upstream URL and --card NAME, and perhaps --client-per-request, --console-logging and --padding BYTES.";

    /// <summary>Reads them; null where they cannot be read.</summary>
    public static Options? Read(string[] arguments)
    {
        string? route = null, card = null;
        Uri? upstream = null;
        var perRequest = false;
        var logging = false;
        var padding = 0;

        for (var i = 0; i < arguments.Length; i++)
        {
            var more = i + 1 < arguments.Length;
            switch (arguments[i])
            {
                case "--route" when more: route = arguments[++i]; break;
                case "--card" when more: card = arguments[++i]; break;
                case "--upstream" when more && Uri.TryCreate(arguments[i + 1], UriKind.Absolute, out upstream): i++; break;
                case "--client-per-request": perRequest = true; break;
                case "--console-logging": logging = true; break;
                case "--padding" when more && int.TryParse(arguments[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out padding): i++; break;
                default: return null;
            }
        }

        return route is null || card is null || upstream is null || !Routes.Names.Contains(route)
            ? null
            : new Options(route, upstream, card, perRequest, logging, padding);
    }
}
