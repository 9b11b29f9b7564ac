// The objects of a running process. The content at an address of a stack, or of an object that the collector moves, may be no
// object, and then the runtime's library ends the doctor on .NET 8. So the library gets only addresses that were checked here:
// their first word is a method table.
module internal Plait.Doctor.Objects

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open Microsoft.Diagnostics.Runtime

/// Whether there is a method table at an address, by the words of the memory, which are 0 where it cannot be read; the offsets are
/// those of the class in a method table, and of the method table in the class.
let isMethodTable (word: uint64 -> uint64) (toClass: uint64, toTable: uint64) (table: uint64) : bool =
    let hasClass (table: uint64) =
        let itsClass = word (table + toClass)
        table <> 0UL && itsClass % 2UL = 0UL && word (itsClass + toTable) = table

    // an instance of a generic type has a pointer, marked by the last bit, to the method table with the class
    let itsClass = word (table + toClass)
    if itsClass % 2UL = 1UL then hasClass (itsClass - 1UL) else hasClass table

/// The method tables of a process.
type private MethodTables(runtime: ClrRuntime) =
    let memory = runtime.DataTarget.DataReader
    let checked' = Dictionary<uint64, bool>()

    // 0: it cannot be read
    let word (address: uint64) : uint64 = memory.ReadPointer address

    /// The offset of the class in a method table, and of the method table in the class. It differs between runtimes, and is found
    /// from types that every program has.
    let layout: (uint64 * uint64) option =
        let heap = runtime.Heap

        let known =
            [ heap.ObjectType; heap.StringType; heap.ExceptionType ] |> List.map _.MethodTable

        let places = [ 0UL .. 8UL .. 0x60UL ]

        List.allPairs places places
        |> List.tryFind (fun (toClass, toTable) ->
            known |> List.forall (fun table -> word (word (table + toClass) + toTable) = table))

    let isTable (table: uint64) : bool =
        match layout with
        // no object could be told from other words
        | None -> raise (MemoryReading.Unreadable "the layout of its objects was not found")
        | Some layout -> isMethodTable word layout table

    /// The object at an address; None: there is none.
    member _.Object(address: uint64) : ClrObject option =
        if address = 0UL || address % 8UL <> 0UL then
            None
        else
            // the collector marks objects in the last bits
            let table = word address &&& ~~~7UL

            let isObject =
                match checked'.TryGetValue table with
                | true, known -> known
                | _ ->
                    let is = isTable table
                    checked'[table] <- is
                    is

            if isObject then
                // after FlushCachedData the runtime has another heap
                Some(runtime.Heap.GetObject address) |> Option.filter _.IsValid
            else
                None

    /// The object to which the word at an address refers.
    member this.Referred(address: uint64) : ClrObject option = this.Object(word address)

let private tables = ConditionalWeakTable<ClrRuntime, MethodTables>()

let private tablesOf (runtime: ClrRuntime) : MethodTables =
    tables.GetValue(runtime, fun runtime -> MethodTables runtime)

/// From now on, its memory is read anew.
let forget (runtime: ClrRuntime) : unit =
    runtime.DataTarget.DataReader.FlushCachedData()
    runtime.FlushCachedData()

/// The object at an address; None: there is none.
let at (runtime: ClrRuntime) (address: uint64) : ClrObject option = (tablesOf runtime).Object address

/// The object in a static field; None: null.
let ofStatic (runtime: ClrRuntime) (field: ClrStaticField) : ClrObject option =
    (tablesOf runtime).Referred(field.GetAddress runtime.AppDomains[0])

/// Reads a thread-static field of a module: the object of a thread; None: null, or there is no such field.
let threadStaticOf
    (runtime: ClrRuntime)
    (from: ClrModule)
    (owner: string)
    (name: string)
    : ClrThread -> ClrObject option =
    let field =
        from.GetTypeByName owner
        |> Option.ofObj
        |> Option.bind (fun kind -> kind.ThreadStaticFields |> Seq.tryFind (fun field -> field.Name = name))

    fun thread -> field |> Option.bind (fun field -> (tablesOf runtime).Referred(field.GetAddress thread))

/// The same, of a field of the runtime itself.
let threadStatic (runtime: ClrRuntime) : string -> string -> ClrThread -> ClrObject option =
    threadStaticOf runtime runtime.BaseClassLibrary

/// The object in a field of an object; None: null, or there is no such field.
let field (object: ClrObject) (name: string) : ClrObject option =
    object.Type
    |> Option.ofObj
    |> Option.bind (fun kind ->
        Option.ofObj (kind.GetFieldByName name)
        |> Option.bind (fun field -> (tablesOf kind.Heap.Runtime).Referred(field.GetAddress(object.Address))))

let private plain (object: ClrObject) (name: string) : ClrInstanceField option =
    object.Type
    |> Option.ofObj
    |> Option.bind (fun kind -> Option.ofObj (kind.GetFieldByName name))

/// The bytes of an object.
let content (object: ClrObject) : byte[] =
    match object.Type with
    | null -> [||]
    | kind ->
        let bytes = Array.zeroCreate<byte>(int object.Size)
        let got = kind.Heap.Runtime.DataTarget.DataReader.Read(object.Address, Span bytes)
        Array.truncate got bytes

/// Whether objects of its type have such a field.
let hasField (object: ClrObject) (name: string) : bool = (plain object name).IsSome

/// The number in a field of an object; 0: there is no such field.
let number (object: ClrObject) (name: string) : int =
    plain object name
    |> Option.map _.Read<int>(object.Address, false)
    |> Option.defaultValue 0

/// The 64-bit number in a field of an object; 0: there is no such field.
let wide (object: ClrObject) (name: string) : int64 =
    plain object name
    |> Option.map _.Read<int64>(object.Address, false)
    |> Option.defaultValue 0L

/// The objects that an object refers to, as far as they can be read.
let references (object: ClrObject) : ClrObject seq =
    match object.Type with
    | null -> Seq.empty
    | kind ->
        object.EnumerateReferenceAddresses(carefully = true, considerDependantHandles = false)
        |> Seq.choose (tablesOf kind.Heap.Runtime).Object

/// The name of an object's type; "": it has none.
let typeName (object: ClrObject) : string =
    object.Type
    |> Option.ofObj
    |> Option.bind (fun kind -> Option.ofObj kind.Name)
    |> Option.defaultValue ""

/// Whether an object is of this type, or of a derived one.
let derives (from: string) (object: ClrObject) : bool =
    let rec isOne (kind: ClrType | null) =
        match kind with
        | null -> false
        | kind -> kind.Name = from || isOne kind.BaseType

    isOne object.Type

/// The most objects that one search reaches.
let mostObjects = 4000

/// These objects and those in reach by the references of `next`, each once, the nearest first.
let reached (roots: ClrObject list) (next: ClrObject -> ClrObject seq) : ClrObject list =
    let seen = HashSet<uint64>()
    let found = List<ClrObject>()
    let queue = Queue<ClrObject> roots

    while queue.Count > 0 && found.Count < mostObjects do
        let object = queue.Dequeue()

        if seen.Add object.Address then
            found.Add object

            for other in next object do
                queue.Enqueue other

    List.ofSeq found

/// Types, by name, whose objects refer to a whole program and to no completed task.
let isElsewhere (name: string) =
    [
        "System.Threading.ExecutionContext"
        "System.Threading.Thread"
        "System.Threading.CancellationTokenSource"
        "System.RuntimeType"
        "System.Reflection."
    ]
    |> List.exists (fun known -> name.StartsWith(known, StringComparison.Ordinal))
