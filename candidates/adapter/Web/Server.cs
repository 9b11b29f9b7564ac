// A route behind Kestrel: one handler, no middleware, HTTP/1.1 on the loopback, logging where it was asked for.
using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging.Console;

namespace Plait.Lab.CardWeb;

internal static class Server
{
    /// <summary>Starts to serve on <paramref name="port"/> (0: one that the system chooses); returns the port.</summary>
    public static int Start(Options options, Route route, int port)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        if (options.ConsoleLogging)
        {
            // as a web application is set up by default, but beside the answers to the lab
            builder.Logging.SetMinimumLevel(LogLevel.Information);
            builder.Logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        }
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(IPAddress.Loopback, port, listen => listen.Protocols = HttpProtocols.Http1);
        });

        var host = builder.Build();
        host.Run(context => Handle(route, context));
        try
        {
            host.StartAsync().GetAwaiter().GetResult();
        }
        catch (IOException)
        {
            throw new IOException($"port {port} on 127.0.0.1 is taken by another process, or may not be used");
        }

        var addresses = host.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()
            ?? throw new InvalidOperationException("the server does not say where it listens");
        return new Uri(addresses.Addresses.First()).Port;
    }

    private static Task Handle(Route route, HttpContext context)
    {
        const string prefix = "/cards/";
        var path = context.Request.Path.Value ?? "";
        if (path.StartsWith(prefix, StringComparison.Ordinal) && path.Length > prefix.Length)
            return route.Handle(context, path[prefix.Length..]);
        context.Response.StatusCode = StatusCodes.Status404NotFound;
        return Task.CompletedTask;
    }
}
