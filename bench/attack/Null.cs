// A server of ASP.NET Core that does nothing but answer, on the port of its first argument: what bench/attack.sh loads.
#:sdk Microsoft.NET.Sdk.Web
#:property PublishAot=false
#:property RestorePackagesWithLockFile=false
#:property RestoreLockedMode=false

using System.Net;

var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, int.Parse(args[0])));
var app = builder.Build();
var body = "Hello, World!"u8.ToArray();

app.Run(context =>
{
    context.Response.ContentType = "text/plain";
    context.Response.ContentLength = body.Length;
    return context.Response.Body.WriteAsync(body, 0, body.Length);
});

app.Run();
