// A resource that a function gets by its name.
module PLT302.Positive.Functions

open System.IO
open System.Threading.Tasks

let private read (reader: StreamReader) : Task<string> = reader.ReadToEndAsync()
let ofAName (path: string) = using (new StreamReader(path)) read // PLT302 warning
