// A server of ASP.NET Core that does nothing but answer, on the port of its first argument; "http2" behind it: over HTTP/2 with
// prior knowledge. bench/attack.sh and bench/http2.sh load it.
#:sdk Microsoft.NET.Sdk.Web
#:property PublishAot=false

using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;

var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
    IPAddress.Loopback,
    int.Parse(args[0]),
    listen => listen.Protocols = args.Contains("http2") ? HttpProtocols.Http2 : HttpProtocols.Http1));
var app = builder.Build();
var body = "Hello, World!"u8.ToArray();

app.Run(context =>
{
    context.Response.ContentType = "text/plain";
    context.Response.ContentLength = body.Length;
    return context.Response.Body.WriteAsync(body, 0, body.Length);
});

app.Run();
