// Under test: the cache of samples/locks.
namespace Plait.Tests

open System
open System.Collections.Concurrent
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait.Samples

module LockSample =
    let private never = CancellationToken.None

    [<Fact>]
    let ``prices are loaded once, four at a time, again after a failure, and anew by a refresh`` () =
        let loads = ConcurrentDictionary<string, int>()
        let mutable inside = 0
        let mutable most = 0

        let load (name: string) =
            task {
                let now = Interlocked.Increment &inside
                most <- max most now
                do! Task.Yield()
                Interlocked.Decrement &inside |> ignore
                let times = loads.AddOrUpdate(name, 1, (fun _ times -> times + 1))

                if name = "tea" && times = 1 then
                    raise (FormatException())

                return name.Length * times
            }

        let prices = Prices load
        let names = [ for number in 1..20 -> $"name {number}" ]

        let all =
            Task.WhenAll
                [
                    for _ in 1..5 do
                        for name in names -> prices.Get(name, never)
                ]

        Within.ended "All prices" all
        Assert.All(names, (fun name -> Assert.Equal(1, loads[name])))
        Assert.InRange(most, 1, 4)

        Assert.IsType<FormatException>(Within.error "The first price of tea" (prices.Get("tea", never)))
        |> ignore

        Assert.Equal(6, Within.result "The second price of tea" (prices.Get("tea", never)))
        Within.ended "The refresh" (prices.Refresh never)
        Assert.Equal(9, Within.result "The third price of tea" (prices.Get("tea", never)))
        Assert.Equal(2, loads["name 1"])
