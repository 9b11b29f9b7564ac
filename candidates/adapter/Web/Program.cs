// The route as a process: the words of a candidate, line by line.
using System.Text.Json;

namespace Plait.Lab.CardWeb;

internal static class Program
{
    // An upstream that fails at times has a right answer all the same.
    private const int Tries = 30;

    private static int Main(string[] arguments)
    {
        if (Options.Read(arguments) is not { } options)
        {
            Console.Error.WriteLine($"{Options.Usage} Routes: {string.Join(", ", Routes.Names)}.");
            return 2;
        }

        int Serve(int wanted) => Server.Start(options, Routes.Make(options), wanted);
        var served = false;
        // answers "body", and serves if no port is requested
        var own = new Lazy<int>(() => Serve(0));
        LineServer.Run(options.Route, (wish, request, writer) =>
        {
            switch (wish)
            {
                case "serve":
                    if (served)
                        throw new InvalidOperationException("this process serves already");
                    var wanted = request.TryGetProperty("port", out var told) ? told.GetInt32() : 0;
                    writer.WriteNumber("port", wanted == 0 ? own.Value : Serve(wanted));
                    served = true;
                    break;
                case "body":
                    writer.WriteString("body", Ask(new Uri($"http://127.0.0.1:{own.Value}/cards/{options.Card}")));
                    break;
                case "usage":
                    break;
                default:
                    throw new InvalidOperationException($"\"{wish}\" is unknown; known are body, serve and usage");
            }
        });
        return 0;
    }

    private static string Ask(Uri url)
    {
        using var client = new HttpClient();
        HttpResponseMessage response;
        var tries = 0;
        do
        {
            response = client.Send(new HttpRequestMessage(HttpMethod.Get, url));
        }
        while (!response.IsSuccessStatusCode && ++tries < Tries);
        using var reader = new StreamReader(response.Content.ReadAsStream());
        return reader.ReadToEnd();
    }
}
