// The reasons against an await in place of a blocking call: code that is bound to a thread, in the declaration or in
// the functions that it calls; threads that its callers started for it; and callers that do not await it.
namespace Plait.Check

open System.Collections.Generic
open System.IO

open FSharp.Compiler.Text

/// The declarations of all projects.
type internal FixObstacles(declarations: Declaration list) =
    let index (key: string -> string) =
        let found = Dictionary<string, List<Declaration>>()

        for declaration in declarations do
            let name = key (declaration.Key.Split('(')[0])

            match found.TryGetValue name with
            | true, others -> others.Add declaration
            | _ -> found[name] <- List [ declaration ]

        found

    let byName = index id
    let byMember = index Affinity.lastPart

    let called (code: Code) : Declaration list =
        [
            for name, isOpen in Affinity.callees code do
                let found =
                    if isOpen then byMember.TryGetValue(Affinity.lastPart name) else byName.TryGetValue name

                match found with
                | true, these -> yield! these
                | _ -> ()
        ]

    let calledBy = Dictionary<Declaration, Declaration list>(HashIdentity.Reference)

    let threadBound =
        Dictionary<Declaration, Affinity.ThreadBound list>(HashIdentity.Reference)

    let kept (known: Dictionary<Declaration, 'T>) (make: Declaration -> 'T) (declaration: Declaration) : 'T =
        match known.TryGetValue declaration with
        | true, found -> found
        | _ ->
            let found = make declaration
            known[declaration] <- found
            found

    /// These declarations and all that they call.
    let reached (start: Declaration list) : Declaration list =
        let seen = HashSet<Declaration>(HashIdentity.Reference)
        let order = List<Declaration>()

        let rec reach (declaration: Declaration) =
            if seen.Add declaration then
                order.Add declaration

                declaration
                |> kept calledBy (fun declaration -> called declaration.Body)
                |> List.iter reach

        List.iter reach start
        List.ofSeq order

    // the code and the declarations that run on a thread of their own
    let started =
        lazy
            (let functions =
                Dictionary<Declaration, Affinity.ThreadStart>(HashIdentity.Reference)

             let parts =
                 [
                     for declaration in declarations do
                         for one in Affinity.started declaration do
                             for reached in reached (called one.Code) do
                                 functions.TryAdd(reached, one) |> ignore

                             Location.ofRange (Code.extent one.Code), one
                 ]

             parts, functions)

    let line (at: range) =
        $"{Path.GetFileName at.FileName}, line {at.StartLine}"

    let startedBy (declaration: Declaration) (place: Location) : Affinity.ThreadStart option =
        let parts, functions = started.Value

        parts
        |> List.tryFind (fun (part, _) -> Location.isIn part place)
        |> Option.map snd
        |> Option.orElseWith (fun () ->
            match functions.TryGetValue declaration with
            | true, one -> Some one
            | _ -> None)

    /// Why an await must not replace a blocking call at a place of a declaration: half a sentence.
    member _.Of(declaration: Declaration, place: Location) : string option =
        let bound =
            reached [ declaration ]
            |> List.tryPick (kept threadBound Affinity.threadBound >> List.tryHead)

        match bound, startedBy declaration place with
        | Some bound, _ ->
            Some
                $"{bound.Subject} ({line bound.At}) belongs to one thread, and the code after an await may run on another"
        | None, Some started ->
            Some
                $"it runs on the thread that {started.Starter.Short} ({line started.At}) gives it, and the code after an await may run on another"
        | None, None -> None
