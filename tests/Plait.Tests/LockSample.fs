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

    [<Fact>]
    let ``a refresh loads four at a time, and keeps names that come meanwhile and the old prices of those that fail``
        ()
        =
        let loads = ConcurrentDictionary<string, int>()
        let renewed = ConcurrentQueue<string>()
        let four = TaskCompletionSource()
        let goOn = TaskCompletionSource()

        let load (name: string) =
            task {
                let times = loads.AddOrUpdate(name, 1, (fun _ times -> times + 1))

                if times = 2 then
                    renewed.Enqueue name

                    if renewed.Count >= 4 then
                        four.TrySetResult() |> ignore

                    do! goOn.Task

                    if name = "name 3" then
                        raise (FormatException())

                return times
            }

        let prices = Prices load

        let price name =
            Within.result name (prices.Get(name, never))

        let names = [ for number in 1..6 -> $"name {number}" ]
        Assert.All(names, (fun name -> Assert.Equal(1, price name)))

        let refresh = prices.Refresh never
        Within.ended "Four loads of the refresh" four.Task
        let late = prices.Get("late", never)
        goOn.SetResult()

        let name, error = Assert.Single(Within.result "The refresh" refresh)
        Assert.Equal("name 3", name)
        Assert.IsType<FormatException> error |> ignore
        Assert.Equal(1, Within.result "The late name" late)

        Assert.Equal<int list>([ 2; 2; 1; 2; 2; 2 ], List.map price names)
        Assert.Equal(1, price "late")
        Assert.Equal(1, loads["late"])
