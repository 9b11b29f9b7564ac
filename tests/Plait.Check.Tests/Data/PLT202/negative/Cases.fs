// The argument rules out the branch that blocks.
module PLT202.Negative.Cases

open Support.Cases

let reads () = task { return load (Project "a") }
let isFast () = task { return loadIf false + loadUnless true }
let noPause () = task { pause None }
let noTurn () = task { again (Project "a") }
