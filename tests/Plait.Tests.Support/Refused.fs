// Wrong input is refused in a sentence that says where it is and what is wrong.
module Plait.Tests.Support.Refused

open System
open Xunit

open Plait.Common

/// The call is refused in a sentence that begins so and has each of the words.
let says (beginning: string) (words: string list) (call: unit -> 'T) : unit =
    let refused = Assert.Throws<BadInput>(Action(call >> ignore))
    Assert.StartsWith(beginning, refused.Message)

    for word in words do
        Assert.Contains(word, refused.Message)
