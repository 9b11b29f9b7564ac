// The entry point: a process that runs the row of its argument.
module internal Plait.Lab.Yields.Start

[<EntryPoint>]
let private main arguments = Worker.Run(arguments, FSharpRows.table)
