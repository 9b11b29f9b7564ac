// Layer: host. The one HTTP client of `HttpClient.get`, and the record of its waits.
namespace Plait.Lab.Host

open System.Diagnostics
open System.Net.Http
open System.Text.Json
open System.Threading
open System.Threading.Tasks

/// Fetches for programs. All fetches of a process share one client and its connections.
module Upstream =

    let private client = new HttpClient()
    let mutable private waits = 0
    let mutable private shortest = 0L

    let private note (started: int64) =
        let taken = Stopwatch.GetElapsedTime(started).Ticks
        let mutable seen = Volatile.Read &shortest

        while taken < seen && Interlocked.CompareExchange(&shortest, taken, seen) <> seen do
            seen <- Volatile.Read &shortest

        Interlocked.Increment &waits |> ignore

    let private dataOf (document: JsonDocument) =
        nonNull (document.RootElement.GetProperty("data").GetString())

    /// The text at `data` in the answer of `url`, without a thread that waits for it.
    let get (url: string) : Task<string> =
        task {
            let started = Stopwatch.GetTimestamp()
            use! answer = client.GetStreamAsync url
            // The head is there, the body perhaps not yet.
            use! document = JsonDocument.ParseAsync answer
            let data = dataOf document
            note started
            return data
        }

    /// The text at `data` in the answer of `url`; blocks the calling thread.
    let getBlocking (url: string) : string =
        let started = Stopwatch.GetTimestamp()
        use request = new HttpRequestMessage(HttpMethod.Get, url)
        use response = client.Send request
        use answer = response.EnsureSuccessStatusCode().Content.ReadAsStream()
        use document = JsonDocument.Parse answer
        let data = dataOf document
        note started
        data

    /// Begins a new count of waits.
    let reset () : unit =
        Volatile.Write(&shortest, System.Int64.MaxValue)
        Volatile.Write(&waits, 0)

    /// The fetches that ended since the last reset.
    let waitsSoFar () : int = Volatile.Read &waits

    /// The shortest of them; meaningful when there is one.
    let shortestWait () : System.TimeSpan =
        System.TimeSpan.FromTicks(Volatile.Read &shortest)
