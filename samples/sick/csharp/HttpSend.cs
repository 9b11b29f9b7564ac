// HttpClient.Send, the synchronous one: the thread stands until the response is there, and the connection that it waits for is
// made by another thread of the pool. `await client.SendAsync(request)`.
// doctor: STARVED http
// function: Rates.Fetch
namespace Sick;

static class Rates
{
    static readonly HttpClient Client = new();

    public static string Fetch(Uri server, int order)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(server, $"/rates/{order}"));
        using var response = Client.Send(request); // blamed
        using var reader = new StreamReader(response.Content.ReadAsStream());
        return reader.ReadToEnd();
    }

    /// <summary>No thread waits.</summary>
    public static Task<string> Cured(Uri server, int order) =>
        Client.GetStringAsync(new Uri(server, $"/rates/{order}"));

    public static void Start()
    {
        var server = SlowServer.Start();
        Load.Backlog(order =>
        {
            try
            {
                Fetch(server, order);
            }
            catch (TaskCanceledException)
            {
                // after a hundred seconds the client gives up
            }
        });
    }
}
