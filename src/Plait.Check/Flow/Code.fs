// The language that the analysis interprets: typed F#, with computation expressions and calls of library functions
// recognised. Lowering makes it of the compiler's typed trees; the files after it see no type of the compiler.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

/// A local variable or a parameter.
[<CustomEquality; NoComparison>]
type Variable =
    {
        Id: int
        Name: string
        At: range
        Kind: Kind
        IsMutable: bool
        /// It is a list or an array: it gives the same elements on each enumeration.
        IsMaterialized: bool
        /// By its type it is a stream to another process or machine.
        IsRemote: bool
        /// The compiler made it.
        IsGenerated: bool
    }

    override this.Equals other =
        match other with
        | :? Variable as other -> this.Id = other.Id
        | _ -> false

    override this.GetHashCode() = this.Id

/// A function or member that is called.
type Callee =
    {
        /// By compiled names, without the number of type parameters: System.Threading.Tasks.Task.Wait.
        Name: string
        /// Its name for a reader: Task.Wait.
        Short: string
        /// The effects in the table; None if the table lacks the member.
        Effects: Effect list option
        /// Identifies a function whose source may be in the check.
        Key: string
        /// For each argument: the type of its parameter is a single-use one.
        TakesSingleUse: bool list
        /// It reads a field or a property, of its first argument if there is one.
        IsProperty: bool
        /// The first argument is the object of an instance member.
        HasObject: bool
        /// It returns a bool.
        ReturnsBool: bool
        /// Virtual or abstract: the called code is not known.
        IsOpen: bool
        /// The class that overrides such a member, by the static type of the object; "": none.
        Overriding: string
    }

    /// The callee of a call without a function of its own: a field, an operator.
    static member Named(name: string) : Callee =
        {
            Name = name
            Short = name
            Effects = None
            Key = ""
            TakesSingleUse = []
            IsProperty = false
            HasObject = false
            ReturnsBool = false
            IsOpen = false
            Overriding = ""
        }

    /// The number of arguments of a call with all of them. The compiler takes a tuple apart at every call but that of an
    /// active pattern, gives options and arrays that the source leaves out, and no argument for a unit.
    member callee.ArgumentCount = callee.TakesSingleUse.Length

    /// It reads a lazy value.
    member callee.ReadsLazy = callee.Effects |> Option.exists (List.exists _.IsForcesOnce)

    /// Its wait is short on most machines: a file, a lock that is held for a few instructions.
    member callee.IsShort =
        let isIn (place: string) = callee.Name.StartsWith place

        isIn "System.IO." && not (isIn "System.IO.Pipes." || isIn "System.IO.FileSystemWatcher.")
        || isIn "System.Threading.ReaderWriterLockSlim."
        || callee.Name = "System.Threading.Thread.SpinWait" // some turns of a loop that does nothing
        // it waits for room, if the collection has a limit
        || callee.Name = "System.Collections.Concurrent.BlockingCollection.Add"

type Code =
    {
        Is: Expression
        At: range
        Kind: Kind
        /// It is an operation, and its await has a result other than unit.
        HasResult: bool
    }

and Expression =
    | Nothing
    | Truth of bool
    | Number of int
    | Read of Variable
    | Write of Variable * Code
    | Let of Variable * Code * Code
    | LetRec of (Variable * Code) list * Code
    | Then of Code * Code
    | If of Code * Code * Code
    /// A decision whose leaves are jumps to the targets, with values for the targets' variables.
    | Match of Code * (Variable list * Code) list
    | Jump of int * Code list
    | Loop of condition: Code option * body: Code
    | Try of Code * Variable * Code
    | Finally of Code * Code
    /// A variable that `use` disposes at the end of the body.
    | Use of Variable * Code * Code
    | Lambda of Variable list * Code
    | Apply of Code * Code list
    | Call of Callee * Code list
    /// `initial`: the key of the declaration with the code of its value, if a class sets it once.
    | Field of Code * name: string * isMutable: bool * initial: string
    /// A field of a case of a union: its name is CASE.FIELD.
    | Content of Code * field: string
    /// An item of a tuple by its number.
    | Item of Code * int
    | Tuple of Code list
    /// A record, union case, array or list: `into` is its name. `fields`: the names of the fields, if the record or
    /// case is immutable.
    | Construct of Code list * into: string * fields: string list option
    | SetField of Code list * into: string
    /// A value of a module, or a static field.
    | Global of string * isMutable: bool
    /// A conversion to obj.
    | AsObject of Code
    | TypeTest of Code
    | Block of Builder * Code
    | InBlock of Part * Code list
    /// A delegate made of a function.
    | Delegate of Code
    /// Parts without a meaning of their own.
    | Parts of Code list
    /// Code that could not be type-checked.
    | Lost

/// A function, value or member with its body.
type Declaration =
    {
        Key: string
        /// Its name for a reader: Module.name.
        Name: string
        At: range
        Parameters: Variable list
        Body: Code
        /// The place of a pointer in it, or of a value that may only be on the stack.
        OnStack: range option
        /// The attribute by which a framework finds it and calls it, as in Fact.
        CalledBy: string option
        /// That attribute is a server's: the server calls it on threads of the pool.
        IsHandler: bool
        /// The names of the abstract members that it implements.
        Implements: string list
        /// It is a value of a module that code reads again and again.
        IsValue: bool
        /// False: it is a part of another declaration too, and that one has the findings.
        IsJudged: bool
    }

    /// Code without parameters, implemented members or attributes.
    static member OfCode(key: string, name: string, at: range, body: Code) : Declaration =
        {
            Key = key
            Name = name
            At = at
            Parameters = []
            Body = body
            OnStack = None
            CalledBy = None
            IsHandler = false
            Implements = []
            IsValue = false
            IsJudged = true
        }

module Code =
    /// The name of a place that code writes by its address: an element of an array, a byref parameter.
    [<Literal>]
    let reference = "a reference"

    let nothing (at: range) =
        { Is = Nothing; At = at; Kind = Kind.Plain; HasResult = false }

    /// The codes directly inside.
    let children (code: Code) : Code list =
        match code.Is with
        | Nothing
        | Truth _
        | Number _
        | Read _
        | Global _
        | Lost -> []
        | Write(_, a)
        | Lambda(_, a)
        | Field(a, _, _, _)
        | Content(a, _)
        | Item(a, _)
        | AsObject a
        | TypeTest a
        | Delegate a
        | Block(_, a) -> [ a ]
        | Let(_, a, b)
        | Then(a, b)
        | Try(a, _, b)
        | Finally(a, b)
        | Use(_, a, b) -> [ a; b ]
        | LetRec(bindings, body) -> List.map snd bindings @ [ body ]
        | If(a, b, c) -> [ a; b; c ]
        | Match(decision, targets) -> decision :: List.map snd targets
        | Loop(Some a, b) -> [ a; b ]
        | Loop(None, a) -> [ a ]
        | Apply(f, args) -> f :: args
        | Jump(_, parts)
        | Call(_, parts)
        | Tuple parts
        | Construct(parts, _, _)
        | SetField(parts, _)
        | InBlock(_, parts)
        | Parts parts -> parts

    /// Whether the code is a call that drops the variable.
    let isDropped (variable: Variable) (code: Code) : bool =
        match code.Is with
        | Call({ Effects = Some effects }, [ { Is = Read other } ]) ->
            other.Id = variable.Id && List.contains (Drops 0) effects
        | _ -> false

    /// The code inside of conversions to obj, and of names that the compiler gave it for a pipe.
    let rec unboxed (code: Code) : Code =
        match code.Is with
        | AsObject inner
        | Call({ Name = "Microsoft.FSharp.Core.Operators.Box" }, [ inner ]) -> unboxed inner
        | Let(piped, value, body) when piped.IsGenerated ->
            match (unboxed body).Is with
            | Read other when other.Id = piped.Id -> unboxed value
            | _ -> code
        | _ -> code

    /// The parameters and the body of a function. No parameters: it is no function, or making it runs other code.
    let rec ofFunction (code: Code) : Variable list * Code =
        match code.Is with
        | Lambda(parameters, body) -> parameters, body
        | Let(variable, ({ Is = (Lambda _ | Number _ | Truth _ | Nothing | Global _) } as value), inner) when
            variable.IsGenerated
            ->
            match ofFunction inner with
            | [], _ -> [], code
            | parameters, body -> parameters, { body with Is = Let(variable, value, body) }
        | _ -> [], code

    /// The items of a list literal or an array literal.
    let rec items (code: Code) : Code list option =
        match code.Is with
        | Construct(items, "an array", _) -> Some items
        | Construct([], "a list", _) -> Some []
        | Construct([ item; rest ], "a list", _) -> items rest |> Option.map (fun others -> item :: others)
        | Parts [ inner ] -> items inner
        | _ -> None

    /// The elements of a sequence expression, if all are constants.
    let rec constants (code: Code) : Code list option =
        match code.Is with
        | Construct([ { Is = Number _ } as item ], "an array", _) -> Some [ item ]
        | Call({ Name = "Microsoft.FSharp.Collections.SeqModule.Delay" }, [ { Is = Lambda(_, body) } ]) ->
            constants body
        | Call({ Name = "Microsoft.FSharp.Collections.SeqModule.Append" }, [ first; second ]) ->
            Option.map2 (@) (constants first) (constants second)
        | _ -> None

    /// The start of the code. The compiler gives the await of an operation the range of its continuation.
    let rec start (code: Code) : range =
        match code.Is with
        | Let(_, first, _)
        | Then(first, _)
        | InBlock(_, first :: _) when first.At.FileName = code.At.FileName -> start first
        | _ -> code.At

    /// The range of the code and of all code inside.
    let rec extent (code: Code) : range =
        let parts =
            children code
            |> List.map extent
            |> List.filter (fun part -> part.FileName = code.At.FileName)

        List.fold Range.unionRanges code.At parts

    /// Whether the condition holds for the code or for any code inside.
    let rec exists (holds: Code -> bool) (code: Code) : bool =
        holds code || children code |> List.exists (exists holds)

    /// Whether the body of a computation expression catches all failures: it is a `try`, and its handler raises
    /// nothing.
    let rec catchesAll (body: Code) : bool =
        let raises (code: Code) =
            match code.Is with
            | Call({ Effects = Some effects }, _) -> List.contains Raises effects
            | _ -> false

        match body.Is with
        | InBlock(Part.TryWith, [ _; handler ]) -> not (exists raises handler)
        | InBlock(Part.TryFinally, [ inner; last ]) -> catchesAll inner && not (exists raises last)
        | InBlock(Part.Other, [ inner ])
        | Lambda([ _ ], inner) -> catchesAll inner
        | _ -> false

    /// Whether the variable is read inside.
    let reads (variable: Variable) (code: Code) : bool =
        code
        |> exists (fun code ->
            match code.Is with
            | Read other -> other.Id = variable.Id
            | _ -> false)

    /// Whether the variable is written inside.
    let writes (variable: Variable) (code: Code) : bool =
        code
        |> exists (fun code ->
            match code.Is with
            | Write(other, _) -> other.Id = variable.Id
            | _ -> false)

    /// Whether the code only awaits the variable.
    let rec onlyAwaits (variable: Variable) (code: Code) : bool =
        let isRead (code: Code) =
            match code.Is with
            | Read other -> other.Id = variable.Id
            | _ -> false

        match code.Is with
        | InBlock((Part.Bind | Part.ReturnFrom | Part.Merge), parts) ->
            parts |> List.forall (fun part -> isRead part || onlyAwaits variable part)
        | _ -> not (isRead code) && children code |> List.forall (onlyAwaits variable)

    /// The free variables: read inside and bound outside.
    let free (code: Code) : Set<int> =
        let bound = HashSet<int>()
        let read = HashSet<int>()
        let bind (variable: Variable) = bound.Add variable.Id |> ignore

        exists
            (fun code ->
                match code.Is with
                | Read variable -> read.Add variable.Id |> ignore
                | Let(variable, _, _)
                | Use(variable, _, _)
                | Try(_, variable, _) -> bind variable
                | LetRec(bindings, _) -> bindings |> List.iter (fst >> bind)
                | Lambda(variables, _) -> List.iter bind variables
                | Match(_, targets) -> targets |> List.iter (fst >> List.iter bind)
                | _ -> ()

                false)
            code
        |> ignore

        read.ExceptWith bound
        Set.ofSeq read

    /// The code after lets that only give names.
    let rec behind (code: Code) : Code =
        match code.Is with
        | Let(_, { Is = (Read _ | Item _) }, inner) -> behind inner
        | _ -> code

    /// A variable that the compiler made for a part of a computation expression, under its name in the source, and the
    /// code with that name.
    let named (variable: Variable) (body: Code) : Variable * Code =
        match body.Is with
        | Let(named, { Is = Read other }, inner) when other.Id = variable.Id -> named, inner
        | _ -> variable, body

    /// The code without renaming: the body of generated lets around it.
    let rec plain (code: Code) : Code =
        match code.Is with
        | Let(variable, value, body) when variable.IsGenerated ->
            match body.Is with
            | Read other when other.Id = variable.Id -> plain value
            | _ -> code
        | AsObject inner
        | Delegate inner -> plain inner
        | _ -> code

    let rec private firstRead (code: Code) : Variable option =
        match code.Is with
        | Read variable -> Some variable
        | _ -> children code |> List.tryPick firstRead

    /// The variable that a finalizer disposes.
    let rec disposed (code: Code) : Variable option =
        match code.Is with
        | Call(callee, object :: _) when callee.Effects = Some [ Disposes ] -> firstRead object
        | _ -> children code |> List.tryPick disposed
