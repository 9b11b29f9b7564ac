// Arrays that are computed before the resource is disposed.
module PLT302.Negative.Functions

open System.IO

let anArray (path: string) =
    use reader = new StreamReader(path)

    seq
        [|
            while not reader.EndOfStream do
                reader.ReadLine()
        |]

let private read (reader: StreamReader) : string = reader.ReadToEnd()
let ofAName (path: string) = using (new StreamReader(path)) read
