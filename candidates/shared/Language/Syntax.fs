// Layer: language. The syntax of the interpreted programs; everything that runs or prints a program sees this file, and
// it sees nothing.
namespace Plait.Lab.Language

/// Names a function of the library. Compared structurally, field by field, in every look-up.
type FnId =
    {
        /// Who publishes the function.
        Owner: string
        /// The package it belongs to.
        Package: string
        /// The module inside the package.
        Module: string
        /// Its name inside the module.
        Function: string
        /// Its version, beginning with 0.
        Version: int
    }

    /// The five parts with slashes between them, for sentences.
    override id.ToString() =
        $"{id.Owner}/{id.Package}/{id.Module}/{id.Function}/{id.Version}"

/// Makes function names.
module FnId =

    /// The first version of a function of the standard library.
    let standard moduleName functionName : FnId =
        {
            Owner = "dark"
            Package = "stdlib"
            Module = moduleName
            Function = functionName
            Version = 0
        }

/// A program, or a part of one.
type Expr =
    /// An integer of any size.
    | EInt of bigint
    /// A text.
    | EString of string
    /// Evaluates `rhs`, names it, and evaluates `body` with that name.
    | ELet of name: string * rhs: Expr * body: Expr
    /// The value of a name.
    | EVariable of name: string
    /// A call of a library function.
    | ECall of id: FnId * arguments: Expr list
    /// A call of a library function of two arguments, written between them.
    | EBinary of left: Expr * id: FnId * right: Expr
    /// A function value, which captures all names in scope.
    | ELambda of parameters: string list * body: Expr
    /// Evaluates one of two branches.
    | EIf of condition: Expr * thenBranch: Expr * elseBranch: Expr
