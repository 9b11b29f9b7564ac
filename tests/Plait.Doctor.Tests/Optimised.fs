// Under test: the doctor on code as it is in a process that has run for a while. The JIT has put what is small into its callers by
// then, the runtime's own methods into those of users too, so that the innermost frames of a stack are not there.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>); Xunit.Trait("run", "more")>]
module Plait.Doctor.Tests.Optimised

open Xunit

let names = Gallery.names

[<Theory; MemberData(nameof names)>]
let ``the doctor's verdict and line stay when the JIT has optimised everything`` (file: string) =
    let program =
        SickProgram.all.Value
        |> List.find (fun program -> System.IO.Path.GetFileName program.File = file)

    // as it is after some thirty calls of each method, but at once
    use running =
        RunningProgram.Start(program, ("DOTNET_TieredCompilation", "0"), ("DOTNET_ReadyToRun", "0"))

    let look () =
        SickProgram.examine running.Pid |> SickProgram.differences program

    // as in the gallery
    let said = SickProgram.lookUntil List.isEmpty 2 look
    Assert.True(said.IsEmpty, String.concat "\n" said)
