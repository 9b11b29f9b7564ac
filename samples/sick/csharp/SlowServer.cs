// A server of HTTP on the loopback that answers each connection after half a second, on threads of its own, for programs
// that wait for a response.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Sick;

static class SlowServer
{
    /// <summary>Starts it on a free port.</summary>
    public static Uri Start()
    {
        var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(4096);
        var accepted = new BlockingCollection<(Socket Client, long Since)>();
        Load.Forever("accepting", () => accepted.Add((listener.Accept(), Stopwatch.GetTimestamp())));
        Load.Forever("answering", () =>
        {
            var (client, since) = accepted.Take();
            var left = 500 - Stopwatch.GetElapsedTime(since).TotalMilliseconds;
            if (left > 0)
                Thread.Sleep((int)left);
            Answer(client);
        });
        return new Uri($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndPoint!).Port}/");
    }

    static void Answer(Socket client)
    {
        using (client)
        {
            try
            {
                // who connected and asks nothing must not stop the others' answers
                client.ReceiveTimeout = 100;
                client.Receive(new byte[4096]);
                client.Send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\n1.08"u8);
            }
            catch (SocketException)
            {
                // it has gone, or asks nothing
            }
        }
    }
}
