// The queue of a SynchronizationContext: its posted callbacks, searched from the context on in the memory of the process, and
// whether the search was complete. Only PostedWork uses it.
module internal Plait.Doctor.PostedQueue

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

/// The approximate limit of objects for one search: the last step is always completed.
let mostObjects = 5000

/// The most references from a context to its posted callbacks, without those inside collections: the queue is near.
let private deepest = 6

let private isCallback (object: ClrObject) =
    Objects.typeName object = "System.Threading.SendOrPostCallback"

let isContext = Objects.derives "System.Threading.SynchronizationContext"

/// Whether a context has no queue: all work that is posted to it runs on the pool.
let isOfPool (context: ClrObject) =
    Objects.typeName context = "System.Threading.SynchronizationContext"

let begins (names: string list) (object: ClrObject) : bool =
    let own = Objects.typeName object
    names |> List.exists (fun name -> own.StartsWith(name, StringComparison.Ordinal))

let isOfLibrary = begins [ "System." ]

/// Whether an object is a part of a collection.
let private isOfCollection (object: ClrObject) : bool =
    object.IsArray
    || begins
        [
            "System.Collections."
            "System.Threading.Channels."
            "Microsoft.FSharp.Collections."
            "Microsoft.FSharp.Control.Mailbox"
            "Microsoft.FSharp.Control.FSharpMailboxProcessor"
        ]
        object

let private isDelegate = Objects.derives "System.Delegate"

/// Whether a callback in an object of the library was posted: a collection or a delegate has it. Other objects, such as Progress,
/// have a callback of their own.
let private keepsPosted (object: ClrObject) : bool =
    not (isOfLibrary object)
    || isOfCollection object
    || isDelegate object
    || (Objects.typeName object).Contains "SendOrPostCallback"

/// Reads the current context of a thread.
let contextOf (runtime: ClrRuntime) : ClrThread -> ClrObject option =
    let current =
        Objects.threadStatic runtime "System.Threading.Thread" "t_currentThread"

    current >> Option.bind (fun thread -> Objects.field thread "_synchronizationContext")

/// The objects in the static fields of a class.
let statics (runtime: ClrRuntime) (kind: ClrType | null) : ClrObject list =
    match kind with
    | null -> []
    | kind ->
        [
            for field in kind.StaticFields do
                if field.IsObjectReference then
                    yield! Option.toList (Objects.ofStatic runtime field)
        ]

/// A context, and the static fields of its class and of the class around it: a queue may be there.
let roots (runtime: ClrRuntime) (context: ClrObject) : ClrObject list =
    match Option.ofObj context.Type with
    | None -> [ context ]
    | Some kind ->
        let outer =
            match kind.Name |> Option.ofObj with
            | Some name when name.Contains '+' -> kind.Module.GetTypeByName(name[.. name.LastIndexOf '+' - 1])
            | _ -> null

        context
        :: (statics runtime kind @ statics runtime outer
            // a delegate that a class keeps in order to post it
            |> List.filter (isCallback >> not))

/// The context, and the contexts that it forwards work to.
let kin (context: ClrObject) : uint64 list =
    context.Address
    :: [
        for other in Objects.references context do
            if isContext other then
                other.Address
    ]

/// The posted callbacks of a context.
type Queue =
    {
        /// The objects with the callbacks and their states; empty: nothing was posted.
        Holders: ClrObject list
        /// The objects on the path from the context to these, without the context.
        Way: ClrObject list
        /// The collections on that path: objects of the library that a user's object, or the context, refers to. A thread that
        /// takes work has one on its stack; a thread that posted work may have a node or an item of one there.
        Collections: ClrObject list
        /// Whether the search was complete, and found a collection that callbacks would be in.
        IsWhole: bool
    }

let next (object: ClrObject) : ClrObject seq =
    if Objects.isElsewhere (Objects.typeName object) then
        Seq.empty
    else
        Objects.references object |> Seq.truncate mostObjects

/// The callbacks within a few references of these objects. Of other contexts it searches only `own` ones.
let queue (roots: ClrObject list) (own: uint64 list) : Queue =
    let cameFrom = Dictionary<uint64, ClrObject option>()
    let holders = List<ClrObject>()
    let mutable hasCollection = false
    let mutable isWhole = true

    for root in roots do
        cameFrom.TryAdd(root.Address, None) |> ignore

    let rec from (level: ClrObject list) (depth: int) =
        let left = Queue<ClrObject> level
        let further = List<ClrObject>()

        while left.Count > 0 do
            let object = left.Dequeue()
            let referred = List.ofSeq (next object)
            let isInside = isOfCollection object || isDelegate object
            hasCollection <- hasCollection || isOfCollection object

            if keepsPosted object && List.exists isCallback referred then
                holders.Add object
            elif cameFrom.Count >= mostObjects || referred.Length >= mostObjects then
                isWhole <- false
            else
                for other in referred do
                    if isContext other && not (List.contains other.Address own) then
                        isWhole <- isWhole && isOfPool other
                    elif not (isCallback other) && cameFrom.TryAdd(other.Address, Some object) then
                        (if isInside then left.Enqueue else further.Add) other

        if further.Count > 0 && depth > 1 then
            from (List.ofSeq further) (depth - 1)
        elif further.Count > 0 then
            isWhole <- false

    from roots deepest

    let rec way (object: ClrObject) : ClrObject list =
        match cameFrom[object.Address] with
        | None -> []
        | Some before -> before :: way before

    let isPart (object: ClrObject) =
        isOfLibrary object && not (isContext object)

    let isCollection (object: ClrObject) =
        isPart object && cameFrom[object.Address] |> Option.forall (isPart >> not)

    let ways =
        [
            for holder in holders do
                yield! way holder
        ]
        |> List.filter (isContext >> not)
        |> List.distinctBy _.Address

    {
        Holders = List.ofSeq holders
        Way = ways
        Collections = ways @ List.ofSeq holders |> List.filter isCollection
        IsWhole = isWhole && hasCollection
    }
