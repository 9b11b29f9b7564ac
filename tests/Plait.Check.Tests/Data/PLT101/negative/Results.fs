// A value of a module that is made of a result.
module PLT101.Negative.Results

open System.Threading.Tasks

let private three = ValueTask<int> 3

let twice () =
    task {
        let! a = three
        let! b = three
        return a + b
    }
