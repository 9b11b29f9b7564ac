// Under test: names of methods as the runtime has them, given back to the functions that programmers wrote.
module Plait.Doctor.Tests.SourceNames

open Xunit

open Plait.Doctor

[<Theory>]
// plain methods
[<InlineData("MyApp.Orders.Handle", "Orders.Handle")>]
[<InlineData("MyApp.Orders+Inner.Handle", "Inner.Handle")>]
[<InlineData("MyApp.Store`1.Load", "Store.Load")>]
[<InlineData("Handle", "Handle")>]
// constructors
[<InlineData("MyApp.Orders..ctor", "Orders..ctor")>]
[<InlineData("MyApp.Orders..cctor", "Orders..cctor")>]
[<InlineData("MyApp.Store`1+Page..ctor", "Page..ctor")>]
[<InlineData("MyApp.Orders+<>c__DisplayClass1_0.<.ctor>b__0", "Orders..ctor")>]
[<InlineData("MyApp.Orders+<>c.<.cctor>b__3_0", "Orders..cctor")>]
[<InlineData("MyApp.Orders+<>c+<<-cctor>b__3_0>d.MoveNext", "Orders..cctor")>]
[<InlineData("MyApp.Orders.<.ctor>g__Load|1_0", "Orders..ctor.Load")>]
// closures of F#
[<InlineData("Program+work@10.Invoke", "Program.work")>]
[<InlineData("Program+work@10-1.Invoke", "Program.work")>]
[<InlineData("Shop.Orders+viaSeq@27-1.Invoke", "Orders.viaSeq")>]
[<InlineData("Shop.Orders+Pipe #1 stage #2 at line 7@7.Invoke", "Shop.Orders")>]
[<InlineData("Shop+clo@85.Invoke", "Shop")>]
[<InlineData("<StartupCode$app>.$Program+main@5.Invoke", "Program.main")>]
// state machines of F#
[<InlineData("Test+viaTask@12.MoveNext", "Test.viaTask")>]
// what C# makes
[<InlineData("Program+<Main>d__0.MoveNext", "Program.Main")>]
[<InlineData("Program+<>c.<Main>b__0_1", "Program.Main")>]
[<InlineData("Shop.Load+<>c__DisplayClass0_0.<Backlog>b__0", "Load.Backlog")>]
// with the names of methods of classes that compilers make
[<InlineData("Shop.Load+<>c__DisplayClass1_0.<Run>b__0", "Load.Run")>]
[<InlineData("Shop.Load+<>c.<Invoke>b__2_0", "Load.Invoke")>]
[<InlineData("Shop.Load+<>c.<Resume>b__2_0", "Load.Resume")>]
[<InlineData("Shop.Load+<>c.<Signal>b__2_0", "Load.Signal")>]
[<InlineData("Shop.Load+<Run>d__3.MoveNext", "Load.Run")>]
[<InlineData("Shop.Load+Run@12.Invoke", "Load.Run")>]
[<InlineData("Program.<<Main>$>g__Work|0_0", "Program.Work")>]
[<InlineData("Shop.Orders.<Handle>g__Load|3_0", "Orders.Handle.Load")>]
[<InlineData("Program.<Main>$", "Program.Main")>]
[<InlineData("Shop.Orders+<HandleAsync>d__5`1.MoveNext", "Orders.HandleAsync")>]
[<InlineData("Program+<>c+<<Main>b__2_21>d.MoveNext", "Program.Main")>]
[<InlineData("Program+<>c+<<<Main>$>b__0_2>d.MoveNext", "Program")>]
[<InlineData("Shop.Orders+<<Handle>g__Local|2_5>d.MoveNext", "Orders.Handle.Local")>]
let ``a method is shown as the function that was written`` (name: string, expected: string) =
    Assert.Equal(expected, SourceName.ofMethod name)

[<Theory>]
[<InlineData("Program+work@10.Invoke")>]
[<InlineData("Program+outer@10-3.Invoke")>]
[<InlineData("A.B+f@1.MoveNext")>]
[<InlineData("A.B+<F>d__1.MoveNext")>]
[<InlineData("<StartupCode$x>.$Y.main@")>]
let ``no mark of a compiler is left in a name`` (name: string) =
    let shown = SourceName.ofMethod name
    Assert.DoesNotContain("@", shown)
    Assert.DoesNotContain("<", shown)
    Assert.DoesNotContain("MoveNext", shown)
    Assert.NotEqual<string>("", shown)
