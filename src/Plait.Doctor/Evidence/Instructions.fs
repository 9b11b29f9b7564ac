// The instructions of a method's body: their offsets, opcodes and metadata tokens.
module internal Plait.Doctor.Instructions

open System
open System.Reflection.Emit

let private codes =
    lazy
        (let single = Array.create 256 OpCodes.Nop
         let double = Array.create 256 OpCodes.Nop

         for field in typeof<OpCodes>.GetFields() do
             match field.GetValue null with
             | :? OpCode as code when code.Size = 1 -> single[int code.Value &&& 0xFF] <- code
             | :? OpCode as code -> double[int code.Value &&& 0xFF] <- code
             | _ -> ()

         single, double)

let private length (il: byte[]) (at: int) (kind: OperandType) =
    match kind with
    | OperandType.InlineNone -> 0
    | OperandType.ShortInlineBrTarget
    | OperandType.ShortInlineI
    | OperandType.ShortInlineVar -> 1
    | OperandType.InlineVar -> 2
    | OperandType.InlineI8
    | OperandType.InlineR -> 8
    | OperandType.InlineSwitch -> 4 + 4 * BitConverter.ToInt32(il, at)
    | _ -> 4

let private hasToken (kind: OperandType) =
    match kind with
    | OperandType.InlineMethod
    | OperandType.InlineField
    | OperandType.InlineType
    | OperandType.InlineTok -> true
    | _ -> false

/// The tokens of a method's instructions, each with its offset and whether it is called.
let tokens (il: byte[]) : (int * bool * int) list =
    let single, double = codes.Value

    let rec go (at: int) found =
        if at >= il.Length then
            List.rev found
        else
            let code, behind =
                if il[at] = 0xFEuy && at + 1 < il.Length then
                    double[int il[at + 1]], at + 2
                else
                    single[int il[at]], at + 1

            let kind = code.OperandType
            let next = behind + length il behind kind

            if hasToken kind && behind + 4 <= il.Length then
                go next ((at, kind = OperandType.InlineMethod, BitConverter.ToInt32(il, behind)) :: found)
            else
                go next found

    go 0 []
